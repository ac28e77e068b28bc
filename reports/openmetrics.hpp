// Results as a text of OpenMetrics 1.0, which Prometheus and compatible tools read: a family a figure, its rows told
// apart by labels. docs/output.md lists the families.
//
// Source: the OpenMetrics specification, text format. No timestamps: simulated time is in labels and in
// `spillway_epoch_start_seconds`.
#pragma once

#include <string>

#include "reports/sink.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {

// Piece by piece: what is long never stands in memory as a whole.
void write_openmetrics(const scenario::Scenario& scenario, const run::Results& results, const Sink& sink);
[[nodiscard]] std::string format_openmetrics(const scenario::Scenario& scenario, const run::Results& results);

}  // namespace spillway::reports
