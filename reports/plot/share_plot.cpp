#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "models/config/seconds.hpp"
#include "reports/plot/health_strip.hpp"
#include "reports/plot/palette.hpp"
#include "reports/plot/plots.hpp"
#include "reports/plot/share_colors.hpp"
#include "reports/plot/time_panels.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {
namespace {

constexpr double stack_height = 170.0;
// The panel of one client and service.
class Panel {
 public:
  Panel(const scenario::Scenario& scenario, const Grouped& grouped, const ShareTable& table, const HealthStrip& strip,
        TimePanels& panels, Rows rows)
      : table_(table),
        strip_(strip),
        colors_(share_colors(scenario, grouped.by, table)),
        panels_(panels),
        script_(panels.script()),
        over_time_(rows == Rows::over_time) {
    exact_ = !over_time_ && std::all_of(table.rows.begin(), table.rows.end(), [&](const ShareRow& row) {
      return std::all_of(row.shares.begin(), row.shares.end(),
                         [](const SharePair& share) { return share.exact || !share.simulated; });
    });
  }

  void draw() {
    const double strip = strip_.height();
    const std::string of = over_time_ ? "shares as counted; " : exact_ ? "" : "simulated shares; ";
    const Frame frame = panels_.begin_panel(table_.subject, of + table_.numbers);
    draw_stack({frame.left, frame.top, frame.right, frame.bottom - strip}, strip == 0.0);
    if (strip > 0.0) {
      strip_.draw(panels_, {frame.left, frame.bottom - strip, frame.right, frame.bottom});
    }
  }

 private:
  [[nodiscard]] double share_of(const SharePair& share) const {
    return (exact_ ? share.exact : share.simulated).value_or(0.0);
  }

  // True in mode exact if some group has no exact share, so that the remainder belongs to no particular group.
  [[nodiscard]] bool is_unknown(const ShareRow& row) const {
    for (std::size_t group = 0; group < row.shares.size(); ++group) {
      if (table_.groups[group].reached && !row.shares[group].exact && !row.shares[group].simulated) {
        return true;
      }
    }
    return false;
  }

  // True if no requests were counted, even if they would find hosts.
  [[nodiscard]] static bool has_no_requests(const ShareRow& row) {
    const auto any = [&](const auto& holds) { return std::any_of(row.shares.begin(), row.shares.end(), holds); };
    return !any([](const SharePair& share) { return share.simulated.has_value(); }) ||
           (!any([](const SharePair& share) { return share.simulated.value_or(0.0) > 0.0; }) &&
            any([](const SharePair& share) { return share.exact.value_or(0.0) > 0.0; }));
  }

  void draw_stack(const Frame& frame, bool labels) {
    std::vector<std::vector<std::vector<double>>> bands(table_.groups.size() + 2);  // last two: no host, unknown
    std::vector<std::vector<double>> dots;
    for (const ShareRow& row : table_.rows) {
      if ((over_time_ || !exact_) && has_no_requests(row)) {
        continue;
      }
      double reached = 0.0;
      double counted = 0.0;
      for (std::size_t group = 0; group < row.shares.size(); ++group) {
        const double share = share_of(row.shares[group]);
        if (share > 0.0) {
          add_band(bands[group], frame, row, reached, share, colors_[group]);
        }
        reached += share;
        counted += row.shares[group].simulated.value_or(0.0);
        constexpr double inside = 0.002;
        if (table_.simulated && exact_ && row.shares[group].simulated && counted > inside && counted < 1.0 - inside) {
          dots.push_back({(config::seconds(row.begin) + config::seconds(row.finish)) / 2, 100.0 * counted});
        }
      }
      constexpr double rounding = 1e-9;
      if (reached < 1.0 - rounding) {
        add_band(bands[table_.groups.size() + (is_unknown(row) ? 1 : 0)], frame, row, reached, 1.0 - reached,
                 "#FFFFFF");
      }
    }
    const std::vector<std::vector<double>> steps = over_time_ ? exact_steps() : std::vector<std::vector<double>>{};
    panels_.legend(frame, legend_lines(bands, !dots.empty(), !steps.empty()));
    panels_.draw_marks();
    script_.panel(frame);
    panels_.time_axis(labels);
    script_.line("set yrange [0:100]\nset ytics 0,25,100 format '%g %%'");
    plot_bands(bands, dots, steps);
  }

  // Returns the lines between bands: the sum of the exact shares of the groups below, row by row, with the step to the
  // next one. Empty if one of them is unknown.
  [[nodiscard]] std::vector<std::vector<double>> exact_steps() const {
    constexpr double inside = 0.002;
    std::vector<std::vector<double>> lines;  // x, y, width, height
    for (std::size_t group = 0; group + 1 < table_.groups.size(); ++group) {
      std::optional<double> before;
      for (const ShareRow& row : table_.rows) {
        std::optional<double> reached = 0.0;
        for (std::size_t below = 0; below <= group; ++below) {
          const std::optional<double>& share = row.shares[below].exact;
          reached = reached && share ? std::optional(*reached + *share) : std::nullopt;
        }
        const double begin = config::seconds(row.begin);
        if (before && reached && *before != *reached) {
          lines.push_back({begin, 100.0 * *before, 0.0, 100.0 * (*reached - *before)});
        }
        if (reached && *reached > inside && *reached < 1.0 - inside) {
          lines.push_back({begin, 100.0 * *reached, config::seconds(row.finish) - begin, 0.0});
        }
        before = reached;
      }
    }
    return lines;
  }

