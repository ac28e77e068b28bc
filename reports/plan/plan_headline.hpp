// The first lines of a plan: its verdict, the worst failure, and what to add.
//
//   PlanHeadline headline = plan_headline(scenario, plan);
//   headline.verdict + ": " + headline.reason;
//   // "FAILED: 2 of 5 failures break an objective. Worst: losing dc1, 58.8 % of the requests to orders fail (limit 0
//   %)."
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {
struct Fewest;    // plan.hpp
struct Margin;    // objectives.hpp
struct NextStep;  // plan.hpp
struct Part;      // plan.hpp
struct Plan;      // plan.hpp
struct Row;       // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports {

struct PlanHeadline {
  std::string verdict;                      // "OK", "FAILED", "UNDECIDED"
  std::string reason;                       // sentences
  std::vector<std::string> sentences = {};  // what to buy, or what would help instead
};
[[nodiscard]] PlanHeadline plan_headline(const scenario::Scenario& scenario, const plan::Plan& plan);

// Returns what a row loses: "dc1" for all of a zone's endpoints, else the failure's name.
[[nodiscard]] std::string lost_text(const scenario::Scenario& scenario, const plan::Row& row);

// Returns "losing dc1", "with nothing lost".
[[nodiscard]] std::string losing_text(const scenario::Scenario& scenario, const plan::Plan& plan, const plan::Row& row);

// Returns what the row misses: "58.8 % of the requests to orders fail (limit 0 %)"; empty if it misses nothing.
[[nodiscard]] std::string missed_text(const scenario::Scenario& scenario, const plan::Row& row);

// Returns what the margin's value misses: "58.8 % of the requests to orders fail (limit 0 %)".
[[nodiscard]] std::string missed_margin_text(const scenario::Scenario& scenario, const plan::Margin& margin);

// Returns "2 in dc1 and 4 in dc2": the counts of all groups but those with 0.
[[nodiscard]] std::string parts_text(const scenario::Scenario& scenario, const std::vector<plan::Part>& parts);

// Returns the endpoints of `layout` beyond the present ones, with their price: "6 more endpoints: 2 in dc1 and 4 in dc2
// (438.00 a month)".
[[nodiscard]] std::string more_text(const scenario::Scenario& scenario, const plan::Fewest& layout);

// Returns "one more in each of a, b and c (73.00 a month) for +219 rps".
[[nodiscard]] std::string step_text(const scenario::Scenario& scenario, const plan::Plan& plan,
                                    const plan::NextStep& step);

// Returns the layout that meets everything but the objectives on costs, with its price, and these objectives; empty if
// there is none.
[[nodiscard]] std::string too_dear_text(const scenario::Scenario& scenario, const plan::Plan& plan);

}  // namespace spillway::reports
