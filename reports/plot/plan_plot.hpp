// A capacity plan as a picture: how busy the busiest endpoint of each zone is under every failure, against what the
// objective allows. The tightest failure and failed ones are marked, the headroom stands above.
#pragma once

#include <string>

#include "reports/plot/picture.hpp"

namespace spillway::plan {
struct Plan;  // plan.hpp
}  // namespace spillway::plan

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

// A script for gnuplot. Utilisation must be known. Of more than forty failures those that leave least.
[[nodiscard]] std::string plan_plot(const scenario::Scenario& scenario, const plan::Plan& plan, Image image);

}  // namespace spillway::reports::plot
