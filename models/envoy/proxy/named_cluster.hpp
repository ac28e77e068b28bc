// The cluster of a route that leaves its name to the request: to a header, or to a matcher tree (the cluster specifier
// plugin envoy.router.cluster_specifier_plugin.matcher).
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

// Writes the cluster that the request names into the route, which may be one that names its clusters itself. False: the
// request names none, which is added to `problems` (SP151), or it cannot be told (SP301). `configuration`: the
// RouteConfiguration, whose plugins routes may name.
[[nodiscard]] bool name_cluster(documents::Node& route, const documents::Node& configuration,
                                const envoy::routes::Request& request, std::vector<std::string>& notes,
                                Diagnostics& problems);

}  // namespace spillway::proxy
