// Plots the results of a sweep: one curve per value of the second key with the band of its 95 % interval. If that key
// has many numbers, the plot is a map of colors.
#pragma once

#include <string>

#include "reports/plot/picture.hpp"
#include "sim/sweep/query.hpp"

namespace spillway::reports {

// Returns the value in the drawn unit (percent, milliseconds, or unchanged), and gnuplot's format of it.
[[nodiscard]] double drawn_value(sweep::Unit unit, double value);
[[nodiscard]] const char* tics_of(sweep::Unit unit);

// Returns a script for gnuplot.
[[nodiscard]] std::string sweep_plot(const sweep::Series& series, plot::Image image);

}  // namespace spillway::reports
