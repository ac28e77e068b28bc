// What a proxy sees: services and VirtualServices that are exported to its namespace and imported by its Sidecar.
//
// Source: docs/behaviour/istio.md 3; istiod's pilot/pkg/model/sidecar.go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/istio/proxy.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

// `export_to`: empty is to all; `.` the owner's namespace, `*` all, else namespaces.
[[nodiscard]] bool is_exported(const std::vector<std::string>& export_to, const std::string& owner,
                               const std::string& client);

// The Sidecar of a proxy: that which selects it, else its namespace's, else the root namespace's; null: none.
[[nodiscard]] const Sidecar* sidecar_of(const Documents& documents, const Proxy& proxy);

// Whether the Sidecar's egress hosts name a host of the VirtualService ("namespace/host"; `./host`: of the client's
// namespace; `~namespace/host`: not this one, whatever else names it), on the listener for `port`, or on any where it
// is 0. A null Sidecar imports everything, and so does one without egress.
[[nodiscard]] bool is_imported(const Sidecar* sidecar, const std::string& client, const VirtualService& routes,
                               std::uint32_t port);

// The service that the proxy routes requests on this port of a host to: what routes alone bring in is not one.
[[nodiscard]] const Service* requested_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                               const std::string& hostname, std::uint32_t port);

// The service of a host that the proxy has clusters for: its own namespace's before others; null: none. A listener of
// the Sidecar with a port leaves services this port; what VirtualServices that are imported lead to is seen too.
[[nodiscard]] const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                             const std::string& hostname);

// The same where several documents make services of one host with other ports: one that has this port, if any does.
[[nodiscard]] const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                             const std::string& hostname, std::uint32_t port);

}  // namespace spillway::istio
