// The routes of the Gateway API as VirtualServices.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/pasted/assumed_zones.hpp"

namespace spillway::scenario::pasted {

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
