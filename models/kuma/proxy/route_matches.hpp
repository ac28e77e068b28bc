// The conditions of a MeshHTTPRoute as Kuma writes them into Envoy's routes.
//
//   route_matches({.path = PathMatch{.type = "PathPrefix", .value = "/api"}});   // path /api, and prefix /api/
//
// Source: Kuma's meshhttproute/xds/configurer.go and match.go.
#pragma once

#include <vector>

#include "models/envoy/routes/route.hpp"

namespace spillway::kuma {

struct HeaderMatch;  // mesh_http_route.hpp
struct HttpMatch;    // mesh_http_route.hpp

// Returns Envoy's condition on a header. A condition of type Prefix with an empty value requires its presence.
[[nodiscard]] envoy::routes::HeaderMatcher header_matcher(const HeaderMatch& match);

// Returns Envoy's matches for one match of a rule: two for a PathPrefix other than "/", else one.
[[nodiscard]] std::vector<envoy::routes::RouteMatch> route_matches(const HttpMatch& match);

}  // namespace spillway::kuma
