// Distinguishes unknown clusters of routes that Envoy refuses from those that it notices only at each request.
#pragma once

#include "models/documents/node.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {

// True if Envoy refuses the route when one of its clusters is unknown. By default that is so if a listener contains the
// route; `validate_clusters` overrides the default. Clusters of routes from RDS may arrive later, so requests for them
// get a 503. `manager` is null without a listener. Verified on Envoy 1.40.
[[nodiscard]] bool checks_clusters(const ChosenRoute& chosen, const documents::Node* manager);

}  // namespace spillway::proxy
