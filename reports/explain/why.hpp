// Answers the reverse question: why does a zone, a priority or an endpoint get traffic or none, and which changed input
// would change this?
//
// Changes one input at a time in a copy of the scenario, and recomputes the shares with the functions of a run. So
// every reported number was computed, not inferred. Finds values by binary search outwards from the current one. The
// results for the found value and the one before it are correct even if the answer changes several times.
#pragma once

#include <optional>
#include <string>

#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Explanation;  // explanation.hpp
struct Question;     // explain.hpp
struct Refusal;      // explain.hpp
struct Why;          // explanation.hpp

[[nodiscard]] std::optional<Refusal> why_refusal(const scenario::Scenario& scenario, const Question& question);

// Answers question.why. Preconditions: `explanation` answers the question; question.why is set and not refused.
[[nodiscard]] Why why(const scenario::Scenario& scenario, const Sources& sources, const Question& question,
                      const Explanation& explanation);

// Returns "spill to P1 begins at the first lost endpoint of P0 (below 10 of 10 healthy)". Returns nullopt unless a
// single cluster has several priorities and its first one can lose requests to the next one.
[[nodiscard]] std::optional<std::string> spill_onset(const scenario::Scenario& scenario, const Question& question);

}  // namespace spillway::reports::explain
