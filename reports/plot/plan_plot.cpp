#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "reports/plan/plan_words.hpp"
#include "reports/plot/gnuplot_script.hpp"
#include "reports/plot/palette.hpp"
#include "reports/plot/plots.hpp"
#include "reports/text/percent.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {
namespace {

constexpr std::size_t most_failures = 40;
constexpr std::size_t most_bars = 7;  // zones per row; if there are more, only the busiest endpoint
constexpr int width_of_plan = 960;
constexpr double bar = 13.0;
constexpr double between_rows = 9.0;
constexpr double top_of_bars = 118.0;
constexpr double bottom_space = 58.0;
constexpr double right_of_bars = 700.0;
constexpr double edge_of_plan = 18.0;
constexpr int small_print = 10;

// Formats the label at the end of a bar as a whole percentage.
std::string bar_text(double utilisation) {
  return fmt::format("{} %", round_half_up(utilisation * 100.0, 0));
}

class PlanPanel {
 public:
  PlanPanel(const scenario::Scenario& scenario, const plan::Plan& plan, Image image)
      : scenario_(scenario),
        plan_(plan),
        rows_(shown_rows()),
        bars_(scenario.zones.size() <= most_bars ? scenario.zones.size() : 1),
        row_height_(bar * static_cast<double>(bars_) + between_rows),
        height_(top_of_bars + row_height_ * static_cast<double>(rows_.size()) + bottom_space),
        script_({.width = width_of_plan, .height = static_cast<int>(height_)}, image) {
    double widest = 0.0;
    for (const plan::Row* row : rows_) {
      widest = std::max(widest, GnuplotScript::width_of(name_of_row(*row)));
    }
    constexpr double least = 110.0;
    constexpr double most = 300.0;
    frame_ = {.left = edge_of_plan + std::clamp(widest, least, most) + 10.0,
              .top = top_of_bars,
              .right = right_of_bars,
              .bottom = height_ - bottom_space};
    for (const plan::Row* row : rows_) {
      most_ = std::max(most_, row->utilisation.value_or(0.0));
    }
    // Reserves room for the text after the longest bar.
    constexpr double room = 1.12;
    most_ = std::max(1.0, most_) * room;
  }

