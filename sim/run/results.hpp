// The results of a run: the plain form of the JSON output (docs/output.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/health_status.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/availability.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/records/cross_zones.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/records/proxy_moment.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/scenario/mode.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::run {

// The hosts of one priority as EDS reported them, at the start of an epoch.
struct PriorityHealth {
  config::Priority priority{};
  std::string cluster{};
  std::uint32_t hosts = 0;
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
  std::uint32_t load = 0;  // [%], healthy and degraded together
  std::uint32_t degraded_load = 0;
  bool panic = false;
};

// The EDS state of a client class's proxies at the start of an epoch, and the resulting loads. Shared between rows.
struct EpochHealth {
  std::string label;  // "P0 60%, P1 100%": healthy hosts by priority
  std::uint32_t total_availability = 0;
  std::vector<PriorityHealth> priorities;
  std::vector<config::HealthStatus> reported;  // by HostIndex; of an aggregate cluster, child after child
  std::vector<std::uint8_t> absent;  // by HostIndex: 1 if not a member of the endpoint set; empty if all are members

  [[nodiscard]] bool is_absent(std::size_t host) const noexcept { return host < absent.size() && absent[host] != 0; }
};

// A row of a client's table: the time between two changes that the scenario writes for its balancing inputs.
struct Epoch {
  std::uint32_t index = 0;  // counts from 0 for each (client, service)
  config::ClientEntryIndex client;
  config::ServiceIndex service;  // the requested service
  config::ServiceIndex view;     // the client's cluster for it, to which `health` refers
  Nanoseconds start{0};
  Nanoseconds end{0};
  std::uint32_t states = 1;                        // number of intervals with constant balancing inputs
  double expected_requests = 0.0;                  // of all clients of the entry, by their rates
  std::shared_ptr<const EpochHealth> health = {};  // not null in results of a run
};

struct Outcomes {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  std::uint64_t sent = 0;
  scenario::OutcomeCounts counts = {};
  std::uint64_t retries = 0;
  [[nodiscard]] std::uint64_t operator[](scenario::Outcome outcome) const noexcept { return counts[outcome]; }
  [[nodiscard]] std::uint64_t ok() const noexcept { return counts[scenario::Outcome::ok]; }
  [[nodiscard]] std::uint64_t failed() const noexcept { return sent - ok(); }
};

// Latency of successful responses only. [s] Within 1 % of the true order statistic.
struct Latency {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  std::uint64_t answers = 0;  // number of responses
  double p50 = 0.0;
  double p90 = 0.0;
  double p95 = 0.0;
  double p99 = 0.0;
  double max = 0.0;
};

// Quantiles of one histogram. [s] Each within 1 % of the true order statistic; `max` is exact.
struct LatencyQuantiles {
  std::uint64_t answers = 0;  // number of responses; if 0, the other fields are undefined
  double p50 = 0.0;
  double p90 = 0.0;
  double p95 = 0.0;
  double p99 = 0.0;
  double p999 = 0.0;
  double max = 0.0;
};

// Latency over the whole run, of successful responses and of failed requests. Unfinished requests are in neither.
struct WholeLatency {
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  LatencyQuantiles ok{};
  LatencyQuantiles errors{};
  // Set if Options::latency_cells is: each non-empty cell of engine::LatencyHistogram with its count.
  std::vector<std::uint64_t> cells_of_ok{};
  std::vector<std::uint64_t> cells_of_errors{};
};

// The number of successful responses within a latency limit, counted one by one.
struct WithinLimit {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  std::uint32_t limit = 0;  // index in Options::latency_limits
  std::uint64_t answers = 0;
  // Set for the first limit only: all successful responses, by the cells of engine::LatencyHistogram.
  std::vector<std::uint64_t> cells{};
};

// Load of an endpoint in [start, end). Utilisation is of its own cores or, if it has none, of its node's, which it may
// share. Only requests are set if no endpoint has a core limit.
struct EndpointLoad {
  std::uint32_t epoch = 0;  // row of all tables together, or number of the sample; from 0
  Nanoseconds start{0};
  Nanoseconds end{0};
  config::ServiceIndex service{};
  config::EndpointIndex endpoint{};
  std::optional<double> utilisation{};  // of its cores, 0 to 1; in mode exact the required utilisation
  std::optional<double> queue_mean{};   // requests that wait for a core
  std::optional<std::uint32_t> queue_max{};
  std::uint64_t requests = 0;        // attempts that proxies sent there
  std::optional<double> expected{};  // mode exact: expected requests; nullopt if there is no closed form
};

// Events that are not in the timeline, counted over all clients, for the summary.
struct RareEvents {
  std::uint64_t ejections = 0;
  std::uint64_t unejections = 0;
};

// A proxy ejects a host because of its responses, or readmits it.
struct Ejection {
  Nanoseconds at{0};
  config::ClientEntryIndex client{};
  config::ServiceIndex cluster{};
  config::EndpointIndex endpoint{};
  bool ejected = true;
  std::uint32_t instance = 0;  // of the entry's clients
};

// The health of a host according to a proxy's active checks, from this time on.
struct CheckedHealth {
  Nanoseconds at{0};
  config::ClientEntryIndex client{};
  config::ServiceIndex cluster{};
  config::EndpointIndex endpoint{};
  envoy::Health health = envoy::Health::healthy;
  std::uint32_t instance = 0;  // of the entry's clients
};

struct Results {
  scenario::Mode mode = scenario::Mode::exact;
  std::uint64_t seed = 1;
  std::uint32_t replications = 1;
  std::string result_fingerprint;  // 16 hexadecimal digits; empty in exact mode
  std::vector<Epoch> epochs;       // by (client, service, index)
  Shares shares;  // by (client, service, epoch, cluster, priority, availability, endpoint in file order)
  std::vector<Outcomes> outcomes;  // by (client, service, epoch); empty in exact mode
  std::vector<Latency> latency;    // by (client, service, epoch); empty in exact mode
  // By (client, service). Means over replications, except the maximum. Empty in mode exact and after a warm-up.
  std::vector<WholeLatency> whole_latency;
  std::vector<WithinLimit> within;      // by (client, service, epoch, limit), if requested; empty for replications
  std::vector<EndpointLoad> endpoints;  // by (epoch, endpoint), if requested; without endpoints that got no requests
  std::vector<EndpointLoad> samples;    // at equal intervals, if requested
  std::vector<EndpointLoad> windows;    // in each of scenario::utilisation_windows
  // By scenario::outcome_windows: outcomes of all clients' requests that were sent in the window. Empty in exact mode.
  std::vector<Outcomes> outcomes_in_windows = {};
  CrossZones cross_zone;  // by (client, service, epoch, from, to)
  bool at_rest = false;   // true if `exact` is the shares at rest
  RareEvents events;
  Events logged_events;                // if requested; for replications, those of the first
  std::vector<Ejection> ejections;     // of all proxies, by time; empty for replications
  std::vector<CheckedHealth> checked;  // of all proxies, by time; empty for replications
  std::optional<ProxyMoment> moment;   // if requested; nullopt for replications
};

}  // namespace spillway::run
