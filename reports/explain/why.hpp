// The reverse question: why does a zone, a priority or an endpoint get traffic at all, or none, and which input would
// have to change for that to turn.
//
// Inputs are changed one at a time in a copy of the scenario, and the moment is computed anew with the very functions
// of a run: every number that is told was computed, none is concluded. Values are searched by halving, from now's value
// outwards; what is told of a value and of the one before it holds even where traffic should turn several times.
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

// `explanation` answers the question; question.why is there and is not refused.
[[nodiscard]] Why why(const scenario::Scenario& scenario, const Sources& sources, const Question& question,
                      const Explanation& explanation);

// "spill to P1 begins at the first lost endpoint of P0 (below 10 of 10 healthy)", where a single cluster has two
// priorities or more and its first one can lose requests to the next one.
[[nodiscard]] std::optional<std::string> spill_onset(const scenario::Scenario& scenario, const Question& question);

}  // namespace spillway::reports::explain
