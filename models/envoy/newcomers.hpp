// Detects slow start: which window is configured, and whether a state has hosts that begin it.
//
//   if (slow_start_window(*after) > 0s && gains_healthy_host(*before, *after)) { ... until now + window ... }
#pragma once

#include <chrono>

#include "models/envoy/policies/policy_config.hpp"

namespace spillway::envoy {

struct ClusterState;  // cluster_state.hpp

// Returns the longest slow_start_window of the policies that pick; 0 if none is configured.
[[nodiscard]] std::chrono::nanoseconds slow_start_window(const ClusterState& state);
[[nodiscard]] std::chrono::nanoseconds slow_start_window(const policies::Config& policy);

// True if some host is healthy in `after` but not in `before`. Precondition: both are states of one cluster. O(hosts).
[[nodiscard]] bool gains_healthy_host(const ClusterState& before, const ClusterState& after);

}  // namespace spillway::envoy
