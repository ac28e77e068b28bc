// Writes slices of a run as OpenMetrics families with timestamps.
#pragma once

#include "reports/text/sink.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

// Writes samples in order of time for each set of labels, each sample at the end of its slice. O(rows).
void write_over_time(const scenario::Scenario& scenario, const run::Results& slices, const Sink& sink);

}  // namespace spillway::reports
