// Writes results as OpenMetrics 1.0 text, which Prometheus and compatible tools read: one family per figure, one sample
// per set of labels. docs/output.md lists the families.
//
// Source: the OpenMetrics specification, text format. Rows of epochs have no timestamps: simulated time is in labels
// and in `spillway_epoch_start_seconds`. Slices (`spillway_over_time_...`) have timestamps, the simulated seconds at
// their ends. Their counters accumulate from slice to slice.
#pragma once

#include "reports/text/sink.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

// Writes the text in pieces, so that long parts are never in memory as a whole. `slices` is the same run with other
// rows (Report::slices); null if there are none.
void write_openmetrics(const scenario::Scenario& scenario, const run::Results& results, const run::Results* slices,
                       const Sink& sink);

}  // namespace spillway::reports
