// Targets of connections to a TCP port: as istiod derives them, and as the listeners in a proxy's documents have them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/documents/forward.hpp"
#include "reports/dump_check/routes.hpp"

namespace spillway::istio {
struct TcpProxy;  // routes.hpp
}  // namespace spillway::istio

namespace spillway::reports::held {

// Returns the settings "clusters" and "hash".
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
