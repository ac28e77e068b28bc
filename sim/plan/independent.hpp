// Parts of a scenario that do not affect each other: services whose clients, endpoints and nodes are not shared
// (sim/run/parts/components.hpp), with their clients.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/scenario/scenario_template.hpp"

namespace spillway::plan {

struct Bound;  // objectives.hpp

// Returns the component of each service, by ServiceIndex; nullopt if no client requests it, directly or not.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> components_of_services(const scenario::Scenario& scenario);

// Returns the components, in the order of their first clients.
[[nodiscard]] std::vector<scenario::ScenarioTemplate::Part> independent_parts(const scenario::Scenario& scenario);

// Returns the bounds on a part's services. `numbered_anew`: services have the numbers of the part, not of the whole.
[[nodiscard]] std::vector<Bound> bounds_in_part(const std::vector<Bound>& bounds,
                                                const scenario::ScenarioTemplate::Part& part, bool numbered_anew);

}  // namespace spillway::plan
