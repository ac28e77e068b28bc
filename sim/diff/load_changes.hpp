// What a change asks of endpoints and links.
#pragma once

#include <vector>

namespace spillway::diff {

class Look;         // look.hpp
struct Crossing;    // difference.hpp
struct Overload;    // difference.hpp
struct RateChange;  // difference.hpp
struct ZoneLoad;    // difference.hpp

// Endpoints that come over their limit or over all of their cores, or no longer are. The limit is the lowest
// `utilisation` of the objectives of the services that it answers; 1 where there is none.
[[nodiscard]] std::vector<Overload> overloads_of(const Look& before, const Look& after, std::size_t context);

// Zones whose most loaded endpoint has another load than before.
[[nodiscard]] std::vector<ZoneLoad> zone_loads_of(const Look& before, const Look& after, std::size_t context);

// Services of which more or less goes from zone to zone.
[[nodiscard]] std::vector<Crossing> crossings_of(const Look& before, const Look& after, std::size_t context);

// Clients that send more or less.
[[nodiscard]] std::vector<RateChange> rate_changes_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
