// The steps of an explanation that need a run: what a proxy had detected, its requests in flight, failures around that
// time, the gain of retries, and changes that help.
#pragma once

#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated_question.hpp
struct Step;               // explanation.hpp

[[nodiscard]] Step found_out_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated);

// Returns "split", "in flight", "next picks", "breakers", "sessions", "failed", "attempts", "change"; steps without
// facts have nothing to report.
[[nodiscard]] std::vector<Step> simulated_steps(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                                const SimulatedQuestion& question, const Diagnostics& warnings,
                                                const Sources& sources);

}  // namespace spillway::reports::explain
