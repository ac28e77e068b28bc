// Finds hosts that fail requests at a given time, whatever the proxies know.
#pragma once

#include <vector>

#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated_question.hpp
struct Step;               // explanation.hpp

// Returns the clusters that may receive the client's requests for the service, in the order of the explanation.
[[nodiscard]] std::vector<config::ServiceIndex> clusters_of(const scenario::Scenario& scenario,
                                                            const SimulatedQuestion& question);

// Returns endpoints of the cluster, as the client's proxies know it, that fail some requests or do not respond. Zone
// proxies are excluded.
[[nodiscard]] std::vector<config::EndpointIndex> failing_hosts(const scenario::Scenario& scenario,
                                                               config::ServiceIndex cluster,
                                                               const SimulatedQuestion& question);

// Explains why failing hosts are not ejected although the cluster has outlier detection; no facts if there are none.
[[nodiscard]] Step not_ejected_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                    const SimulatedQuestion& question);

}  // namespace spillway::reports::explain
