// What a request brings to its pick, besides the random draws.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "models/envoy/active_requests.hpp"

namespace spillway::envoy::policies::override_host {
class OverrideHosts;  // override_host.hpp
}  // namespace spillway::envoy::policies::override_host

namespace spillway::envoy::policies::subset {
class Criteria;  // subset.hpp
}  // namespace spillway::envoy::policies::subset

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::envoy {

struct HealthyAndDegradedLoad;  // priority_load.hpp

struct RequestContext {
  // Replaces the cluster's own loads, as a retry priority does (retry_priority.hpp). Not owned; null: none.
  const HealthyAndDegradedLoad* priority_load = nullptr;

  // How many further attempts a pick makes while the request rejects the host (envoy-before-pick.md 6).
  std::uint32_t host_selection_retry_count = 0;

  // This client's requests in flight, by HostIndex; of an aggregate, child after child
  // (ClusterState::first_host_of_child). Empty: none anywhere. Least request reads them.
  ActiveRequests active_requests = {};

  // The proxy's clock. Slow start reads it.
  std::chrono::nanoseconds now{0};

  // By the route's hash policy (routes::hash_of). None: hash policies draw one for the pick.
  std::optional<std::uint64_t> hash = std::nullopt;

  // What a hash policy with a hash policy of its own hashes; null: it finds nothing there. Not owned.
  const routes::Request* request = nullptr;

  // What subsets are chosen by; null: the request asks for nothing. Not owned.
  const policies::subset::Criteria* criteria = nullptr;

  // The hosts that the request names, under override host; picks use them up. Not owned; null: none.
  policies::override_host::OverrideHosts* override_hosts = nullptr;
};

}  // namespace spillway::envoy
