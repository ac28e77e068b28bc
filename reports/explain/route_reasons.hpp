// The reasons why the scenario's own routes send a zone or an endpoint nothing: no endpoint of the requested service is
// there, or the metadata that the route requests is not there.
#pragma once

#include <vector>

#include "models/documents/source.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct Fact;      // explanation.hpp
struct Question;  // explain.hpp
struct Target;    // variation.hpp

// Returns the reasons, each with the place of its route. Empty if routes are not the reason. Precondition: the target
// gets no requests.
[[nodiscard]] std::vector<Fact> route_reasons(const scenario::Scenario& scenario, const Sources& sources,
                                              const Question& question, const Target& target);

}  // namespace spillway::reports::explain
