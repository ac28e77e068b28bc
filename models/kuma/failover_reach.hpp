// Computes the zones that each rule of crossZone.failover still adds after the rules before it.
//
//   auto reach = failover_reach(conf, {"zone-1", "zone-2", "zone-3"}, release_2_14);
//   reach[1].ended_by;   // 0: the first rule leaves nothing for any client of the second
//
// A client's own zone does not count. A rule is judged only by the clients that it concerns (failover_groups.hpp).
// Source: docs/behaviour/kuma.md 8, 15. Complexity: the square of the number of zones that the rules name, times the
// rules; above five million nothing is computed.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

struct FailoverReach {
  // The rule at which the list has ended for every client concerned (the last such rule, if clients differ).
  std::optional<std::size_t> ended_by = {};
  // True if the rule admits zones and earlier rules admit all of them.
  bool never_reached = false;
  // Zones of `to.zones` that earlier rules admit for every client concerned, each with one of those earlier rules.
  std::map<std::string, std::size_t> taken = {};
};

// Returns one entry per rule. `zones` are all existing zones; empty if unknown, so that zones other than the named ones
// may exist.
[[nodiscard]] std::vector<FailoverReach> failover_reach(const Conf& conf, const std::vector<std::string>& zones,
                                                        config::KumaProfile profile);

}  // namespace spillway::kuma