  void add_band(std::vector<std::vector<double>>& band, const Frame& frame, const ShareRow& row, double from,
                double share, std::string_view color) {
    const double begin = config::seconds(row.begin);
    const double end = config::seconds(row.finish);
    band.push_back({(begin + end) / 2, 100.0 * (from + share / 2), begin, end, 100.0 * from, 100.0 * (from + share)});
    if (over_time_) {
      return;
    }
    constexpr double room = 5.0;
    constexpr double rounding = 1e-9;
    const double width = panels_.x_of(end) - panels_.x_of(begin) - room;
    std::string text = is_unknown(row) && from + share > 1.0 - rounding ? "?"
                       : exact_                                         ? exact_percent(share)
                                                                        : simulated_percent(share) + " %";
    if (text != "?" && GnuplotScript::width_of(text, cell_text) > width) {
      text = fmt::format("{} %", round_half_up(100.0 * share, 0));
    }
    const double height = share * (frame.bottom - frame.top);
    if (GnuplotScript::width_of(text, cell_text) <= width && height >= cell_text + room) {
      const double y = frame.bottom - (from + share / 2) * (frame.bottom - frame.top);
      script_.text({panels_.clear_middle(begin, end), y}, text,
                   {.align = TextAlign::center, .size = cell_text, .color = text_color_on(color)});
    }
  }

  // Returns the legend in the order of the stack, from the top.
  [[nodiscard]] std::vector<TimePanels::LegendLine> legend_lines(
      const std::vector<std::vector<std::vector<double>>>& bands, bool dots, bool steps) const {
    std::vector<TimePanels::LegendLine> lines;
    if (!bands.back().empty()) {
      lines.push_back({std::string(faint), "pattern 5", "?: no exact share"});
    }
    if (!bands[table_.groups.size()].empty()) {
      lines.push_back({std::string(faint), "pattern 4", "no host"});
    }
    for (std::size_t group = table_.groups.size(); group-- > 0;) {
      if (!bands[group].empty()) {
        lines.push_back({colors_[group], "solid", table_.groups[group].label});
      }
    }
    if (dots) {
      lines.push_back({"", "", "dots: simulated"});
    }
    if (steps) {
      lines.push_back({"", "", "lines: exact"});
    }
    return lines;
  }

  void plot_bands(const std::vector<std::vector<std::vector<double>>>& bands,
                  const std::vector<std::vector<double>>& dots, const std::vector<std::vector<double>>& steps) {
    std::vector<std::string> curves;
    for (std::size_t band = 0; band < bands.size(); ++band) {
      if (bands[band].empty()) {
        continue;
      }
      const bool no_host = band >= table_.groups.size();
      const int pattern = band == table_.groups.size() ? 4 : 5;
      curves.push_back(fmt::format("{} using 1:2:3:4:5:6 with boxxyerror fillstyle {} fillcolor rgb '{}' linewidth 0.5",
                                   script_.data(bands[band]),
                                   no_host      ? fmt::format("pattern {} border linecolor rgb '{}'", pattern, faint)
                                   : over_time_ ? fmt::format("solid border linecolor rgb '{}'", colors_[band])
                                                : "solid border linecolor rgb '#FFFFFF'",
                                   no_host ? std::string(faint) : colors_[band]));
    }
    if (!dots.empty()) {
      curves.push_back(fmt::format("{} using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb '#000000'",
                                   script_.data(dots)));
    }
    if (!steps.empty()) {
      curves.push_back(
          fmt::format("{} using 1:2:3:4 with vectors nohead linewidth 1 linecolor rgb '{}'", script_.data(steps), ink));
    }
    script_.plot(curves);
  }

  const ShareTable& table_;
  const HealthStrip& strip_;
  std::vector<std::string> colors_;
  TimePanels& panels_;
  GnuplotScript& script_;
  bool over_time_ = false;
  bool exact_ = true;
};

}  // namespace

std::string share_plot(const scenario::Scenario& scenario, const Grouped& grouped, Image image, Rows rows) {
  const std::vector<ShareTable> tables = share_tables(scenario, grouped);
  std::vector<double> heights;
  std::vector<std::string> names;
  std::vector<HealthStrip> strips;
  for (const ShareTable& table : tables) {
    const HealthStrip& strip = strips.emplace_back(scenario, grouped, table, rows);
    heights.push_back(stack_height + strip.height());
    for (std::string& name : strip.names()) {
      names.push_back(std::move(name));
    }
  }
  const std::vector<Mark> found =
      rows == Rows::over_time ? marks_of(scenario, grouped.results.logged_events) : std::vector<Mark>{};
  TimePanels panels(scenario, image, heights, names, found);
  for (std::size_t table = 0; table < tables.size(); ++table) {
    Panel(scenario, grouped, tables[table], strips[table], panels, rows).draw();
  }
  return panels.finish();
}

}  // namespace spillway::reports::plot
