// The steps that divide a cluster's requests over its priorities, or over the levels of an aggregate cluster: health,
// availability, load, panic.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::envoy {
struct ClusterState;  // cluster_state.hpp
}  // namespace spillway::envoy

namespace spillway::reports::explain {

struct Step;  // explanation.hpp

// Names of a state's priorities, and of their hosts.
struct PriorityNames {
  std::function<std::string(config::Priority)> priority;  // "P0"; in an aggregate "primary P0"
  std::function<std::string(config::HostIndex)> host;     // unused for an aggregate
};

// Return the steps. `threshold` is the panic threshold in force.
[[nodiscard]] Step health_step(const envoy::ClusterState& state, const PriorityNames& names);
[[nodiscard]] Step availability_step(const envoy::ClusterState& state, const PriorityNames& names);
[[nodiscard]] Step load_step(const envoy::ClusterState& state, const PriorityNames& names, std::uint64_t threshold);
[[nodiscard]] Step panic_step(const envoy::ClusterState& state, const PriorityNames& names, std::uint64_t threshold);

}  // namespace spillway::reports::explain
