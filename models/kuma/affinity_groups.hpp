// The groups within its own zone that a client prefers: localZone.affinityTags.
//
//   auto groups = affinity_groups(conf, client, release_2_14);
//   groups[0].key;      // "k8s.io/node"
//   groups[0].weight;   // 90 of 90 + 9 + 1, if two tags have no weights
//
// An endpoint joins the first group that it matches, so the order decides even with explicit weights. What matches none
// makes a rest of weight 1 in total. Source: docs/behaviour/kuma.md 7; Kuma's priority.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/affinity_group.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

inline constexpr std::uint32_t rest_weight = 1;

// 9 * 10^(entries - 1 - entry), of which 32 bits remain from ten entries on, as on x86-64.
[[nodiscard]] std::uint32_t default_affinity_weight(std::size_t entries, std::size_t entry);

// One for each entry whose key the client has, in the policy's order; weights count the entries of the policy, resolved
// or not. The document finds the order irrelevant once weights are given: there the heaviest group comes first.
[[nodiscard]] std::vector<AffinityGroup> affinity_groups(const Conf& conf, const Client& client,
                                                         config::KumaProfile profile);

// The sum of the weights and the rest: what a group's weight is a part of. The document leaves out the rest (999).
[[nodiscard]] std::uint64_t weight_sum(const std::vector<AffinityGroup>& groups, config::KumaProfile profile);

// The first group that the endpoint belongs to, or null.
[[nodiscard]] const AffinityGroup* find_group(const std::vector<AffinityGroup>& groups, const Endpoint& endpoint);

}  // namespace spillway::kuma