  std::string draw() {
    add_title();
    add_legend();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      add_row(row);
    }
    add_limits();
    script_.panel(frame_);
    script_.line(fmt::format("set xrange [0:{}]\nset yrange [{}:0]\nset border 1\nunset ytics",
                             GnuplotScript::number(most_ * 100.0), rows_.size()));
    script_.line("set format x '%g %%'");
    script_.text({(frame_.left + frame_.right) / 2.0, height_ - 14.0}, "utilisation of the busiest endpoint",
                 {.align = TextAlign::center, .size = small_print});
    std::vector<std::string> curves;
    for (std::size_t number = 0; number < bars_; ++number) {
      if (!data_[number].empty()) {
        curves.push_back(
            fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid border rgb '{}' linewidth 1 "
                        "fillcolor rgb '{}'",
                        script_.data(data_[number]), ink, bar_color(number)));
      }
    }
    script_.plot(curves);
    return script_.finish();
  }

 private:
  // Returns the rows in order; the first is without any failure.
  [[nodiscard]] std::vector<const plan::Row*> shown_rows() const {
    std::vector<const plan::Row*> rows;
    for (const plan::Row& row : plan_.rows) {
      rows.push_back(&row);
    }
    if (rows.size() <= most_failures) {
      return rows;
    }
    const auto growth = [](const plan::Row* row) {
      return row->tightest ? row->tightest->growth() : std::numeric_limits<double>::infinity();
    };
    std::sort(rows.begin() + 1, rows.end(), [&](const plan::Row* left, const plan::Row* right) {
      return std::pair(growth(left), left) < std::pair(growth(right), right);
    });
    rows.resize(most_failures);
    std::sort(rows.begin() + 1, rows.end());
    return rows;
  }

  [[nodiscard]] static std::string name_of_row(const plan::Row& row) {
    return row.failure.ways > 1 ? fmt::format("{} (and {} alike)", row.failure.name, row.failure.ways - 1)
                                : row.failure.name;
  }

  [[nodiscard]] std::string bar_color(std::size_t number) const {
    return bars_ == scenario_.zones.size() ? zone_color(number) : series_color(0);
  }

  [[nodiscard]] double x_of(double utilisation) const {
    return frame_.left + (frame_.right - frame_.left) * utilisation / most_;
  }

  void add_title() {
    constexpr int large = 14;
    constexpr double first_line = 22.0;
    constexpr double second_line = 44.0;
    constexpr double third_line = 62.0;
    const double width = width_of_plan - 2.0 * edge_of_plan;
    script_.text({edge_of_plan, first_line}, GnuplotScript::fitted(scenario_.name + ": capacity plan", width, large),
                 {.size = large});
    script_.text({edge_of_plan, second_line},
                 GnuplotScript::fitted("headroom " + plan_answers(scenario_, plan_).front().sentences.front(), width));
    const std::string left_out =
        plan_.rows.size() > rows_.size()
            ? fmt::format("; {} more failures leave more headroom", plan_.rows.size() - rows_.size())
            : "";
    script_.text(
        {edge_of_plan, third_line},
        GnuplotScript::fitted(fmt::format("{} at {}{}", rate_text(plan_.rows.front().rate),
                                          duration_text(static_cast<double>(plan_.at.count()) * 1e-9), left_out),
                              width, small_print),
        {.size = small_print, .color = faint});
  }

  void add_legend() {
    double x = frame_.left;
    constexpr double top = 78.0;
    constexpr double side = 11.0;
    if (bars_ != scenario_.zones.size()) {
      return;
    }
    for (std::size_t zone = 0; zone < bars_; ++zone) {
      const std::string name = GnuplotScript::fitted(scenario_.zones[zone].name, 120.0, small_print);
      script_.box({.left = x, .top = top, .right = x + side, .bottom = top + side}, bar_color(zone));
      script_.text({x + side + 5.0, top + side / 2.0}, name, {.size = small_print});
      x += side + GnuplotScript::width_of(name, small_print) + 24.0;
    }
  }

  void add_row(std::size_t number) {
    const plan::Row& row = *rows_[number];
    const double top = frame_.top + row_height_ * static_cast<double>(number);
    const double middle = top + row_height_ / 2.0;
    const std::string verdict = verdict_text(scenario_, plan_, row);
    const bool marked = !row.has_no_traffic() && (!row.holds() || is_tightest(plan_, row));
    if (marked) {
      script_.box({.left = edge_of_plan - 6.0,
                   .top = top + 1.0,
                   .right = width_of_plan - 6.0,
                   .bottom = top + row_height_ - 1.0},
                  "#F0F0F0");
    }
    script_.text({frame_.left - 8.0, middle}, GnuplotScript::fitted(name_of_row(row), frame_.left - edge_of_plan - 8.0),
                 {.align = TextAlign::right});
    const std::string mark = marked ? "◀ " : "";
    script_.text({frame_.right + 12.0, middle},
                 GnuplotScript::fitted(mark + short_verdict(verdict),
                                       width_of_plan - frame_.right - edge_of_plan - 12.0, small_print),
                 {.size = small_print});
    for (std::size_t of_row = 0; of_row < bars_; ++of_row) {
      const std::optional<double>& utilisation = bars_ == scenario_.zones.size() ? row.zones[of_row] : row.utilisation;
      const double bar_top = top + between_rows / 2.0 + bar * static_cast<double>(of_row);
      const double bar_middle = bar_top + bar / 2.0;
      if (!utilisation) {
        script_.text({frame_.left + 4.0, bar_middle}, "none left", {.size = 8, .color = faint});
        continue;
      }
      const auto place = [&](double y) { return (y - frame_.top) / row_height_; };
      data_[of_row].push_back({*utilisation * 50.0, place(bar_middle), 0.0, *utilisation * 100.0, place(bar_top + 1.0),
                               place(bar_top + bar - 1.0)});
      add_number({x_of(*utilisation), bar_middle}, bar_text(*utilisation), bar_color(of_row));
    }
  }

  // Writes the number after the bar, or inside it if a limit's line would cross the number.
  void add_number(Point end, const std::string& number, const std::string& color) {
    constexpr int size = 8;
    constexpr double gap = 4.0;
    const double width = GnuplotScript::width_of(number, size);
    const std::vector<double> all = limits();
    const bool crossed = std::any_of(all.begin(), all.end(), [&](double limit) {
      return x_of(limit) >= end.x && x_of(limit) <= end.x + 2.0 * gap + width;
    });
    if (crossed && end.x - frame_.left > width + 2.0 * gap) {
      script_.text({end.x - gap, end.y}, number,
                   {.align = TextAlign::right, .size = size, .color = text_color_on(color)});
    } else {
      script_.text({end.x + gap, end.y}, number, {.size = size});
    }
  }

  // Shortens the verdict: the bars show the failure.
  [[nodiscard]] static std::string short_verdict(const std::string& verdict) {
    return verdict.starts_with("failed: utilisation") ? "failed" : verdict;
  }

  // Returns the limits, each once, however many services have it.
  [[nodiscard]] std::vector<double> limits() const {
    std::vector<double> limits;
    for (const plan::Bound& bound : plan_.bounds) {
      if (bound.metric == plan::Metric::utilisation &&
          std::find(limits.begin(), limits.end(), bound.limit) == limits.end()) {
        limits.push_back(bound.limit);
      }
    }
    return limits;
  }

  void add_limits() {
    script_.text({frame_.left - 8.0, frame_.top - 14.0}, "lost",
                 {.align = TextAlign::right, .size = small_print, .color = faint});
    for (const double limit : limits()) {
      const double x = x_of(limit);
      if (x > frame_.right) {
        continue;
      }
      script_.stroke({x, frame_.top - 6.0}, {x, frame_.bottom}, ink, 2);
      script_.text({x, frame_.top - 14.0}, "at most " + exact_percent(limit),
                   {.align = TextAlign::center, .size = small_print});
    }
  }

  const scenario::Scenario& scenario_;
  const plan::Plan& plan_;
  std::vector<const plan::Row*> rows_;
  std::size_t bars_;
  double row_height_;
  double height_;
  GnuplotScript script_;
  Frame frame_;
  double most_ = 0.0;  // utilisation at the right end
  std::vector<std::vector<std::vector<double>>> data_ = std::vector<std::vector<std::vector<double>>>(most_bars);
};

}  // namespace

std::string plan_plot(const scenario::Scenario& scenario, const plan::Plan& plan, Image image) {
  return PlanPanel(scenario, plan, image).draw();
}

}  // namespace spillway::reports::plot
