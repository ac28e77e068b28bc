// The records of a run, as docs/output.md describes them. A new column is a line here, in every format.
//
//   const Record<run::Share> record = share_record(scenario, results, by, epochs);
//   record.json(share); record.columns();
//
// Lifetime: records keep references to their arguments. Rows of merged clients have no client name, and values that a
// grouping drops are none.
#pragma once

#include "reports/records/record.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class Dimensions;   // group_by.hpp
class EpochFinder;  // epoch_finder.hpp

// One row per host that received, or should have received, requests. Times of epochs are in sheets only.
[[nodiscard]] Record<run::Share> share_record(const scenario::Scenario& scenario, const run::Results& results,
                                              const Dimensions& by, const EpochFinder& epochs);

// Counts of requests: sent, by outcome, retries.
[[nodiscard]] const Record<run::Outcomes>& outcome_counts();

// Quantiles of latency [s]; none without a response.
[[nodiscard]] const Record<run::Latency>& latency_quantiles();

// One row per endpoint and epoch or sample; `number` is the name of the number of these.
[[nodiscard]] Record<run::EndpointLoad> load_record(const scenario::Scenario& scenario, scenario::Mode mode,
                                                    const char* number);

// One row per pair of zones. Times of epochs are in sheets only.
[[nodiscard]] Record<run::CrossZone> crossing_record(const scenario::Scenario& scenario, const run::Results& results,
                                                     const Dimensions& by, const EpochFinder& epochs);

}  // namespace spillway::reports
