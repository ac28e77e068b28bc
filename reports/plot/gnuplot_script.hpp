// A script for gnuplot 5.4, put together panel by panel on a canvas of pixels.
//
//   GnuplotScript script({.width = 960, .height = 300}, Image::svg);
//   script.text({480, 20}, "two zones", {.align = Align::center});
//   const std::string data = script.data({{0, 10, 0, 0.7}, {0, 10, 0.7, 1}});
//   script.panel({.left = 60, .top = 40, .right = 900, .bottom = 260});
//   script.plot({data + " using 1:2 with lines"});
//   std::string text = script.finish();
//
// Texts are taken as they are: nothing in them is a command, markup or an escape, whatever they hold. Places count in
// pixels from the upper left. The same bytes for any locale. The script prints the image to gnuplot's standard output.
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

  // A string of gnuplot's that nothing is expanded in: in single quotes, without control characters.
  [[nodiscard]] static std::string quoted(std::string_view text);
  // The fewest digits that gnuplot reads back as the same number.
  [[nodiscard]] static std::string number(double value);

  // Pixels that a text takes, about.
  [[nodiscard]] static double width_of(std::string_view text, int size = 11);
  // Cut to at most so many pixels, with an ellipsis.
  [[nodiscard]] static std::string fitted(std::string_view text, double width, int size = 11);

  // What is drawn with the next panel's `plot`.
  void text(Point at, std::string_view text, const TextStyle& style = {});
  void box(const Frame& frame, std::string_view fill, std::string_view style = "solid");

  void stroke(Point from, Point to, std::string_view color, int dash);

  // Where the next `plot` draws. Forgets ranges and tics of the panel before.
  void panel(const Frame& frame);

  void line(std::string_view command);

  // A block of data; the answer is its name. Each row becomes a line.
  [[nodiscard]] std::string data(const std::vector<std::vector<double>>& rows);

  // Draws the panel with these curves ("$data0 using 1:2 with lines"), or with none but its axes and texts.
  void plot(const std::vector<std::string>& curves = {});

  [[nodiscard]] std::string finish();

 private:
  [[nodiscard]] std::string place(Point at) const;

  Size size_;
  std::string text_;
  int blocks_ = 0;
};

}  // namespace spillway::reports::plot
