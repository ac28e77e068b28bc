// Advice against an objective that is missed, if adding endpoints does not help.
#pragma once

#include <string>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {

// Returns why adding endpoints does not help, and what the scenario lacks that would: "When dc2 is down, ...". Of all
// failures it is about the one under which most requests of a client fail. Empty if unknown, or if all of these fail
// because endpoints are overloaded.
[[nodiscard]] std::string other_help_text(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
