// Hosts that fail requests at a moment, whatever proxies know of them.
#pragma once

#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated.hpp
struct Step;               // explanation.hpp

// Clusters that the client's requests for the service can end in, in the order in which they are explained.
[[nodiscard]] std::vector<config::ServiceIndex> clusters_of(const scenario::Scenario& scenario,
                                                            const SimulatedQuestion& question);

// Endpoints of the cluster that fail some requests, or do not answer. Zone proxies are left out.
[[nodiscard]] std::vector<config::EndpointIndex> failing_hosts(const scenario::Scenario& scenario,
                                                               config::ServiceIndex cluster, run::Nanoseconds at);

// What hosts fail and are not ejected for, although the cluster has outlier detection; no facts: there are none.
[[nodiscard]] Step not_ejected_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                    const SimulatedQuestion& question);

}  // namespace spillway::reports::explain
