// Changes of the load of endpoints and links.
#pragma once

#include <vector>

namespace spillway::diff {

class Look;         // look.hpp
struct Crossing;    // difference.hpp
struct Overload;    // difference.hpp
struct RateChange;  // difference.hpp
struct ZoneLoad;    // difference.hpp

// Returns the endpoints that go above or below their limit or all of their cores. The limit is the lowest `utilisation`
// objective of the services that the endpoint answers; 1 without an objective.
[[nodiscard]] std::vector<Overload> overloads_of(const Look& before, const Look& after, std::size_t context);

// Returns the zones whose most loaded endpoint has another load than before.
[[nodiscard]] std::vector<ZoneLoad> zone_loads_of(const Look& before, const Look& after, std::size_t context);

// Returns the services whose traffic between zones changes.
[[nodiscard]] std::vector<Crossing> crossings_of(const Look& before, const Look& after, std::size_t context);

// Returns the clients whose rate changes.
[[nodiscard]] std::vector<RateChange> rate_changes_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
