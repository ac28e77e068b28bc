// Which unknown clusters of routes Envoy refuses, and which it finds out about with each request.
#pragma once

#include "models/documents/node.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {

// True if Envoy refuses the route if one of its clusters is unknown: a listener contains it, unless
// `validate_clusters` says otherwise. Clusters of routes by RDS may come later; requests for them are answered with a
// 503. `manager`: null without a listener. Tried on Envoy 1.40.
[[nodiscard]] bool checks_clusters(const ChosenRoute& chosen, const documents::Node* manager);

}  // namespace spillway::proxy
