// Whether balancing is in slow start: which window is configured, and whether a state has hosts that begin one.
//
//   if (slow_start_window(*after) > 0s && gains_healthy_host(*before, *after)) { ... until now + window ... }
#pragma once

#include <chrono>

#include "models/envoy/policies/policy_config.hpp"

namespace spillway::envoy {

struct ClusterState;  // cluster_state.hpp

// The longest slow_start_window of the policies that pick; 0: none is configured.
[[nodiscard]] std::chrono::nanoseconds slow_start_window(const ClusterState& state);
[[nodiscard]] std::chrono::nanoseconds slow_start_window(const policies::Config& policy);

// Whether a host is healthy that was not so before. Both of the same cluster. Linear.
[[nodiscard]] bool gains_healthy_host(const ClusterState& before, const ClusterState& after);

}  // namespace spillway::envoy
