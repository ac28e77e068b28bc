// The common frame of pictures over time: a title, panels below each other on one time axis, and numbered lines at
// changes, which are explained at the bottom.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "models/config/seconds.hpp"
#include "reports/plot/gnuplot_script.hpp"
#include "reports/plot/marks.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::plot {

class TimePanels {
 public:
  // Creates panels of these heights in pixels, without titles and axes. `names` are printed left of the panels, which
  // reserve room for them. `further` has marks in addition to the scenario's changes.
  TimePanels(const scenario::Scenario& scenario, Image image, const std::vector<double>& heights,
             const std::vector<std::string>& names, const std::vector<Mark>& further = {});

  [[nodiscard]] GnuplotScript& script() { return script_; }
  // x_of() returns the position of a time, in pixels from the left. clear_middle() returns a position for a text within
  // this period that avoids the lines of marks, if possible.
  [[nodiscard]] double clear_middle(double begin_s, double end_s) const;
  [[nodiscard]] double x_of(double time_s) const { return left_ + (right_ - left_) * time_s / end_s_; }

  // Begins the next panel: writes title and note above it with the numbers of the marks, and returns its frame.
  [[nodiscard]] Frame begin_panel(const std::string& title, const std::string& note);

  // Sets the range of the next panel, with seconds written on its axis if `labels`.
  void time_axis(bool labels);

  // Draws lines at the marks, across the next panel.
  void draw_marks();

  // Writes a name left of a panel.
  void name_row(double y, const std::string& name);

  // A line of the legend to the right of a panel, from its top. Only as many lines as fit are drawn.
  struct LegendLine {
    std::string color;  // no box if empty
    std::string style;  // of the box: "solid", "pattern 4"
    std::string text;
    int dash = 0;  // above 0: a line of gnuplot's dash type instead of a box
  };
  void legend(const Frame& panel, const std::vector<LegendLine>& lines);

  // Adds the explanations of the marks at the bottom and returns the script.
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

inline constexpr int cell_text = 9;  // text size in the cells of a panel

// Returns the name shortened to fit its row.
[[nodiscard]] std::string row_name(const std::string& name);

}  // namespace spillway::reports::plot
