// The steps from a priority to a host: localities or zones, the policy, the hash table.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/envoy/policies/policy_config.hpp"

namespace spillway::config {
struct Locality;  // locality.hpp
}  // namespace spillway::config

namespace spillway::envoy {
struct ClusterState;  // cluster_state.hpp
struct ShareStep;     // share_trace.hpp
}  // namespace spillway::envoy

namespace spillway::reports::explain {

struct PriorityNames;  // priority_steps.hpp
struct Step;           // explanation.hpp

// A step of the trace that belongs to a balancer.
struct TracedStep {
  const envoy::ShareStep* step = nullptr;
  double part = 1.0;  // factor of its probabilities: its kind of requests among all of the flow
};

// Return how localities, or zones, divide the chosen priorities; nullopt if there is nothing to report.
[[nodiscard]] std::optional<Step> locality_step(const envoy::ClusterState& state, const PriorityNames& names,
                                                const std::vector<TracedStep>& steps);
[[nodiscard]] std::optional<Step> zone_step(const envoy::ClusterState& state, const std::vector<TracedStep>& steps);

// Returns how much each host of each list, table or name gets.
[[nodiscard]] Step pick_step(const envoy::ClusterState& state, const PriorityNames& names,
                             const std::vector<TracedStep>& steps);

// Returns the step from the hash of one request to its priority and its place in the table.
[[nodiscard]] Step hash_step(const envoy::ClusterState& state, const PriorityNames& names, std::uint64_t hash);

// Returns "round robin" or "ring hash", for instance.
[[nodiscard]] std::string policy_name(const envoy::policies::Config& config);

// Returns "region/zone/sub_zone", without missing parts.
[[nodiscard]] std::string locality_text(const config::Locality& locality);

}  // namespace spillway::reports::explain
