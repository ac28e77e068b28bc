// Settings of an item of a policy that no proxy takes: those for another protocol than its services speak, for another
// balancer than the chosen one, or within a section that is switched off.
//
//   unused_fields(conf, {.protocols = {"grpc"}});   // {"idleTimeout", "no service that this item means ..."}
//
// Source: Kuma's plugins (plugin/xds/configurer.go of meshretry, meshtimeout, meshhealthcheck, meshcircuitbreaker and
// meshloadbalancingstrategy; listeners_backendrefs.go of meshtcproute).
#pragma once

#include <set>
#include <string>
#include <vector>

namespace spillway::kuma {
struct CircuitBreakerConf;  // mesh_circuit_breaker.hpp
struct Conf;                // mesh_load_balancing_strategy.hpp
struct HealthCheckConf;     // mesh_health_check.hpp
struct HttpRouteConf;       // mesh_http_route.hpp
struct RetryConf;           // mesh_retry.hpp
struct TcpRouteConf;        // mesh_tcp_route.hpp
struct TimeoutConf;         // mesh_timeout.hpp
}  // namespace spillway::kuma

namespace spillway::scenario::kuma_binding {

// The services that an item reaches.
struct Reach {
  std::set<std::string, std::less<>> protocols = {};  // of its services
  bool routes = false;                                // it names a MeshHTTPRoute: only settings of routes count
  bool hashes = true;                                 // a balancer that hashes may balance one of its services
  bool routed_by_http = false;                        // MeshHTTPRoutes route all of its services
};

// A field below the conf that no service takes, and why.
struct UnusedField {
  std::string field = {};
  std::string why = {};
};

[[nodiscard]] std::vector<UnusedField> unused_fields(const kuma::Conf& conf, const Reach& reach);
[[nodiscard]] std::vector<UnusedField> unused_fields(const kuma::CircuitBreakerConf& conf, const Reach& reach);
[[nodiscard]] std::vector<UnusedField> unused_fields(const kuma::HealthCheckConf& conf, const Reach& reach);
[[nodiscard]] std::vector<UnusedField> unused_fields(const kuma::RetryConf& conf, const Reach& reach);
[[nodiscard]] std::vector<UnusedField> unused_fields(const kuma::TimeoutConf& conf, const Reach& reach);
[[nodiscard]] std::vector<UnusedField> unused_fields(const kuma::HttpRouteConf& conf, const Reach& reach);
[[nodiscard]] std::vector<UnusedField> unused_fields(const kuma::TcpRouteConf& conf, const Reach& reach);

}  // namespace spillway::scenario::kuma_binding
