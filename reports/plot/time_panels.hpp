// The frame that pictures over time have in common: a title, panels below each other on one time axis, and numbered
// lines where something happens, which are explained at the foot.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "reports/plot/gnuplot_script.hpp"
#include "reports/plot/marks.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

class TimePanels {
 public:
  // Panels of these heights in pixels, titles and axes not counted. `names`: what stands left of panels, which makes
  // the room for it. `further`: marks beside those of what the author lets happen.
  TimePanels(const scenario::Scenario& scenario, Image image, const std::vector<double>& heights,
             const std::vector<std::string>& names, const std::vector<Mark>& further = {});

  [[nodiscard]] GnuplotScript& script() { return script_; }
  // Pixels from the left: of a moment, and
  // where a text on this stretch of time meets no line of a mark, if that can be.
  [[nodiscard]] double clear_middle(double begin_s, double end_s) const;
  [[nodiscard]] double x_of(double time_s) const { return left_ + (right_ - left_) * time_s / end_s_; }

  // The next panel, from its top: its place, after title and note are written above it with the numbers of the marks.
  [[nodiscard]] Frame begin_panel(const std::string& title, const std::string& note);

  // The range of the panel that is drawn next, with seconds written on it if `labels`.
  void time_axis(bool labels);

  // Lines at the marks, across the panel that is drawn next.
  void draw_marks();

  // A name left of a panel.
  void name_row(double y, const std::string& name);

  // A legend to the right of a panel, from its top: as many lines as fit.
  struct LegendLine {
    std::string color;  // none: no box
    std::string style;  // of the box: "solid", "pattern 4"
    std::string text;
    int dash = 0;  // instead of a box a line, in gnuplot's dash type
  };
  void legend(const Frame& panel, const std::vector<LegendLine>& lines);

  // With what the marks mean at the foot.
  [[nodiscard]] std::string finish();

 private:
  void number_marks(double bottom);

  GnuplotScript script_;
  std::vector<Mark> marks_;
  std::vector<double> heights_;
  std::size_t next_ = 0;
  double left_ = 0.0;
  double right_ = 0.0;
  double top_ = 0.0;
  double end_s_ = 1.0;
};

inline constexpr int cell_text = 9;  // size of what stands in the cells of a panel

[[nodiscard]] inline double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// What fits on a row of names.
[[nodiscard]] std::string row_name(const std::string& name);

}  // namespace spillway::reports::plot
