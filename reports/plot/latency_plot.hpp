// Plots the latency of responses over time: p50, p90 and p99 for each client and service.
#pragma once

#include <string>

#include "reports/plot/picture.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::plot {

class LatencyTimeline;  // latency_timeline.hpp

// Returns a script for gnuplot. Latency is on a logarithmic scale if the largest is more than ten times the smallest.
[[nodiscard]] std::string latency_plot(const scenario::Scenario& scenario, const LatencyTimeline& timeline,
                                       Image image);

}  // namespace spillway::reports::plot
