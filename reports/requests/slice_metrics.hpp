// Writes slices of a run as OpenMetrics families with timestamps.
#pragma once

#include "reports/text/sink.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

// Writes samples in order of time for each set of labels, each sample at the end of its slice. O(rows).
void write_over_time(const scenario::Scenario& scenario, const run::Results& slices, const Sink& sink);

}  // namespace spillway::reports
