// What a request brings to its pick, besides the random draws.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

struct RequestContext {
  // Replaces the cluster's own loads, as a retry priority does (retry_priority.hpp). Not owned; null: none.
  const HealthyAndDegradedLoad* priority_load = nullptr;

  // How many further attempts a pick makes while the request rejects the host (envoy-before-pick.md 6).
  std::uint32_t host_selection_retry_count = 0;

  // This client's requests in flight, by HostIndex; of an aggregate, child after child
  // (ClusterState::first_host_of_child). Empty: none anywhere. Least request reads them.
  std::span<const std::uint32_t> active_requests = {};

  // The proxy's clock. Slow start reads it.
  std::chrono::nanoseconds now{0};
};

}  // namespace spillway::envoy
