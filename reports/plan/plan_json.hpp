// Formats a capacity plan as JSON: docs/output.md names its keys.
#pragma once

#include <string>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {

[[nodiscard]] std::string plan_json(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
