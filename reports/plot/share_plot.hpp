// Plots the distribution of traffic over time. Each client and service has a stack of shares by epoch, a strip below it
// with the health that EDS reported, and lines at changes.
//
//   std::string script = share_plot(scenario, group_by(scenario, results, by), Image::svg);
//   std::string fine = share_plot(scenario, group_by(scenario, slices, by), Image::svg, Rows::over_time);
//
// The stack shows exact shares, with dots for the simulated ones, or simulated shares if no closed form exists.
// Requests without a host are hatched. There is one color per zone if `by` contains zones and there are several,
// otherwise one per priority.
//
// Rows over time are short; there are a hundred or more. Their stack shows counts, exact shares are steps drawn over
// it, and lines also mark events of proxies (Results::logged_events).
#pragma once

#include <cstdint>
#include <string>

#include "reports/plot/picture.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {
struct Grouped;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::reports::plot {

enum class Rows : std::uint8_t { epochs, over_time };

// Returns a script for gnuplot.
[[nodiscard]] std::string share_plot(const scenario::Scenario& scenario, const Grouped& grouped, Image image,
                                     Rows rows = Rows::epochs);

}  // namespace spillway::reports::plot
