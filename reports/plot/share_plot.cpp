#include "reports/plot/share_plot.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "reports/plot/ejected_hosts.hpp"
#include "reports/plot/palette.hpp"
#include "reports/plot/share_colors.hpp"
#include "reports/plot/time_panels.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/percent.hpp"

namespace spillway::reports::plot {
namespace {

constexpr double stack_height = 170.0;
constexpr double gap = 8.0;
constexpr double row_height = 17.0;
constexpr std::size_t most_rows = 16;
constexpr int cell_text = 9;

double seconds(run::Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

bool has_hosts(const ShareTable& table, std::size_t group) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const ShareRow& row) { return row.told[group].hosts > 0; });
}

// Groups whose health has a row of its own; none where there would be too many.
std::vector<std::size_t> health_rows(const ShareTable& table) {
  std::vector<std::size_t> rows;
  for (std::size_t group = 0; group < table.groups.size(); ++group) {
    if (has_hosts(table, group)) {
      rows.push_back(group);
    }
  }
  return rows.size() > most_rows ? std::vector<std::size_t>{} : rows;
}

std::vector<EjectedHosts> ejected_of(const scenario::Scenario& scenario, const Grouped& grouped,
                                     const ShareTable& table) {
  constexpr int pixels = 800;
  const bool one_client = grouped.by.has(Dimension::client);
  return ejected_hosts(scenario, grouped.results, one_client ? std::optional(table.client) : std::nullopt,
                       table.service, scenario.duration / pixels);
}

double strip_height(const ShareTable& table, bool ejections) {
  const std::size_t rows = health_rows(table).size() + (table.panics ? 1 : 0) + (ejections ? 1 : 0);
  return rows == 0 ? 0.0 : gap + static_cast<double>(rows) * row_height;
}

// Neighbours in which proxies are told the same, as one.
std::vector<ShareRow> with_alike_health_joined(const ShareTable& table) {
  const auto alike = [](const ToldHosts& left, const ToldHosts& right) {
    return left.hosts == right.hosts && left.healthy == right.healthy && left.degraded == right.degraded;
  };
  std::vector<ShareRow> rows;
  for (const ShareRow& row : table.rows) {
    if (!rows.empty() && rows.back().panic == row.panic &&
        std::equal(row.told.begin(), row.told.end(), rows.back().told.begin(), rows.back().told.end(), alike)) {
      rows.back().finish = row.finish;
    } else {
      rows.push_back(row);
    }
  }
  return rows;
}

// One client's panel.
class Panel {
 public:
  Panel(const scenario::Scenario& scenario, const Grouped& grouped, const ShareTable& table, TimePanels& panels,
        Rows rows)
      : scenario_(scenario),
        table_(table),
        told_(rows == Rows::over_time ? with_alike_health_joined(table) : table.rows),
        colors_(share_colors(scenario, grouped.by, table)),
        ejected_(ejected_of(scenario, grouped, table)),
        panels_(panels),
        script_(panels.script()),
        over_time_(rows == Rows::over_time) {
    exact_ = !over_time_ && std::all_of(table.rows.begin(), table.rows.end(), [&](const ShareRow& row) {
      return std::all_of(row.shares.begin(), row.shares.end(),
                         [](const SharePair& share) { return share.exact || !share.simulated; });
    });
  }

  void draw() {
    const double strip = strip_height(table_, !ejected_.empty());
    const std::string of = over_time_ ? "shares as counted; " : exact_ ? "" : "simulated shares; ";
    const Frame frame = panels_.begin_panel(table_.subject, of + table_.numbers);
    draw_stack({frame.left, frame.top, frame.right, frame.bottom - strip}, strip == 0.0);
    if (strip > 0.0) {
      draw_strip({frame.left, frame.bottom - strip + gap, frame.right, frame.bottom});
    }
  }

 private:
  [[nodiscard]] double share_of(const SharePair& share) const {
    return (exact_ ? share.exact : share.simulated).value_or(0.0);
  }

