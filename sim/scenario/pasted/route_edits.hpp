// Edits VirtualServices: converts a gateway's routes to a sidecar's, and removes what is not simulated.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/pasted/assumed_zones.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::scenario::pasted {

struct PastedFile;  // pasted_files.hpp

// Edits the VirtualServices of the files: removes `gateways` without `mesh`, removes `mirror`, and replaces a
// `delegate` by the routes that it names. Adds the edits to `assumed`. Returns "namespace/name" of those of a gateway.
[[nodiscard]] std::vector<std::string> edit_virtual_services(std::vector<PastedFile>& files,
                                                             std::vector<std::string>& assumed);

// Returns the VirtualServices that istiod makes of a HTTPRoute or GRPCRoute: one for all Service parents, one for all
// Gateway parents. Rules without backends end at the proxy; they are left out. Source: Istio's
// pilot/pkg/config/kube/gateway/conversion.go, convertHTTPRoute and sortHTTPRoutes.
struct RouteOfGateway {
  Json virtual_service = {};
  bool at_gateway = false;
  std::vector<std::string> assumed = {};
};
[[nodiscard]] std::vector<RouteOfGateway> virtual_services_of(const Json& route);

// Returns what else a rule of a HTTPRoute or GRPCRoute has that is not simulated, in words.
[[nodiscard]] std::vector<std::string> unsimulated_parts(const Json& rule, const std::string& of);

inline constexpr const char* host_of_ingress = "ingress.example";

}  // namespace spillway::scenario::pasted
