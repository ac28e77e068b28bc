// A strip below a stack of shares: one row per group with the health that EDS reported, panic, and ejections.
//
//   HealthStrip strip(scenario, grouped, table, Rows::epochs);
//   strip.height();                        // 0 if the strip is empty
//   strip.draw(panels, frame);
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/plot/ejected_hosts.hpp"
#include "reports/plot/palette.hpp"
#include "reports/plot/plots.hpp"
#include "reports/shares/share_table.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {
struct Grouped;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::reports::plot {

class TimePanels;  // time_panels.hpp
struct Frame;      // gnuplot_script.hpp

class HealthStrip {
 public:
  HealthStrip(const scenario::Scenario& scenario, const Grouped& grouped, const ShareTable& table, Rows rows);

  // Returns the height with the gap above the strip; 0 if the strip is empty.
  [[nodiscard]] double height() const;
  // Returns the names of the rows.
  [[nodiscard]] std::vector<std::string> names() const;

  // Draws the strip; `frame` includes the gap.
  void draw(TimePanels& panels, const Frame& frame) const;

 private:
  using Cells = std::vector<std::vector<double>>;  // middle, left, right, bottom and top of each cell

  // Fills a cell from the bottom: healthy, degraded, unhealthy.
  static void add_health(TimePanels& panels, std::map<Health, Cells>& cells, const Frame& frame, double top,
                         const ShareRow& row, const EdsHosts& reported);
  // Adds panic; false if its levels do not fit into the cell.
  static bool add_panic(TimePanels& panels, Cells& cells, const Frame& frame, double top, const ShareRow& row);
  // Returns cells whose height is the number of ejected hosts relative to the maximum.
  [[nodiscard]] Cells ejected_cells(TimePanels& panels, const Frame& frame, double top) const;

  const ShareTable* table_;
  std::vector<std::size_t> groups_;  // groups with a row for health; empty if there would be too many rows
  std::vector<ShareRow> reported_;
  std::vector<EjectedHosts> ejected_;
};

}  // namespace spillway::reports::plot
