// What a sweep found, as a picture: a curve for each value of the second key with the band of its 95 % interval, or,
// where that key has many numbers, a map of colors.
#pragma once

#include <string>

#include "reports/plot/picture.hpp"
#include "sim/sweep/query.hpp"

namespace spillway::reports {

// A script for gnuplot.
[[nodiscard]] std::string sweep_plot(const sweep::Series& series, plot::Image image);

}  // namespace spillway::reports
