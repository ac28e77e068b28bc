// Who gets the traffic, over time: for each client and service a stack of shares by epoch, below it a strip of what the
// proxies are told of the hosts, and lines where something happens.
//
//   std::string script = share_plot(scenario, group_by(scenario, results, by), Image::svg);
//   std::string fine = share_plot(scenario, group_by(scenario, slices, by), Image::svg, Rows::over_time);
//
// The stack is of exact shares, with dots for the simulated ones; of simulated ones where no closed form exists. What
// finds no host is hatched. One color a zone where `by` tells zones apart and there
// are several, else one a priority.
//
// Rows over time are short ones, a hundred or more: the stack is of what they counted, over it stand the exact shares
// as steps, and lines mark what proxies found out too (Results::happenings).
#pragma once

#include <cstdint>
#include <string>

#include "reports/plot/picture.hpp"

namespace spillway::reports {
struct Grouped;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

enum class Rows : std::uint8_t { epochs, over_time };

// A script for gnuplot.
[[nodiscard]] std::string share_plot(const scenario::Scenario& scenario, const Grouped& grouped, Image image,
                                     Rows rows = Rows::epochs);

}  // namespace spillway::reports::plot
