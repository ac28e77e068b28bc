// A capacity plan as JSON: docs/output.md names its keys.
#pragma once

#include <string>

#include "sim/plan/plan.hpp"

namespace spillway::reports {

[[nodiscard]] std::string plan_json(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
