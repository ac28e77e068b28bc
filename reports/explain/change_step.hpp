// Suggests configuration changes that help. Each is simulated separately, and named only if more requests succeed.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated_question.hpp
struct Step;               // explanation.hpp

// Returns the step. `warnings` are the scenario's. Those about settings with no effect, or the opposite effect, are
// repeated if their suggestion helps.
[[nodiscard]] Step change_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                               const SimulatedQuestion& question, const Diagnostics& warnings, const Sources& sources);

}  // namespace spillway::reports::explain
