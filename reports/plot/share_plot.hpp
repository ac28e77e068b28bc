// Who gets the traffic, over time: for each client and service a stack of shares by epoch, below it a strip of what the
// proxies are told of the hosts, and lines where something happens.
//
//   std::string script = share_plot(scenario, group_by(scenario, results, by), Image::svg);
//
// The stack is of exact shares, with dots for the simulated ones; of simulated ones where no closed form exists. What
// finds no host is hatched. One color a zone where `by` tells zones apart and there
// are several, else one a priority.
#pragma once

#include <string>

#include "reports/plot/picture.hpp"
#include "reports/shares/group_by.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {

// A script for gnuplot.
[[nodiscard]] std::string share_plot(const scenario::Scenario& scenario, const Grouped& grouped, Image image);

}  // namespace spillway::reports::plot
