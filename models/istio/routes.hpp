// The routes that a sidecar gets for a service's port: those of the effective VirtualService, or the default route.
//
//   Routes routes = routes_of(request);
//   routes.http[0].action.clusters;      // one, or several by weight
//   routes.tcp;                          // where the port does not speak HTTP
//
// Source: docs/behaviour/istio.md 10; istiod's pilot/pkg/networking/core/route/route.go, route/retry/retry.go,
// pilot/pkg/model/virtualservice.go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/envoy/routes/hash_policy.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/istio/destination_rule.hpp"
#include "models/istio/virtual_service.hpp"

namespace spillway::istio {

class RuleIndex;   // rule_index.hpp
struct Documents;  // resources.hpp
struct Proxy;      // proxy.hpp
struct Registry;   // registry.hpp
struct Service;    // registry.hpp

struct RetryPolicy {
  std::uint32_t num_retries = 2;
  std::string retry_on = {};
  std::vector<std::uint32_t> retriable_status_codes = {};
  bool previous_hosts = true;        // the predicate that skips hosts already tried
  bool previous_priorities = false;  // retry priority, update frequency 2
  std::optional<Duration> per_try_timeout = {};
  std::optional<Duration> base_interval = {};
};

struct MirrorPolicy {
  std::string cluster = {};
  double percent = 100.0;
};

// A destination as a cluster, with its weight in the route.
struct Target {
  std::string cluster = {};
  std::uint32_t weight = 0;
  std::string host = {};    // completed
  std::string subset = {};  // "" for the whole service
  std::uint32_t port = 0;
};

struct Route {
  std::string name = {};
  envoy::routes::RouteMatch match = {};
  bool writes_case_sensitive = false;
  std::vector<Target> targets = {};
  bool weighted = false;  // several destinations were written, whatever their weights
  std::vector<envoy::routes::HashPolicy> hash_policy = {};
  std::optional<RetryPolicy> retry_policy = {};
  Duration timeout{0};  // 0 if there is none
  std::string prefix_rewrite = {};
  std::string host_rewrite = {};
  std::vector<MirrorPolicy> mirrors = {};
  std::optional<HttpFault> fault = {};
  std::string other = {};                // redirect, directResponse, delegate: routes to no cluster
  std::optional<std::size_t> rule = {};  // position in the VirtualService's list; nullopt if it is not from that list
};

struct TcpProxy {
  std::vector<Target> targets = {};
  bool weighted = false;
  bool source_ip_hash = false;
  std::optional<std::size_t> rule = {};  // as in Route
};

struct Routes {
  std::vector<Route> http = {};
  std::optional<TcpProxy> tcp = {};
  const VirtualService* virtual_service = nullptr;  // null for the default route
};

struct RouteRequest {
  const Documents* documents = nullptr;
  const Registry* registry = nullptr;
  const RuleIndex* rules = nullptr;
  const Proxy* proxy = nullptr;  // as returned by known()
  const Service* service = nullptr;
  std::uint32_t port = 0;
};

// Returns the routes. Gateways have none here, since their routes are those of their own listeners.
[[nodiscard]] Routes routes_of(const RouteRequest& request);

// Returns the retry policy. `hashes` is true if the rule of the only destination hashes. nullopt if there are no
// retries at all.
[[nodiscard]] std::optional<RetryPolicy> retry_policy_of(const std::optional<HttpRetry>& retries, bool hashes);

// Translates a consistent hash; nullopt if its key makes no hash policy.
[[nodiscard]] std::optional<envoy::routes::HashPolicy> to_envoy(const ConsistentHash& hash);

// Translates a retry policy for the Envoy models.
[[nodiscard]] config::RetryPolicy to_envoy(const RetryPolicy& policy);

// Returns the VirtualService that a proxy uses for a host; null if there is none. Among those visible, exact hosts come
// before wildcards, longer hosts before shorter ones, then older ones. `port` selects the Sidecar's listener; 0 means
// any.
[[nodiscard]] const VirtualService* virtual_service_for(const Documents& documents, const Proxy& proxy,
                                                        const std::string& hostname, std::uint32_t port = 0);

}  // namespace spillway::istio
