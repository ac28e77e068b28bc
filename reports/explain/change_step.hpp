// Changes of the configuration that help: each is simulated as the only one, and named only if requests fare better.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated.hpp
struct Step;               // explanation.hpp

// `warnings`: of the scenario; those about settings that do nothing or the opposite are repeated if their cure helps.
[[nodiscard]] Step change_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                               const SimulatedQuestion& question, const Diagnostics& warnings, const Sources& sources);

}  // namespace spillway::reports::explain
