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

// Returns the pushes, and the changes of how endpoints serve, that lose hosts to a later one of their kind at the same
// time, without these hosts, by position in Scenario::changes. A push to some zones loses no host to a push that
// reaches other zones. Linear in the hosts of all changes.
[[nodiscard]] std::map<std::size_t, Effect> last_of_moment(const Scenario& scenario);

// True if later changes of that time replace all of the change, so that no request ever meets it.
[[nodiscard]] bool is_replaced(const std::map<std::size_t, Effect>& left, std::size_t position);

}  // namespace spillway::scenario
