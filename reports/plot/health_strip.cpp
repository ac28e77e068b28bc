#include "reports/plot/health_strip.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "models/config/seconds.hpp"
#include "reports/plot/gnuplot_script.hpp"
#include "reports/plot/time_panels.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {
namespace {

constexpr double gap_above = 8.0;
constexpr double row_height = 17.0;
constexpr std::size_t most_rows = 16;

bool has_hosts(const ShareTable& table, std::size_t group) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const ShareRow& row) { return row.reported[group].hosts > 0; });
}

// Returns groups with a row for health; empty if there would be too many.
std::vector<std::size_t> groups_with_health(const ShareTable& table) {
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

// Merges neighbouring rows with equal EDS health.
std::vector<ShareRow> with_alike_health_joined(const ShareTable& table) {
  const auto alike = [](const EdsHosts& left, const EdsHosts& right) {
    return left.hosts == right.hosts && left.healthy == right.healthy && left.degraded == right.degraded;
  };
  std::vector<ShareRow> rows;
  for (const ShareRow& row : table.rows) {
    if (!rows.empty() && rows.back().panic == row.panic &&
        std::equal(row.reported.begin(), row.reported.end(), rows.back().reported.begin(), rows.back().reported.end(),
                   alike)) {
      rows.back().finish = row.finish;
    } else {
      rows.push_back(row);
    }
  }
  return rows;
}

std::string box_curve(GnuplotScript& script, const std::vector<std::vector<double>>& boxes, std::string_view color) {
  return fmt::format(
      "{} using 1:2:3:4:5:6 with boxxyerror fillstyle solid border linecolor rgb '#FFFFFF' fillcolor rgb '{}' "
      "linewidth 0.5",
      script.data(boxes), color);
}

std::vector<double> cell(const ShareRow& row, double top, double bottom) {
  const double begin = config::seconds(row.begin);
  const double end = config::seconds(row.finish);
  return {(begin + end) / 2, (top + bottom) / 2, begin, end, bottom, top};
}

// Returns false and draws nothing if the text is wider than the cell.
bool cell_label(TimePanels& panels, const ShareRow& row, double y, const std::string& text, std::string_view color) {
  const double width = panels.x_of(config::seconds(row.finish)) - panels.x_of(config::seconds(row.begin));
  constexpr double room = 4.0;
  if (GnuplotScript::width_of(text, cell_text) + room <= width) {
    panels.script().text({panels.clear_middle(config::seconds(row.begin), config::seconds(row.finish)), y}, text,
                         {.align = TextAlign::center, .size = cell_text, .color = color});
    return true;
  }
  return false;
}

std::vector<TimePanels::LegendLine> health_legend(const std::map<Health, std::vector<std::vector<double>>>& cells) {
  std::vector<TimePanels::LegendLine> lines;
  for (const auto& [health, boxes] : cells) {
    lines.push_back({std::string(health_color(health)), "solid", "reported " + std::string(name_of(health))});
  }
  return lines;
}

// Adds levels to their clusters: "primary P0, primary P1" adds "P0" and "P1" to "primary".
void add_levels(std::map<std::string, std::set<std::string>>& levels, std::string_view text) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(", "), text.size());
    const std::string_view level = text.substr(0, comma);
    const std::size_t space = level.rfind(' ');
    const bool has_cluster = space != std::string_view::npos;
    levels[std::string(level.substr(0, has_cluster ? space : 0))].emplace(level.substr(has_cluster ? space + 1 : 0));
    text.remove_prefix(std::min(comma + 2, text.size()));
  }
}

}  // namespace

HealthStrip::HealthStrip(const scenario::Scenario& scenario, const Grouped& grouped, const ShareTable& table, Rows rows)
    : table_(&table),
      groups_(groups_with_health(table)),
      reported_(rows == Rows::over_time ? with_alike_health_joined(table) : table.rows),
      ejected_(ejected_of(scenario, grouped, table)) {}

double HealthStrip::height() const {
  const std::size_t rows = groups_.size() + (table_->panics ? 1 : 0) + (ejected_.empty() ? 0 : 1);
  return rows == 0 ? 0.0 : gap_above + static_cast<double>(rows) * row_height;
}

std::vector<std::string> HealthStrip::names() const {
  std::vector<std::string> names;
  if (!ejected_.empty()) {
    names.emplace_back("ejected (max 00.0)");
  }
  for (const std::size_t group : groups_) {
    names.push_back(table_->groups[group].label);
  }
  return names;
}

