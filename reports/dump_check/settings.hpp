// Settings of clusters, routes and TCP proxies as lists of names and values, for comparing two of them: those derived
// by istiod's rules, and those in a proxy's documents.
//
//   settings_of(cluster).at("outlier_detection.consecutive_5xx");   // "5"
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/documents/forward.hpp"
#include "models/envoy/forward.hpp"

namespace spillway::istio {
struct Route;     // routes.hpp
struct TcpProxy;  // routes.hpp
}  // namespace spillway::istio

namespace spillway::reports::held {

// Settings by Envoy's field names, defaults included. A missing block has no entry; a block without fields is "set".
using Settings = std::map<std::string, std::string>;

[[nodiscard]] Settings settings_of(const envoy::Cluster& cluster);

// Returns settings of a Cluster in a proxy's documents that a DestinationRule sets and no share depends on: connection
// timeouts and limits.
[[nodiscard]] Settings connection_settings_of(const documents::Node& cluster);

// Returns "1.5 s" for "1.500s"; returns the text unchanged if it is not a time.
[[nodiscard]] std::string time_text(const std::string& written);

// The settings of a route, by name: "match", "clusters", "timeout", "retries", "hash".
using RouteSettings = std::map<std::string, std::string>;

[[nodiscard]] RouteSettings settings_of(const istio::Route& route);
// Reads an envoy.config.route.v3.Route.
[[nodiscard]] RouteSettings settings_of_route(const documents::Node& route);

// Returns the virtual host of a host and port in these RouteConfigurations; null if there is none.
[[nodiscard]] const documents::Node* virtual_host_of(const std::vector<const documents::Node*>& configurations,
                                                     const std::string& host, std::uint32_t port);

// Returns the settings "clusters" and "hash" of connections to a TCP port.
[[nodiscard]] RouteSettings settings_of(const istio::TcpProxy& proxy);
// Reads an envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.
[[nodiscard]] RouteSettings settings_of_tcp_proxy(const documents::Node& proxy);

// Returns the TCP proxy that accepts connections to a service, or null if there is none. It belongs to the listener at
// the service's address and port, or to one for all addresses that routes to a cluster of this host. `address` is the
// service's own, if known.
[[nodiscard]] const documents::Node* tcp_proxy_of(const std::vector<const documents::Node*>& listeners,
                                                  const std::string& address, std::uint32_t port,
                                                  const std::string& host);

}  // namespace spillway::reports::held
