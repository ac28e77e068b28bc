// Resolves the cluster of a route that depends on the request: by a header, or by a matcher tree (the cluster specifier
// plugin envoy.router.cluster_specifier_plugin.matcher).
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// Writes the cluster that the request names into the route. Leaves a route with fixed clusters unchanged. Returns false
// if the request names none (SP151 in `problems`), or if the cluster is undetermined (SP301). `configuration`: the
// RouteConfiguration, whose plugins routes may name.
[[nodiscard]] bool name_cluster(documents::Node& route, const documents::Node& configuration,
                                const envoy::routes::Request& request, std::vector<std::string>& notes,
                                Diagnostics& problems);

// True if a route's cluster, or one of its weighted clusters, is known only with a request.
[[nodiscard]] bool names_cluster_by_request(const documents::Node& route);

}  // namespace spillway::proxy
