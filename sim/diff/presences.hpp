// What one of two scenarios has and the other has not.
#pragma once

#include <vector>

#include "sim/diff/difference.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::diff {

// Zones, endpoints, clients, and what clients ask for, by name; zone proxies that no document writes are none.
// In the order of the newer one, then of the older one.
[[nodiscard]] std::vector<Presence> presences_of(const scenario::Scenario& before, const scenario::Scenario& after);

}  // namespace spillway::diff
