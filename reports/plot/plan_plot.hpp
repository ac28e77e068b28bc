// Plots a capacity plan: the utilisation of the busiest endpoint of each zone under every failure, with the objective's
// limit. The tightest failure and failed ones are marked; the headroom is at the top.
#pragma once

#include <string>

#include "reports/plot/picture.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::reports::plot {

// Returns a script for gnuplot. Precondition: utilisation is known. If there are more than forty failures, only those
// with the least headroom are drawn.
[[nodiscard]] std::string plan_plot(const scenario::Scenario& scenario, const plan::Plan& plan, Image image);

}  // namespace spillway::reports::plot
