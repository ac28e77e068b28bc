// Builds a script for gnuplot 5.4 panel by panel, on a canvas of pixels.
//
//   GnuplotScript script({.width = 960, .height = 300}, Image::svg);
//   script.text({480, 20}, "two zones", {.align = TextAlign::center});
//   const std::string data = script.data({{0, 10, 0, 0.7}, {0, 10, 0.7, 1}});
//   script.panel({.left = 60, .top = 40, .right = 900, .bottom = 260});
//   script.plot({data + " using 1:2 with lines"});
//   std::string text = script.finish();
//
// Texts are printed literally: nothing in them is a command, markup or an escape. Positions are in pixels from the
// upper left. The output is byte-identical for any locale. The script prints the image to gnuplot's standard output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/plot/picture.hpp"

namespace spillway::reports::plot {

struct Size {
  int width = 960;
  int height = 400;
};

struct Point {
  double x = 0.0;
  double y = 0.0;
};

struct Frame {
  double left = 0.0;
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;
};

enum class TextAlign { left, center, right };

struct TextStyle {
  TextAlign align = TextAlign::left;
  int size = 11;
  std::string_view color = "#222222";
};

class GnuplotScript {
 public:
  GnuplotScript(Size size, Image image);

  // Returns a gnuplot string in single quotes, without control characters, in which nothing is expanded.
  [[nodiscard]] static std::string quoted(std::string_view text);
  // Formats with the fewest digits that gnuplot reads back as the same number.
  [[nodiscard]] static std::string number(double value);

  // Returns the approximate width of a text [pixels].
  [[nodiscard]] static double width_of(std::string_view text, int size = 11);
  // Returns the text cut to at most `width` pixels, with an ellipsis.
  [[nodiscard]] static std::string fitted(std::string_view text, double width, int size = 11);

  // Add texts and boxes that are drawn with the next panel's `plot`.
  void text(Point at, std::string_view text, const TextStyle& style = {});
  void box(const Frame& frame, std::string_view fill, std::string_view style = "solid");

  void stroke(Point from, Point to, std::string_view color, int dash);

  // Sets where the next `plot` draws. Resets ranges and tics of the previous panel.
  void panel(const Frame& frame);

  void line(std::string_view command);

  // Adds a block of data and returns its name. Each row becomes a line.
  [[nodiscard]] std::string data(const std::vector<std::vector<double>>& rows);

  // Draws the panel with these curves ("$data0 using 1:2 with lines"), or with only its axes and texts.
  void plot(const std::vector<std::string>& curves = {});

  [[nodiscard]] std::string finish();

 private:
  [[nodiscard]] std::string place(Point at) const;

  Size size_;
  std::string text_;
  int blocks_ = 0;
};

}  // namespace spillway::reports::plot
