// Merges client entries that no exact share can distinguish, for tables over all clients.
//
//   Scenario joined = join_alike_clients(scenario);   // 10,000 entries in three zones: three
//
// Entries are merged if they request the same service directly, from the same zone and sub-zone, with rates that never
// change and nodes that never fail. One client of the merged entry then sends the requests of all. Precondition:
// expectations are removed, because they name clients. O(n log n).
#pragma once

#include <cstdint>

#include "sim/scenario/scenario.hpp"

namespace spillway::scenario {

// The name of a merged entry: that of its first member, or "shop-1 and 9 more".
enum class JoinedName : std::uint8_t { first, counted };

[[nodiscard]] Scenario join_alike_clients(Scenario scenario, JoinedName name = JoinedName::first);

}  // namespace spillway::scenario
