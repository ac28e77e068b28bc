// Results as a text of OpenMetrics 1.0, which Prometheus and compatible tools read: a family for each figure, a sample
// for each set of labels. docs/output.md lists the families.
//
// Source: the OpenMetrics specification, text format. Rows of epochs have no timestamps: simulated time is
// in labels and in `spillway_epoch_start_seconds`. Those of slices (`spillway_over_time_...`) have: seconds of
// simulated time at their ends, counters counted on from slice to slice.
#pragma once

#include "reports/text/sink.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

// Piece by piece: what is long never stands in memory as a whole.
// `slices`: the same run with other rows (Report::slices); null: none.
void write_openmetrics(const scenario::Scenario& scenario, const run::Results& results, const run::Results* slices,
                       const Sink& sink);

}  // namespace spillway::reports
