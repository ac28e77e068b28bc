#include "reports/plot/share_colors.hpp"

#include <algorithm>
#include <map>

#include "reports/plot/palette.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/share_table.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {

std::vector<std::string> share_colors(const scenario::Scenario& scenario, const Dimensions& by,
                                      const ShareTable& table) {
  const bool several_zones = std::any_of(table.groups.begin(), table.groups.end(), [&](const ShareGroup& group) {
    return group.place.zone != table.groups.front().place.zone;
  });
  std::vector<std::string> colors;
  std::map<std::string, int> used;
  for (std::size_t group = 0; group < table.groups.size(); ++group) {
    const run::SharePlace& place = table.groups[group].place;
    std::string color = series_color(group);
    if (by.has(Dimension::zone) && (several_zones || !by.has(Dimension::priority))) {
      const auto zone = std::find_if(scenario.zones.begin(), scenario.zones.end(),
                                     [&](const scenario::Zone& of) { return of.name == place.zone; });
      color = zone_color(static_cast<std::size_t>(zone - scenario.zones.begin()));
    } else if (by.has(Dimension::priority)) {
      color = priority_color(place.priority);
    }
    // Several groups of one color get lighter tints, then the tints repeat.
    constexpr double step = 0.3;
    constexpr int steps = 3;
    colors.push_back(tint(color, step * (used[color]++ % steps)));
  }
  return colors;
}

}  // namespace spillway::reports::plot
