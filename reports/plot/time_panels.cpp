#include "reports/plot/time_panels.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "models/config/seconds.hpp"
#include "models/numeric/stable_sort.hpp"
#include "reports/plot/palette.hpp"
#include "reports/text/times.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {
namespace {

constexpr int canvas_width = 960;
constexpr double title_height = 34.0;
constexpr double panel_head = 44.0;  // its title, note and the numbers of marks
constexpr double panel_foot = 34.0;  // its time axis
constexpr double axis_title = 16.0;
constexpr double line_height = 15.0;
constexpr double legend_width = 180.0;
constexpr double longest_name = 170.0;
constexpr double least_left = 64.0;
constexpr double margin = 12.0;
constexpr int small_text = 9;
constexpr std::size_t most_explained = 20;

Size canvas(const std::vector<double>& heights, std::size_t marks) {
  const double panels = std::accumulate(heights.begin(), heights.end(), 0.0) +
                        static_cast<double>(heights.size()) * (panel_head + panel_foot);
  const double feet = static_cast<double>(std::min(marks, most_explained + 1)) * line_height;
  return {canvas_width, static_cast<int>(title_height + panels + axis_title + feet + (marks > 0 ? 2 : 1) * margin)};
}

}  // namespace

std::string row_name(const std::string& name) {
  return GnuplotScript::fitted(name, longest_name, small_text + 1);
}

TimePanels::TimePanels(const scenario::Scenario& scenario, Image image, const std::vector<double>& heights,
                       const std::vector<std::string>& names, const std::vector<Mark>& further)
    : script_(canvas(heights, marks_of(scenario).size() + further.size()), image),
      marks_(marks_of(scenario)),
      heights_(heights),
      end_s_(config::seconds(scenario.duration)) {
  marks_.insert(marks_.end(), further.begin(), further.end());
  numeric::stable_sort(marks_, [](const Mark& left, const Mark& right) { return left.at < right.at; });
  left_ = least_left;
  for (const std::string& name : names) {
    left_ = std::max(left_, 2 * margin + GnuplotScript::width_of(row_name(name), small_text + 1));
  }
  right_ = canvas_width - legend_width;
  top_ = title_height;
  constexpr int title_size = 14;
  script_.text({margin, title_height / 2}, GnuplotScript::fitted(scenario.name, canvas_width - 2 * margin, title_size),
               {.size = title_size});
}

Frame TimePanels::begin_panel(const std::string& title, const std::string& note) {
  const Frame frame{left_, top_ + panel_head, right_, top_ + panel_head + heights_[next_]};
  ++next_;
  top_ = frame.bottom + panel_foot;
  constexpr int title_size = 12;
  const double title_y = frame.top - 34.0;
  script_.text({left_, title_y}, GnuplotScript::fitted(title, (right_ - left_) * 2 / 3, title_size),
               {.size = title_size});
  script_.text({right_, title_y}, note, {.align = TextAlign::right, .size = small_text, .color = faint});
  number_marks(frame.top);
  if (next_ == heights_.size()) {
    script_.text({(left_ + right_) / 2, top_ + axis_title / 2 + 2.0}, "time (s)",
                 {.align = TextAlign::center, .size = small_text + 1});
  }
  return frame;
}

// Numbers the marks. Marks of one time share a label: "2-5".
void TimePanels::number_marks(double bottom) {
  constexpr double one_place = 4.0;
  constexpr double between = 4.0;
  double previous_end = -canvas_width;
  bool raised = false;
  for (std::size_t first = 0; first < marks_.size();) {
    const double x = x_of(config::seconds(marks_[first].at));
    std::size_t last = first;
    while (last + 1 < marks_.size() && x_of(config::seconds(marks_[last + 1].at)) - x < one_place) {
      ++last;
    }
    const std::string label = first == last ? fmt::format("{}", first + 1) : fmt::format("{}-{}", first + 1, last + 1);
    const double half = GnuplotScript::width_of(label, small_text) / 2;
    raised = x - half < previous_end + between && !raised;
    previous_end = x + half;
    script_.text({x, bottom - (raised ? 18.0 : 8.0)}, label,
                 {.align = TextAlign::center, .size = small_text, .color = ink});
    first = last + 1;
  }
}

