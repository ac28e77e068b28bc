// Formats a capacity plan, for people and programs (docs/planning-capacity.md).
//
//   std::string text = format_plan(scenario, plan, Format::table, Look{});
//
// The output has a table of failures, then the answers, each with its limiting factor. CSV and `wide` hold only the
// failures, with every number; JSON holds everything.
#pragma once

#include <string>

#include "reports/formats.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {

[[nodiscard]] std::string format_plan(const scenario::Scenario& scenario, const plan::Plan& plan, Format format,
                                      const Look& look);

// Formats the plan as JUnit XML: each simulated failure is a test case, which fails if an objective does.
[[nodiscard]] std::string plan_junit(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
