// Writes routes in protobuf's JSON (envoy.config.route.v3).
#pragma once

#include <string>

#include "models/documents/node.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::scenario {
struct Route;     // route.hpp
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

// Returns an envoy.config.route.v3.Route. Clusters have the names of their services.
[[nodiscard]] documents::Node route_message(const scenario::Scenario& scenario, const scenario::Route& route);

// Returns a route that sends every request to one cluster.
[[nodiscard]] Json catch_all_route_json(const std::string& cluster);

}  // namespace spillway::reports::envoy_export
