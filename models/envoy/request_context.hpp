// The properties of a request that its pick depends on, besides the random draws.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "models/envoy/active_requests.hpp"

namespace spillway::envoy::policies::override_host {
class OverrideHosts;  // override_host.hpp
}  // namespace spillway::envoy::policies::override_host

namespace spillway::envoy::policies::subset {
class Criteria;  // criteria.hpp
}  // namespace spillway::envoy::policies::subset

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::envoy {

struct HealthyAndDegradedLoad;  // priority_load.hpp

struct RequestContext {
  // Replaces the cluster's own loads, as a retry priority does (retry_priority.hpp). Null if not replaced. Not owned.
  const HealthyAndDegradedLoad* priority_load = nullptr;

  // The number of extra attempts of a pick while the request rejects the host (envoy-before-pick.md 6).
  std::uint32_t host_selection_retry_count = 0;

  // This client's requests in flight, by HostIndex; for an aggregate, child after child
  // (ClusterState::first_host_of_child). Empty if there are none. Used by least request.
  ActiveRequests active_requests = {};

  // The proxy's clock. Used by slow start.
  std::chrono::nanoseconds now{0};

  // The hash from the route's hash policy (routes::hash_of). With nullopt, hash policies draw one for the pick.
  std::optional<std::uint64_t> hash = std::nullopt;

  // Input for hash policies that define their own hash policy; null if there is nothing to hash. Not owned.
  const routes::Request* request = nullptr;

  // The criteria that select a subset; null if the request has none. Not owned.
  const policies::subset::Criteria* criteria = nullptr;

  // The hosts that the request names, for override host; picks consume them. Null if none. Not owned.
  policies::override_host::OverrideHosts* override_hosts = nullptr;
};

}  // namespace spillway::envoy
