// The groups of endpoints within its own zone that a client prefers: localZone.affinityTags.
//
//   auto groups = affinity_groups(conf, client, release_2_14);
//   groups[0].key;      // "k8s.io/node"
//   groups[0].weight;   // 90 of 90 + 9 + 1, if two tags have no weights
//
// An endpoint joins the first group that it matches, so the order decides even with explicit weights. Endpoints that
// match no group form a rest of weight 1 in total. Source: docs/behaviour/kuma.md 7; Kuma's priority.go.
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

// Returns 9 * 10^(entries - 1 - entry). From ten entries on only its low 32 bits remain, as on x86-64.
[[nodiscard]] std::uint32_t default_affinity_weight(std::size_t entries, std::size_t entry);

// Returns one group for each entry whose key the client has, in the policy's order. Default weights count all entries
// of the policy, resolved or not. In the profile `document`, explicit weights make the order irrelevant: the heaviest
// group comes first.
[[nodiscard]] std::vector<AffinityGroup> affinity_groups(const Conf& conf, const Client& client,
                                                         config::KumaProfile profile);

// Returns the sum of the weights of all groups and the rest; a group's share is its weight over this sum. The profile
// `document` leaves out the rest (999).
[[nodiscard]] std::uint64_t weight_sum(const std::vector<AffinityGroup>& groups, config::KumaProfile profile);

// Returns the first group that the endpoint belongs to, or null.
[[nodiscard]] const AffinityGroup* find_group(const std::vector<AffinityGroup>& groups, const Endpoint& endpoint);

}  // namespace spillway::kuma
