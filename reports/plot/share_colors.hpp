// The colors of a share table's groups, in pictures and reports: those of zones where groups are of several, else those
// of priorities.
#pragma once

#include <string>
#include <vector>

#include "reports/shares/share_table.hpp"

namespace spillway::reports::plot {

// By group, "#RRGGBB". Several groups of one color get tints of it.
[[nodiscard]] std::vector<std::string> share_colors(const scenario::Scenario& scenario, const Dimensions& by,
                                                    const ShareTable& table);

}  // namespace spillway::reports::plot
