// Sentences about single failures: failing requests, the time after the failure, and how many endpoints may be lost.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {

// Returns the circumstance of a row: "losing zone-2 endpoints", "with everything up".
[[nodiscard]] std::string losing(const plan::Plan& plan, std::size_t row);

// Lists every client with failing requests, with the first failure; if there are many, only the first ones.
[[nodiscard]] std::vector<std::string> failing_texts(const scenario::Scenario& scenario, const plan::Plan& plan);

// Returns one text per kind of recovery, with all failures that have it.
[[nodiscard]] std::vector<std::string> recovery_texts(const scenario::Scenario& scenario, const plan::Plan& plan);

// Returns one text per kind of onset, with all zones and services that have it.
[[nodiscard]] std::vector<std::string> onset_texts(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
