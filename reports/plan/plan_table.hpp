// The table of a plan: one line per service and failure, with the verdict second.
#pragma once

#include <vector>

#include "reports/document/sheet.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
struct Row;   // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {

// Returns the lines of these rows, grouped by service. Lines that differ only in their failure or service are one line.
// Shows at most 60 lines: those that fail and those with the least headroom.
[[nodiscard]] Sheet plan_table(const scenario::Scenario& scenario, const plan::Plan& plan,
                               const std::vector<const plan::Row*>& rows);

}  // namespace spillway::reports
