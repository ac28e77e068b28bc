// Describes a scenario's changes in words, one at a time.
#pragma once

#include <string>

#include "sim/scenario/change.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

// Returns "6 endpoints of cart in eu-west-1a fail 50 % of their requests". If `nodes` nodes fail or recover together,
// returns "5 nodes of zone-1 fail".
[[nodiscard]] std::string change_text(const scenario::Scenario& scenario, const scenario::Effect& effect,
                                      std::uint64_t nodes = 1);

}  // namespace spillway::reports
