// Below a stack of shares: a row for each group with the health that proxies were told of, panic, and ejections.
//
//   HealthStrip strip(scenario, grouped, table, Rows::of_table);
//   strip.height();                        // 0: there is nothing to say
//   strip.draw(panels, frame);
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/plot/ejected_hosts.hpp"
#include "reports/plot/palette.hpp"
#include "reports/plot/share_plot.hpp"
#include "reports/shares/share_table.hpp"

namespace spillway::reports {
struct Grouped;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

class TimePanels;  // time_panels.hpp
struct Frame;      // gnuplot_script.hpp

class HealthStrip {
 public:
  HealthStrip(const scenario::Scenario& scenario, const Grouped& grouped, const ShareTable& table, Rows rows);

  // With the gap above it.
  [[nodiscard]] double height() const;
  // What its rows are called.
  [[nodiscard]] std::vector<std::string> names() const;

  // `frame`: with the gap too.
  void draw(TimePanels& panels, const Frame& frame) const;

 private:
  using Cells = std::vector<std::vector<double>>;  // middle, left, right, bottom and top of each

  // A cell is filled from its foot: healthy, degraded, unhealthy.
  static void add_health(TimePanels& panels, std::map<Health, Cells>& cells, const Frame& frame, double top,
                         const ShareRow& row, const EdsHosts& reported);
  // False if its levels do not fit into the cell.
  static bool add_panic(TimePanels& panels, Cells& cells, const Frame& frame, double top, const ShareRow& row);
  // As high as so many hosts of the most that ever were.
  [[nodiscard]] Cells ejected_cells(TimePanels& panels, const Frame& frame, double top) const;

  const ShareTable* table_;
  std::vector<std::size_t> groups_;  // whose health has a row of its own; none where there would be too many
  std::vector<ShareRow> reported_;
  std::vector<EjectedHosts> ejected_;
};

}  // namespace spillway::reports::plot