void HealthStrip::draw(TimePanels& panels, const Frame& whole) const {
  GnuplotScript& script = panels.script();
  const Frame frame{whole.left, whole.top + gap_above, whole.right, whole.bottom};
  std::map<Health, Cells> cells;
  double top = frame.top;
  for (const std::size_t group : groups_) {
    panels.name_row(top + row_height / 2, table_->groups[group].label);
    for (const ShareRow& row : reported_) {
      add_health(panels, cells, frame, top, row, row.reported[group]);
    }
    top += row_height;
  }
  Cells panic;
  std::map<std::string, std::set<std::string>> levels;  // in panic, by cluster, if they do not fit into the cells
  if (table_->panics) {
    panels.name_row(top + row_height / 2, "panic");
    for (const ShareRow& row : reported_) {
      if (!add_panic(panels, panic, frame, top, row)) {
        add_levels(levels, row.panic);
      }
    }
  }
  const Cells ejected = ejected_cells(panels, frame, top + (panic.empty() ? 0.0 : row_height));
  std::vector<TimePanels::LegendLine> legend = health_legend(cells);
  for (const auto& [cluster, of_cluster] : levels) {
    legend.push_back({std::string(ink), "solid", fmt::format("panic: {} {}", cluster, fmt::join(of_cluster, " "))});
  }
  panels.legend(frame, legend);
  panels.draw_marks();
  script.panel(frame);
  panels.time_axis(true);
  script.line(fmt::format("set yrange [{}:0]\nunset ytics", GnuplotScript::number(frame.bottom - frame.top)));
  std::vector<std::string> curves;
  for (const auto& [health, boxes] : cells) {
    curves.push_back(box_curve(script, boxes, health_color(health)));
  }
  if (!panic.empty()) {
    curves.push_back(box_curve(script, panic, ink));
  }
  if (!ejected.empty()) {
    curves.push_back(box_curve(script, ejected, faint));
  }
  script.plot(curves);
}

void HealthStrip::add_health(TimePanels& panels, std::map<Health, Cells>& cells, const Frame& frame, double top,
                             const ShareRow& row, const EdsHosts& reported) {
  if (reported.hosts == 0) {
    cell_label(panels, row, top + row_height / 2, "none", ink);
    return;
  }
  constexpr double inner = row_height - 2.0;
  double bottom = top - frame.top + row_height - 1.0;
  const std::uint32_t unhealthy = reported.hosts - reported.healthy - reported.degraded;
  for (const auto& [health, count] : {std::pair{Health::healthy, reported.healthy},
                                      {Health::degraded, reported.degraded},
                                      {Health::unhealthy, unhealthy}}) {
    if (count > 0) {
      const double height = inner * count / reported.hosts;
      cells[health].push_back(cell(row, bottom - height, bottom));
      bottom -= height;
    }
  }
  cell_label(panels, row, top + row_height / 2, fmt::format("{}/{}", reported.healthy, reported.hosts), ink);
}

bool HealthStrip::add_panic(TimePanels& panels, Cells& cells, const Frame& frame, double top, const ShareRow& row) {
  if (row.panic.empty()) {
    return true;
  }
  cells.push_back(cell(row, top - frame.top + 1.0, top - frame.top + row_height - 1.0));
  return cell_label(panels, row, top + row_height / 2, row.panic, "#FFFFFF");
}

HealthStrip::Cells HealthStrip::ejected_cells(TimePanels& panels, const Frame& frame, double top) const {
  if (ejected_.empty()) {
    return {};
  }
  const double most = std::max_element(ejected_.begin(), ejected_.end(), [](const auto& left, const auto& right) {
                        return left.hosts < right.hosts;
                      })->hosts;
  panels.name_row(top + row_height / 2, fmt::format("ejected (max {:.3g})", most));
  Cells cells;
  const double bottom = top - frame.top + row_height - 1.0;
  for (const EjectedHosts& stretch : ejected_) {
    const double begin = config::seconds(stretch.begin);
    const double end = config::seconds(stretch.end);
    const double height = (row_height - 2.0) * stretch.hosts / most;
    cells.push_back({(begin + end) / 2, bottom - height / 2, begin, end, bottom, bottom - height});
  }
  return cells;
}

}  // namespace spillway::reports::plot
