// Items that only one of two scenarios has.
#pragma once

#include <vector>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::diff {

struct Presence;  // difference.hpp

// Returns zones, endpoints, clients, and requests of clients to services, by name. Zone proxies that are in no document
// are left out. Items of the newer one come first, then those of the older one.
[[nodiscard]] std::vector<Presence> presences_of(const scenario::Scenario& before, const scenario::Scenario& after);

}  // namespace spillway::diff
