// The steps of an explanation that need a run: what a proxy had detected and its requests in flight at the moment, what
// failed around it, what retries gain, and what to change.
#pragma once

#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated.hpp
struct Step;               // explanation.hpp

[[nodiscard]] Step found_out_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated);

// "split", "in flight", "next picks", "breakers", "sessions", "failed", "attempts", "change": those without facts have
// nothing to say.
[[nodiscard]] std::vector<Step> simulated_steps(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                                const SimulatedQuestion& question, const Diagnostics& warnings,
                                                const Sources& sources);

}  // namespace spillway::reports::explain
