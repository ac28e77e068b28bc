// Zones with endpoints of a service that never get requests, because no rule puts them into the client's load
// assignment.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace spillway::reports::explain {

// `views`: what one client has for one service. In the order of the scenario's zones.
[[nodiscard]] std::vector<std::string> unreached_zones(const scenario::Scenario& scenario,
                                                       const std::vector<config::ServiceIndex>& views);

// Of a client, the views of each service that it asks for.
[[nodiscard]] std::vector<std::vector<config::ServiceIndex>> views_by_service(const scenario::Scenario& scenario,
                                                                              const scenario::ClientEntry& client);

// "zone-3 is reached by no rule from frontend (see: ...)": a line for each zone and service, for what stands below a
// table. Only under documents of Kuma. Clients that have the same views are looked at once.
[[nodiscard]] std::vector<std::string> unreached_lines(const scenario::Scenario& scenario);

}  // namespace spillway::reports::explain
