// The colors of a share table's groups, in pictures and reports: those of zones if groups belong to several zones,
// otherwise those of priorities.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::reports {
class Dimensions;   // group_by.hpp
struct ShareTable;  // share_table.hpp
}  // namespace spillway::reports

namespace spillway::reports::plot {

// Returns "#RRGGBB" by group. Several groups of one color get tints of it.
[[nodiscard]] std::vector<std::string> share_colors(const scenario::Scenario& scenario, const Dimensions& by,
                                                    const ShareTable& table);

}  // namespace spillway::reports::plot