void TimePanels::time_axis(bool labels) {
  script_.line(fmt::format("set xrange [0:{}]\nset xtics autofreq{} format '{}'", GnuplotScript::number(end_s_),
                           labels ? "" : " scale 0", labels ? "%g" : ""));
}

double TimePanels::clear_middle(double begin_s, double end_s) const {
  double from = begin_s;
  std::pair<double, double> widest{begin_s, begin_s};
  const auto close = [&](double to) {
    if (to - from > widest.second - widest.first) {
      widest = {from, to};
    }
    from = to;
  };
  for (const Mark& mark : marks_) {
    const double at = config::seconds(mark.at);
    if (begin_s < at && at < end_s) {
      close(at);
    }
  }
  close(end_s);
  return x_of((widest.first + widest.second) / 2);
}

void TimePanels::draw_marks() {
  for (const Mark& mark : marks_) {
    const std::string at = GnuplotScript::number(config::seconds(mark.at));
    script_.line(
        fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dashtype 2 linewidth 1 linecolor "
                    "rgb '{1}' front",
                    at, ink));
  }
}

void TimePanels::name_row(double y, const std::string& name) {
  script_.text({left_ - margin / 2, y}, row_name(name), {.align = TextAlign::right, .size = small_text + 1});
}

void TimePanels::legend(const Frame& panel, const std::vector<LegendLine>& lines) {
  constexpr double swatch = 11.0;
  const auto fitting = static_cast<std::size_t>(std::max(1.0, (panel.bottom - panel.top) / line_height));
  for (std::size_t line = 0; line < std::min(lines.size(), fitting); ++line) {
    const double middle = panel.top + swatch / 2 + static_cast<double>(line) * line_height;
    const bool last = line + 1 == fitting && lines.size() > fitting;
    const double left = right_ + margin;
    if (!last && lines[line].dash > 0) {
      script_.stroke({left, middle}, {left + swatch + margin, middle}, lines[line].color, lines[line].dash);
    } else if (!last && !lines[line].color.empty()) {
      script_.box({left, middle - swatch / 2, left + swatch, middle + swatch / 2}, lines[line].color,
                  lines[line].style);
    }
    const std::string text = last ? fmt::format("and {} more", lines.size() - line) : lines[line].text;
    const double indent = lines[line].dash > 0 ? margin : 0.0;
    script_.text({left + swatch + margin / 2 + indent, middle},
                 GnuplotScript::fitted(text, legend_width - 2 * margin - swatch, small_text + 1),
                 {.size = small_text + 1});
  }
}

std::string TimePanels::finish() {
  if (!marks_.empty()) {
    double y = top_ + axis_title + margin + line_height / 2;
    for (std::size_t mark = 0; mark < std::min(marks_.size(), most_explained); ++mark, y += line_height) {
      script_.text({left_, y}, fmt::format("{}", mark + 1), {.align = TextAlign::right, .size = small_text + 1});
      const std::string text = fmt::format("{} s   {}", seconds_text(marks_[mark].at), marks_[mark].text);
      script_.text({left_ + margin, y}, GnuplotScript::fitted(text, canvas_width - left_ - 2 * margin, small_text + 1),
                   {.size = small_text + 1});
    }
    if (marks_.size() > most_explained) {
      script_.text({left_ + margin, y}, fmt::format("and {} more", marks_.size() - most_explained),
                   {.size = small_text + 1});
    }
    // Texts need a plot to be drawn; this one has no area of its own.
    script_.panel({left_, top_, right_, top_ + 1.0});
    script_.line("set xrange [0:1]\nset yrange [0:1]\nunset border\nunset xtics\nunset ytics");
    script_.plot();
  }
  return script_.finish();
}

}  // namespace spillway::reports::plot
