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

// What came to a balancer, of the trace's steps that are its own.
struct TracedStep {
  const envoy::ShareStep* step = nullptr;
  double part = 1.0;  // by which the step's probabilities are multiplied: its kind of requests among all of the flow
};

// How localities divide the priorities that were chosen; none where nothing is to be said of them.
[[nodiscard]] std::optional<Step> locality_step(const envoy::ClusterState& state, const PriorityNames& names,
                                                const std::vector<TracedStep>& steps);
[[nodiscard]] std::optional<Step> zone_step(const envoy::ClusterState& state, const std::vector<TracedStep>& steps);

// Which hosts of each list, table or name get how much.
[[nodiscard]] Step pick_step(const envoy::ClusterState& state, const PriorityNames& names,
                             const std::vector<TracedStep>& steps);

// From the hash of one request to its priority and its place in the table.
[[nodiscard]] Step hash_step(const envoy::ClusterState& state, const PriorityNames& names, std::uint64_t hash);

// "round robin", "ring hash".
[[nodiscard]] std::string policy_name(const envoy::policies::Config& config);

// "region/zone/sub_zone" as far as they are there.
[[nodiscard]] std::string locality_text(const config::Locality& locality);

}  // namespace spillway::reports::explain
