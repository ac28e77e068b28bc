// How long answers take, over time: p50, p90 and p99 for each client and service.
#pragma once

#include <string>

#include "reports/plot/latency_timeline.hpp"
#include "reports/plot/picture.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {

// A script for gnuplot. Latency is on a logarithmic scale where the largest is more than ten times the smallest.
[[nodiscard]] std::string latency_plot(const scenario::Scenario& scenario, const LatencyTimeline& timeline,
                                       Image image);

}  // namespace spillway::reports::plot
