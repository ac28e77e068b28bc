// What admission says of the matches of a VirtualService's routes, and of the gateways that it names.
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

// Whether a header of a match stands for a claim of a token: "@request.auth.claims.group".
[[nodiscard]] bool is_claim(std::string_view header);

// `path`: of the route, below which its matches stand.
void check_matches(const std::vector<HttpMatchRequest>& matches, const std::string& path,
                   std::vector<Finding>& findings);
void check_matches(const std::vector<TcpMatch>& matches, const std::string& path, std::vector<Finding>& findings);

// Names "namespace/gateway"; istiod takes another name for a domain, and does not look at those behind it.
void check_gateways(const std::vector<std::string>& gateways, const std::string& path, std::vector<Finding>& findings);

}  // namespace spillway::istio
