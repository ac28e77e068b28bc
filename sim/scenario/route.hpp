// A route of a scenario, with the services that its clusters are.
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

// A rule that decides where a route leads, and its place in a file.
struct RouteOrigin {
  std::string name = {};  // "MeshTCPRoute r", "VirtualService shop/web", "route"
  Span where = {};        // its rule

  friend bool operator==(const RouteOrigin&, const RouteOrigin&) = default;
};

// envoy.config.route.v3.Route, with what its clusters are here.
struct Route : envoy::routes::TimeoutsAndRetries {
  envoy::routes::Route route;
  std::vector<config::ServiceIndex> clusters;  // of route.action.clusters, in their order
  std::optional<envoy::StatefulSession> stateful_session = {};
  envoy::routes::HeaderToMetadata header_to_metadata = {};  // without rules: the filter is not there
  // Keys of conditions that Envoy's documents have and its match lacks, or has in a wider form.
  std::vector<std::string> loosened = {};
  // Why it is not known where its requests go: something that is not simulated may change them. Empty if it is known.
  std::string unknown_choice = {};
  std::string passed = {};                // what its requests pass that is not simulated; empty if there is nothing
  std::vector<RouteOrigin> origins = {};  // the scenario's own route first; empty: no document routes the requests
};

// Adds what else decides where a route leads.
void add_origins(SharedList<Route>& routes, std::uint32_t route, const std::vector<RouteOrigin>& more);

}  // namespace spillway::scenario
