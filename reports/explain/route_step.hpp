// The step that lists the routes from the client's requests for a service to its clusters, with their lines in files.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Step;  // explanation.hpp

// A route to the service or to its views, with the names of the client's kinds of requests that take it. Each route
// appears once.
struct RouteOfKinds {
  std::uint32_t route = 0;  // in Scenario::routes
  std::vector<std::string> kinds = {};
};
[[nodiscard]] std::vector<RouteOfKinds> routes_to(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                                                  config::ServiceIndex service);

// Returns nullopt if no document routes the requests.
[[nodiscard]] std::optional<Step> route_step(const scenario::Scenario& scenario, const Sources& sources,
                                             config::ClientEntryIndex client, config::ServiceIndex service);

}  // namespace spillway::reports::explain
