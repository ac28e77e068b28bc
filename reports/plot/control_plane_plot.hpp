// Plots the latency of a control plane over time, one panel per setting: quantiles of its samples as lines, the
// document's readings as points (docs/control-plane.md).
#pragma once

#include <string>

#include "reports/plot/picture.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::control_plane {
struct Results;  // results.hpp
}  // namespace spillway::control_plane

namespace spillway::reports::plot {

// Returns a script for gnuplot.
[[nodiscard]] std::string control_plane_plot(const scenario::Scenario& scenario, const control_plane::Results& results,
                                             Image image);

}  // namespace spillway::reports::plot
