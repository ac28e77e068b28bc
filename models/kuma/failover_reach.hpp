// What each rule of crossZone.failover still has to give, once the rules before it have taken their zones.
//
//   auto reach = failover_reach(conf, {"zone-1", "zone-2", "zone-3"}, release_2_14);
//   reach[1].ended_by;   // 0: the first rule leaves nothing for any client of the second
//
// A client's own zone counts for nothing, and a rule is judged by the clients that it concerns (failover_groups.hpp).
// Source: docs/behaviour/kuma.md 8, 15. Cost: the zones that the rules name, squared, times the rules; where that is
// over five million, nothing is found.
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
  // The list has ended for every client that the rule concerns: at this rule (the last of them, if clients differ).
  std::optional<std::size_t> ended_by = {};
  // It admits zones, and earlier rules admit all of them.
  bool never_reached = false;
  // Zones of `to.zones` that earlier rules admit for every client that the rule concerns, and one of those rules.
  std::map<std::string, std::size_t> taken = {};
};

// By rule. `zones`: all that exist; empty: not known, so that there may be others than those that are named.
[[nodiscard]] std::vector<FailoverReach> failover_reach(const Conf& conf, const std::vector<std::string>& zones,
                                                        config::KumaProfile profile);

}  // namespace spillway::kuma
