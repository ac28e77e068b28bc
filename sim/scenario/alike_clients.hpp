// Client entries that no exact share can tell apart, as one: for tables over all clients.
//
//   Scenario joined = join_alike_clients(scenario);   // 10,000 entries in three zones: three
//
// Entries are joined that ask for the same service straight, from the same zone and sub-zone, whose rate never changes
// and whose nodes never go away; one client then sends what all of them sent. Expectations must have been taken out,
// since they name clients. O(n log n).
#pragma once

#include <cstdint>

#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {

// How an entry that stands for several is called: as the first of them, or "shop-1 and 9 more".
enum class JoinedName : std::uint8_t { first, counted };

[[nodiscard]] Scenario join_alike_clients(Scenario scenario, JoinedName name = JoinedName::first);

}  // namespace spillway::scenario
