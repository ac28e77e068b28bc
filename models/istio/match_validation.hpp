// Findings of admission about the matches of a VirtualService's routes, and about the gateways that it names.
//
// Source: docs/behaviour/istio.md 11; istiod's pkg/config/validation/virtualservice.go (validateHTTPRouteMatchRequest),
// validation.go (validateStringMatch, validateGatewayNames, validateTCPMatch).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/istio/validation.hpp"
#include "models/istio/virtual_service.hpp"

namespace spillway::istio {

// True if a header of a match means a claim of a token: "@request.auth.claims.group".
[[nodiscard]] bool is_claim(std::string_view header);

// Adds the findings. `path` is that of the route that contains the matches.
void check_matches(const std::vector<HttpMatchRequest>& matches, const std::string& path,
                   std::vector<Finding>& findings);
void check_matches(const std::vector<TcpMatch>& matches, const std::string& path, std::vector<Finding>& findings);

// Checks names "namespace/gateway". istiod reads any other name as a domain, and does not check the names after it.
void check_gateways(const std::vector<std::string>& gateways, const std::string& path, std::vector<Finding>& findings);

}  // namespace spillway::istio
