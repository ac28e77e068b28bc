// The policies of a mesh, and their settings for one client and one destination.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/kuma/documents/documents.hpp"
#include "models/kuma/mesh_circuit_breaker.hpp"
#include "models/kuma/mesh_health_check.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_retry.hpp"
#include "models/kuma/mesh_tcp_route.hpp"
#include "models/kuma/mesh_timeout.hpp"
#include "models/kuma/policy_confs.hpp"
#include "models/kuma/rules.hpp"

namespace spillway::scenario::kuma_binding {

struct Destination;  // kuma_mesh.hpp

struct Policies {
  config::KumaProfile profile = config::KumaProfile::release_2_14;
  std::vector<kuma::Policy> strategies = {};
  std::vector<kuma::Origin> strategy_origins = {};  // of `strategies`
  kuma::PolicySet<kuma::HttpRouteConf> http_routes;
  kuma::PolicySet<kuma::TcpRouteConf> tcp_routes;
  kuma::PolicySet<kuma::CircuitBreakerConf> circuit_breakers;
  kuma::PolicySet<kuma::HealthCheckConf> health_checks;
  kuma::PolicySet<kuma::RetryConf> retries;
  kuma::PolicySet<kuma::TimeoutConf> timeouts;
  std::vector<kuma::Origin> circuit_breaker_origins = {};  // of `circuit_breakers`
  std::vector<kuma::Origin> http_route_origins = {};       // of `http_routes`
  std::vector<kuma::Origin> tcp_route_origins = {};        // of `tcp_routes`
};

// Returns the policies among the documents of one mesh.
[[nodiscard]] Policies policies_of(const kuma::Documents& documents, const std::string& mesh,
                                   config::KumaProfile profile);

// The confs that shape a cluster. A conf is nullopt if no policy of its kind concerns the destination, or if the client
// has no outbound for it.
struct ClusterConfs {
  std::optional<kuma::Conf> strategy = {};
  std::vector<kuma::RuleOrigin> strategy_origins = {};  // the items that it was merged from, in order
  std::optional<kuma::CircuitBreakerConf> circuit_breaker = {};
  std::vector<kuma::RuleOrigin> circuit_breaker_origins = {};  // the items that it was merged from, in order
  std::optional<kuma::HealthCheckConf> health_check = {};
  std::optional<kuma::TimeoutConf> timeout = {};
};

[[nodiscard]] ClusterConfs confs_of(const Policies& policies, const kuma::Client& client,
                                    const Destination& destination);

[[nodiscard]] std::optional<kuma::MergedConf<kuma::HttpRouteConf>> http_conf_of(const Policies& policies,
                                                                                const kuma::Client& client,
                                                                                const Destination& destination);
[[nodiscard]] std::optional<kuma::MergedConf<kuma::TcpRouteConf>> tcp_conf_of(const Policies& policies,
                                                                              const kuma::Client& client,
                                                                              const Destination& destination);

// Returns the destination as policies name it for this client; a port without a name is called by its number.
// Precondition: it is no value of kuma.io/service.
[[nodiscard]] kuma::Destination resource_of(const Destination& destination, const kuma::Client& client);

// Returns the settings of MeshRetry for a destination, or for a MeshHTTPRoute at this position in `http_routes`.
[[nodiscard]] std::optional<kuma::RetryConf> retry_conf_of(const Policies& policies, const kuma::Client& client,
                                                           const Destination& destination);
[[nodiscard]] std::optional<kuma::RetryConf> retry_conf_of_route(const Policies& policies, const kuma::Client& client,
                                                                 std::size_t route);

// Returns the settings of MeshTimeout for a destination, or for a MeshHTTPRoute at this position in `http_routes`.
[[nodiscard]] std::optional<kuma::TimeoutConf> timeout_conf_of(const Policies& policies, const kuma::Client& client,
                                                               const Destination& destination);
[[nodiscard]] std::optional<kuma::TimeoutConf> timeout_conf_of_route(const Policies& policies,
                                                                     const kuma::Client& client, std::size_t route);

// Returns the settings of MeshLoadBalancingStrategy for a MeshHTTPRoute at this position in `http_routes`.
[[nodiscard]] std::optional<kuma::Conf> conf_of_route(const Policies& policies, const kuma::Client& client,
                                                      std::size_t route);

}  // namespace spillway::scenario::kuma_binding
