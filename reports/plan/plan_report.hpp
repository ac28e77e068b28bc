// A capacity plan as people and programs read it (docs/planning-capacity.md).
//
//   std::string text = format_plan(scenario, plan, Format::table, Look{});
//
// A table of failures, then the answers, each with what limits it. CSV and `wide` hold the failures alone, with every
// number; JSON holds everything.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

[[nodiscard]] std::string format_plan(const scenario::Scenario& scenario, const plan::Plan& plan, Format format,
                                      const Look& look);

// The plan as JUnit XML: a failure of the world is a test case, and fails where an objective does.
[[nodiscard]] std::string plan_junit(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
