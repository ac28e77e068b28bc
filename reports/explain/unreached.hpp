// Zones that have endpoints of a service and get nothing whatever happens, since no rule puts them into what a client
// has for it.
#pragma once

#include <string>
#include <vector>

#include "sim/run/flows.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::explain {

// `group`: the flows of one client to one service. In the order of the scenario's zones.
[[nodiscard]] std::vector<std::string> unreached_zones(const scenario::Scenario& scenario, const run::Flows& flows,
                                                       const std::vector<run::FlowIndex>& group);

}  // namespace spillway::reports::explain
