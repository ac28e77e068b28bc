// Where bytes of a TCP port go: as istiod makes it, and as the listeners of a proxy's documents have it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/dump_check/routes.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::istio {
struct TcpProxy;  // routes.hpp
}  // namespace spillway::istio

namespace spillway::reports::held {

// "clusters" and "hash".
[[nodiscard]] RouteSettings settings_of(const istio::TcpProxy& proxy);
// envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.
[[nodiscard]] RouteSettings settings_of_tcp_proxy(const documents::Node& proxy);

// The TCP proxy that takes connections to a service: of the listener at its address and port, or of one for all
// addresses that leads to a cluster of this host. Null: none does. `address`: the service's own, if it is known.
[[nodiscard]] const documents::Node* tcp_proxy_of(const std::vector<const documents::Node*>& listeners,
                                                  const std::string& address, std::uint32_t port,
                                                  const std::string& host);

}  // namespace spillway::reports::held
