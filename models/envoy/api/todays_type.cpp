#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/envoy/api/proto.hpp"

namespace spillway::messages {
namespace {

// Packages of Envoy's second API whose messages moved elsewhere. Source: move_to_package of their files in the API
// shipped with Envoy 1.17, and packages that moved again before 1.40. Packages not listed kept their name except for
// the version.
constexpr std::array moved_packages = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"envoy.admin.v2alpha", "envoy.admin.v3"},
    {"envoy.api.v2.auth", "envoy.extensions.transport_sockets.tls.v3"},
    {"envoy.api.v2.cluster", "envoy.config.cluster.v3"},
    {"envoy.api.v2.core", "envoy.config.core.v3"},
    {"envoy.api.v2.endpoint", "envoy.config.endpoint.v3"},
    {"envoy.api.v2.listener", "envoy.config.listener.v3"},
    {"envoy.api.v2.ratelimit", "envoy.extensions.common.ratelimit.v3"},
    {"envoy.api.v2.route", "envoy.config.route.v3"},
    {"envoy.config.cluster.aggregate.v2alpha", "envoy.extensions.clusters.aggregate.v3"},
    {"envoy.config.cluster.dynamic_forward_proxy.v2alpha", "envoy.extensions.clusters.dynamic_forward_proxy.v3"},
    {"envoy.config.cluster.redis", "envoy.extensions.clusters.redis.v3"},
    {"envoy.config.common.dynamic_forward_proxy.v2alpha", "envoy.extensions.common.dynamic_forward_proxy.v3"},
    {"envoy.config.common.tap.v2alpha", "envoy.extensions.common.tap.v3"},
    {"envoy.config.filter.accesslog.v2", "envoy.config.accesslog.v3"},
    {"envoy.config.filter.dubbo.router.v2alpha1", "envoy.extensions.filters.network.dubbo_proxy.router.v3"},
    {"envoy.config.filter.fault.v2", "envoy.extensions.filters.common.fault.v3"},
    {"envoy.config.filter.http.rate_limit.v2", "envoy.extensions.filters.http.ratelimit.v3"},
    {"envoy.config.filter.http.transcoder.v2", "envoy.extensions.filters.http.grpc_json_transcoder.v3"},
    {"envoy.config.filter.network.local_rate_limit.v2alpha", "envoy.extensions.filters.network.local_ratelimit.v3"},
    {"envoy.config.filter.network.rate_limit.v2", "envoy.extensions.filters.network.ratelimit.v3"},
    {"envoy.config.filter.thrift.rate_limit.v2alpha1",
     "envoy.extensions.filters.network.thrift_proxy.filters.ratelimit.v3"},
    {"envoy.config.filter.thrift.router.v2alpha1", "envoy.extensions.filters.network.thrift_proxy.router.v3"},
    {"envoy.config.health_checker.redis.v2", "envoy.extensions.health_checkers.redis.v3"},
    {"envoy.config.resource_monitor.fixed_heap.v2alpha", "envoy.extensions.resource_monitors.fixed_heap.v3"},
    {"envoy.config.resource_monitor.injected_resource.v2alpha",
     "envoy.extensions.resource_monitors.injected_resource.v3"},
    {"envoy.config.retry.omit_canary_hosts.v2", "envoy.extensions.retry.host.omit_canary_hosts.v3"},
    {"envoy.config.retry.omit_host_metadata.v2", "envoy.extensions.retry.host.omit_host_metadata.v3"},
    {"envoy.config.retry.previous_hosts.v2", "envoy.extensions.retry.host.previous_hosts.v3"},
    {"envoy.config.retry.previous_priorities", "envoy.extensions.retry.priority.previous_priorities.v3"},
    {"envoy.config.transport_socket.alts.v2alpha", "envoy.extensions.transport_sockets.alts.v3"},
    {"envoy.config.transport_socket.raw_buffer.v2", "envoy.extensions.transport_sockets.raw_buffer.v3"},
    {"envoy.config.transport_socket.tap.v2alpha", "envoy.extensions.transport_sockets.tap.v3"},
});

// Messages of packages that were split between several packages.
constexpr std::array moved_messages = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"envoy.api.v2.Cluster", "envoy.config.cluster.v3.Cluster"},
    {"envoy.api.v2.LoadBalancingPolicy", "envoy.config.cluster.v3.LoadBalancingPolicy"},
    {"envoy.api.v2.ClusterLoadAssignment", "envoy.config.endpoint.v3.ClusterLoadAssignment"},
    {"envoy.api.v2.Listener", "envoy.config.listener.v3.Listener"},
    {"envoy.api.v2.RouteConfiguration", "envoy.config.route.v3.RouteConfiguration"},
    {"envoy.api.v2.ScopedRouteConfiguration", "envoy.config.route.v3.ScopedRouteConfiguration"},
    {"envoy.api.v2.DeltaDiscoveryRequest", "envoy.service.discovery.v3.DeltaDiscoveryRequest"},
    {"envoy.api.v2.DeltaDiscoveryResponse", "envoy.service.discovery.v3.DeltaDiscoveryResponse"},
    {"envoy.api.v2.DiscoveryRequest", "envoy.service.discovery.v3.DiscoveryRequest"},
    {"envoy.api.v2.DiscoveryResponse", "envoy.service.discovery.v3.DiscoveryResponse"},
    {"envoy.api.v2.Resource", "envoy.service.discovery.v3.Resource"},
    {"envoy.config.accesslog.v2.FileAccessLog", "envoy.extensions.access_loggers.file.v3.FileAccessLog"},
    {"envoy.config.accesslog.v2.CommonGrpcAccessLogConfig",
     "envoy.extensions.access_loggers.grpc.v3.CommonGrpcAccessLogConfig"},
    {"envoy.config.accesslog.v2.HttpGrpcAccessLogConfig",
     "envoy.extensions.access_loggers.grpc.v3.HttpGrpcAccessLogConfig"},
    {"envoy.config.accesslog.v2.TcpGrpcAccessLogConfig",
     "envoy.extensions.access_loggers.grpc.v3.TcpGrpcAccessLogConfig"},
});

template <std::size_t size>
std::string_view moved_to(const std::array<std::pair<std::string_view, std::string_view>, size>& table,
                          std::string_view name) {
  const auto* const found =
      std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == name; });
  return found == table.end() ? std::string_view() : found->second;
}

// Returns the third version of a package, e.g. envoy.config.trace.v3 for "envoy.config.trace.v2"; nullopt if the
// package contains no version of the second API.
std::optional<std::string> third_version(std::string_view package) {
  const std::size_t dot = package.rfind('.');
  if (dot == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view version = package.substr(dot + 1);
  if (!version.starts_with("v2") && version != "v1alpha1") {
    return std::nullopt;
  }
  std::string base(package.substr(0, dot));
  // All filters moved.
  constexpr std::string_view filters = "envoy.config.filter.";
  if (base.starts_with(filters)) {
    base = "envoy.extensions.filters." + base.substr(filters.size());
  }
  return base + ".v3";
}

}  // namespace

std::string todays_type(std::string_view type) {
  if (!type.starts_with("envoy.")) {
    return "";
  }
  if (const std::string_view message = moved_to(moved_messages, type); !message.empty()) {
    return std::string(message);
  }
  const std::size_t dot = type.rfind('.');
  const std::string_view package = type.substr(0, dot);
  const std::string message(type.substr(dot));
  if (const std::string_view today = moved_to(moved_packages, package); !today.empty()) {
    return std::string(today) + message;
  }
  const auto today = third_version(package);
  return today ? *today + message : "";
}

}  // namespace spillway::messages
