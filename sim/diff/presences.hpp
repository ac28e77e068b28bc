// What one of two scenarios has and the other has not.
#pragma once

#include <vector>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::diff {

struct Presence;  // difference.hpp

// Zones, endpoints, clients, and what clients ask for, by name; zone proxies that no document writes are none.
// In the order of the newer one, then of the older one.
[[nodiscard]] std::vector<Presence> presences_of(const scenario::Scenario& before, const scenario::Scenario& after);

}  // namespace spillway::diff
