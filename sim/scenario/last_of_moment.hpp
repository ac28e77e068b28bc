// Finds the last of several pushes at one time about one host. Only the last one counts, because the pushes together
// form one state, and no request arrives in between.
//
//   const auto left = last_of_moment(scenario);
//   const Effect& effect = left.contains(position) ? left.at(position) : scenario.changes[position].effect;
#pragma once

#include <cstddef>
#include <map>

#include "sim/scenario/change.hpp"

namespace spillway::scenario {

struct Scenario;  // scenario.hpp

// Returns the pushes of health and membership that lose hosts to a later push at the same time, without these hosts, by
// position in Scenario::changes. A push to some zones loses no host to a push that reaches other zones. Linear in the
// hosts of all changes.
[[nodiscard]] std::map<std::size_t, Effect> last_of_moment(const Scenario& scenario);

}  // namespace spillway::scenario
