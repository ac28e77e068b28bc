// How long answers take, over time: p50, p90 and p99 for each client and service.
#pragma once

#include <string>

#include "reports/plot/picture.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

class LatencyTimeline;  // latency_timeline.hpp

// A script for gnuplot. Latency is on a logarithmic scale where the largest is more than ten times the smallest.
[[nodiscard]] std::string latency_plot(const scenario::Scenario& scenario, const LatencyTimeline& timeline,
                                       Image image);

}  // namespace spillway::reports::plot
