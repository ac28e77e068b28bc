// Visibility: services and VirtualServices that are exported to a proxy's namespace and imported by its Sidecar.
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

// True if exported to the client's namespace. An empty `export_to` means all; `.` is the owner's namespace, `*` all,
// others are namespaces.
[[nodiscard]] bool is_exported(const std::vector<std::string>& export_to, const std::string& owner,
                               const std::string& client);

// Returns the Sidecar of a proxy: one that selects it, else its namespace's, else the root namespace's; null if there
// is none.
[[nodiscard]] const Sidecar* sidecar_of(const Documents& documents, const Proxy& proxy);

// True if the Sidecar's egress hosts name a host of the VirtualService on the listener for `port`, or on any listener
// if `port` is 0. Entries are "namespace/host"; `./host` means the client's namespace, and `~namespace/host` excludes
// the host, whichever other entry names it. A null Sidecar, or one without egress, imports everything.
[[nodiscard]] bool is_imported(const Sidecar* sidecar, const std::string& client, const VirtualService& routes,
                               std::uint32_t port);

// Returns the service that the proxy routes requests on this port of a host to. Services that only routes bring in do
// not count.
[[nodiscard]] const Service* requested_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                               const std::string& hostname, std::uint32_t port);

// Returns the service of a host for which the proxy has clusters, its own namespace's first; null if there is none. A
// Sidecar listener with a port limits services to this port. Destinations of imported VirtualServices are visible too.
[[nodiscard]] const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                             const std::string& hostname);

// Returns visible_service(), but prefers a service with this port, if several documents define services of one host
// with different ports.
[[nodiscard]] const Service* visible_service(const Documents& documents, const Registry& registry, const Proxy& proxy,
                                             const std::string& hostname, std::uint32_t port);

// True if sidecars have these routes: without gateways, or with `mesh` among them.
[[nodiscard]] bool is_of_sidecars(const VirtualService& routes);

}  // namespace spillway::istio
