// The records of a run, as docs/output.md describes them. A new column is a line here, in every format.
//
//   const Record<run::Share> record = share_record(scenario, results, by, epochs);
//   record.json(share); record.columns();
//
// Lifetime: records keep references to their arguments. Rows of merged clients have no client name, and values that a
// grouping drops are none.
#pragma once

#include <vector>

#include "reports/records/record.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class Dimensions;   // group_by.hpp
class EpochFinder;  // epoch_finder.hpp

// One row per host that received, or should have received, requests. Times of epochs are in sheets only.
[[nodiscard]] Record<run::Share> share_record(const scenario::Scenario& scenario, const run::Results& results,
                                              const Dimensions& by, const EpochFinder& epochs);

[[nodiscard]] Record<run::Epoch> epoch_record(const scenario::Scenario& scenario, const Dimensions& by);

// Counts of requests: sent, by outcome, retries. The second adds the epoch, client and service before them.
[[nodiscard]] const Record<run::Outcomes>& outcome_counts();
[[nodiscard]] Record<run::Outcomes> outcome_record(const scenario::Scenario& scenario, const Dimensions& by);

// Quantiles of latency [s]; none without a response. The second adds the epoch, client, service and responses.
[[nodiscard]] const Record<run::Latency>& latency_quantiles();
[[nodiscard]] Record<run::Latency> latency_record(const scenario::Scenario& scenario, const Dimensions& by);

// Quantiles of latency over the whole run, of successful responses or of failed requests.
struct WholeQuantiles {
  config::ClientEntryIndex client;
  config::ServiceIndex service;
  const char* of;
  const run::LatencyQuantiles* quantiles;
};
[[nodiscard]] std::vector<WholeQuantiles> whole_quantiles(const run::Results& results);
[[nodiscard]] Record<WholeQuantiles> whole_latency_record(const scenario::Scenario& scenario);

// An event that proxies detected by themselves.
struct HostEvent {
  run::Nanoseconds at;
  config::ClientEntryIndex client;
  config::ServiceIndex service;
  config::EndpointIndex endpoint;
  std::uint32_t instance;  // of the client's proxies
  const char* event;
};
// Returns the events sorted by time.
[[nodiscard]] std::vector<HostEvent> host_events(const run::Results& results);
[[nodiscard]] Record<HostEvent> host_event_record(const scenario::Scenario& scenario, const Dimensions& by);

// One row per endpoint and epoch or sample; `number` is the name of the number of these.
[[nodiscard]] Record<run::EndpointLoad> load_record(const scenario::Scenario& scenario, scenario::Mode mode,
                                                    const char* number);

// One row per pair of zones. Times of epochs are in sheets only.
[[nodiscard]] Record<run::CrossZone> crossing_record(const scenario::Scenario& scenario, const run::Results& results,
                                                     const Dimensions& by, const EpochFinder& epochs);

}  // namespace spillway::reports
