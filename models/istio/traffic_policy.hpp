// Derives the policy of one cluster from a rule: port level settings, the mesh's defaults, a subset's own blocks.
//
//   TrafficPolicy policy = policy_of(rule, 80, "v1");   // for priorities and weights
//   cluster_policy(rule, 80, "v1", mesh, switches);     // for the cluster's fields: with the mesh's defaults
//
// Source: docs/behaviour/istio.md 4; istiod's pilot/pkg/networking/util/util.go (GetPortLevelTrafficPolicy,
// MergeSubsetTrafficPolicy), pilot/pkg/model/destination_rule.go (MergeTrafficPolicy).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/istio/destination_rule.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

// Returns the subset, or null if there is no such subset.
[[nodiscard]] const Subset* find_subset(const DestinationRule& rule, const std::string& name);

// Returns the policy; nullopt if there is none. `rule` is null if none applies; `subset` is "" for the whole service.
[[nodiscard]] std::optional<TrafficPolicy> policy_of(const DestinationRule* rule, std::uint32_t port,
                                                     const std::string& subset);
[[nodiscard]] std::optional<TrafficPolicy> cluster_policy(const DestinationRule* rule, std::uint32_t port,
                                                          const std::string& subset, const MeshConfig& mesh,
                                                          const Switches& switches);

// Returns the most specific consistent hash of a destination: subset's port, subset, rule's port, rule. `port` is the
// port that the destination names; with nullopt no port level settings count.
[[nodiscard]] const ConsistentHash* hash_of(const DestinationRule& rule, const std::string& subset,
                                            std::optional<std::uint32_t> port);

}  // namespace spillway::istio
