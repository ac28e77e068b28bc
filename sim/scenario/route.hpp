// A route of a scenario, with the services of its clusters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"
#include "models/envoy/routes/header_to_metadata.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/envoy/stateful_session/filter.hpp"
#include "sim/scenario/shared_list.hpp"

namespace spillway::scenario {

// A rule that determines the destination of a route, and its location in a file.
struct RouteOrigin {
  std::string name = {};  // "MeshTCPRoute r", "VirtualService shop/web", "route"
  Span where = {};        // location of the rule

  friend bool operator==(const RouteOrigin&, const RouteOrigin&) = default;
};

// An envoy.config.route.v3.Route, with the services of its clusters.
struct Route : envoy::routes::TimeoutsAndRetries {
  envoy::routes::Route route;
  std::vector<config::ServiceIndex> clusters;  // of route.action.clusters, in their order
  std::optional<envoy::StatefulSession> stateful_session = {};
  envoy::routes::HeaderToMetadata header_to_metadata = {};  // without rules if the filter is not configured
  std::uint32_t delayed_per_million = 0;  // part of the requests that a fault delays before the router gets them
  std::chrono::nanoseconds delay{0};
  std::vector<std::string> loosened = {};  // keys of conditions that `match` lacks or has in a wider form
  std::string unknown_choice = {};         // why the destination is unknown: an unsimulated feature may change it
  std::string passed = {};                 // unsimulated features that its requests pass; empty if none
  std::vector<RouteOrigin> origins = {};   // the scenario's own route first; empty if no document routes the requests
};

// Adds rules that also determine the destination of a route.
void add_origins(SharedList<Route>& routes, std::uint32_t route, const std::vector<RouteOrigin>& more);

}  // namespace spillway::scenario