  // In mode exact, where some group has no exact share: what is left belongs to no group for sure.
  [[nodiscard]] bool is_unknown(const ShareRow& row) const {
    for (std::size_t group = 0; group < row.shares.size(); ++group) {
      if (table_.groups[group].reached && !row.shares[group].exact && !row.shares[group].simulated) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] static bool has_no_requests(const ShareRow& row) {
    return std::none_of(row.shares.begin(), row.shares.end(),
                        [](const SharePair& share) { return share.simulated.has_value(); });
  }

  void draw_stack(const Frame& frame, bool labels) {
    std::vector<std::vector<std::vector<double>>> bands(table_.groups.size() + 2);  // no host and unknown at the end
    std::vector<std::vector<double>> dots;
    for (const ShareRow& row : table_.rows) {
      if (over_time_ && has_no_requests(row)) {
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
          dots.push_back({(seconds(row.begin) + seconds(row.finish)) / 2, 100.0 * counted});
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

  // Between the bands: how far up the exact shares of the groups below reach, row by row, and up or down to the next
  // one. Nothing where one of them is not known.
  [[nodiscard]] std::vector<std::vector<double>> exact_steps() const {
    constexpr double inside = 0.002;
    std::vector<std::vector<double>> lines;  // x, y, how far to the right, how far up
    for (std::size_t group = 0; group + 1 < table_.groups.size(); ++group) {
      std::optional<double> before;
      for (const ShareRow& row : table_.rows) {
        std::optional<double> reached = 0.0;
        for (std::size_t below = 0; below <= group; ++below) {
          const std::optional<double>& share = row.shares[below].exact;
          reached = reached && share ? std::optional(*reached + *share) : std::nullopt;
        }
        const double begin = seconds(row.begin);
        if (before && reached && *before != *reached) {
          lines.push_back({begin, 100.0 * *before, 0.0, 100.0 * (*reached - *before)});
        }
        if (reached && *reached > inside && *reached < 1.0 - inside) {
          lines.push_back({begin, 100.0 * *reached, seconds(row.finish) - begin, 0.0});
        }
        before = reached;
      }
    }
    return lines;
  }

  void add_band(std::vector<std::vector<double>>& band, const Frame& frame, const ShareRow& row, double from,
                double share, std::string_view color) {
    const double begin = seconds(row.begin);
    const double end = seconds(row.finish);
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

  // In the order of the stack, seen from above.
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

  void draw_strip(const Frame& frame) {
    const std::vector<std::size_t> rows = health_rows(table_);
    std::map<Health, std::vector<std::vector<double>>> cells;
    double top = frame.top;
    for (const std::size_t group : rows) {
      panels_.name_row(top + row_height / 2, table_.groups[group].label);
      for (const ShareRow& row : told_) {
        add_health(cells, frame, top, row, row.told[group]);
      }
      top += row_height;
    }
    std::vector<std::vector<double>> panic;
    if (table_.panics) {
      panels_.name_row(top + row_height / 2, "panic");
      for (const ShareRow& row : told_) {
        add_panic(panic, frame, top, row);
      }
    }
    const std::vector<std::vector<double>> ejected = draw_ejected(frame, top + (panic.empty() ? 0.0 : row_height));
    panels_.legend(frame, health_legend(cells));
    panels_.draw_marks();
    script_.panel(frame);
    panels_.time_axis(true);
    script_.line(fmt::format("set yrange [{}:0]\nunset ytics", GnuplotScript::number(frame.bottom - frame.top)));
    std::vector<std::string> curves;
    for (const auto& [health, boxes] : cells) {
      curves.push_back(box_curve(boxes, health_color(health)));
    }
    if (!panic.empty()) {
      curves.push_back(box_curve(panic, ink));
    }
    if (!ejected.empty()) {
      curves.push_back(box_curve(ejected, faint));
    }
    script_.plot(curves);
  }

  // As high as so many hosts of the most that ever were.
  std::vector<std::vector<double>> draw_ejected(const Frame& frame, double top) {
    if (ejected_.empty()) {
      return {};
    }
    const double most = std::max_element(ejected_.begin(), ejected_.end(), [](const auto& left, const auto& right) {
                          return left.hosts < right.hosts;
                        })->hosts;
    panels_.name_row(top + row_height / 2, fmt::format("ejected (max {:.3g})", most));
    std::vector<std::vector<double>> cells;
    const double bottom = top - frame.top + row_height - 1.0;
    for (const EjectedHosts& stretch : ejected_) {
      const double begin = seconds(stretch.begin);
      const double end = seconds(stretch.end);
      const double height = (row_height - 2.0) * stretch.hosts / most;
      cells.push_back({(begin + end) / 2, bottom - height / 2, begin, end, bottom, bottom - height});
    }
    return cells;
  }

  [[nodiscard]] std::string box_curve(const std::vector<std::vector<double>>& boxes, std::string_view color) {
    return fmt::format(
        "{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid border linecolor rgb '#FFFFFF' fillcolor rgb '{}' "
        "linewidth 0.5",
        script_.data(boxes), color);
  }

  static std::vector<double> cell(const ShareRow& row, double top, double bottom) {
    const double begin = seconds(row.begin);
    const double end = seconds(row.finish);
    return {(begin + end) / 2, (top + bottom) / 2, begin, end, bottom, top};
  }

  void cell_label(const ShareRow& row, double y, const std::string& text, std::string_view color) {
    const double width = panels_.x_of(seconds(row.finish)) - panels_.x_of(seconds(row.begin));
    constexpr double room = 4.0;
    if (GnuplotScript::width_of(text, cell_text) + room <= width) {
      script_.text({panels_.clear_middle(seconds(row.begin), seconds(row.finish)), y}, text,
                   {.align = TextAlign::center, .size = cell_text, .color = color});
    }
  }

  // A cell is filled from its foot: healthy, degraded, unhealthy.
  void add_health(std::map<Health, std::vector<std::vector<double>>>& cells, const Frame& frame, double top,
                  const ShareRow& row, const ToldHosts& told) {
    if (told.hosts == 0) {
      cell_label(row, top + row_height / 2, "none", ink);
      return;
    }
    constexpr double inner = row_height - 2.0;
    double bottom = top - frame.top + row_height - 1.0;
    const std::uint32_t unhealthy = told.hosts - told.healthy - told.degraded;
    for (const auto& [health, count] : {std::pair{Health::healthy, told.healthy},
                                        {Health::degraded, told.degraded},
                                        {Health::unhealthy, unhealthy}}) {
      if (count > 0) {
        const double height = inner * count / told.hosts;
        cells[health].push_back(cell(row, bottom - height, bottom));
        bottom -= height;
      }
    }
    cell_label(row, top + row_height / 2, fmt::format("{}/{}", told.healthy, told.hosts), ink);
  }

  void add_panic(std::vector<std::vector<double>>& cells, const Frame& frame, double top, const ShareRow& row) {
    if (!row.panic.empty()) {
      cells.push_back(cell(row, top - frame.top + 1.0, top - frame.top + row_height - 1.0));
      cell_label(row, top + row_height / 2, row.panic, "#FFFFFF");
    }
  }

  static std::vector<TimePanels::LegendLine> health_legend(
      const std::map<Health, std::vector<std::vector<double>>>& cells) {
    std::vector<TimePanels::LegendLine> lines;
    for (const auto& [health, boxes] : cells) {
      lines.push_back({std::string(health_color(health)), "solid", "told " + std::string(name_of(health))});
    }
    return lines;
  }

  const scenario::Scenario& scenario_;
  const ShareTable& table_;
  std::vector<ShareRow> told_;  // those of the strip
  std::vector<std::string> colors_;
  std::vector<EjectedHosts> ejected_;
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
  for (const ShareTable& table : tables) {
    const bool ejections = !ejected_of(scenario, grouped, table).empty();
    heights.push_back(stack_height + strip_height(table, ejections));
    if (ejections) {
      names.emplace_back("ejected (max 00.0)");
    }
    for (const std::size_t group : health_rows(table)) {
      names.push_back(table.groups[group].label);
    }
  }
  const std::vector<Mark> found =
      rows == Rows::over_time ? marks_of(scenario, grouped.results.happenings) : std::vector<Mark>{};
  TimePanels panels(scenario, image, heights, names, found);
  for (const ShareTable& table : tables) {
    Panel(scenario, grouped, table, panels, rows).draw();
  }
  return panels.finish();
}

}  // namespace spillway::reports::plot
