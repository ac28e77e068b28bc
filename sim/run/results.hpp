// The results of a run: the plain form of the JSON output (docs/output.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/health_status.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/health.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/records/cross_zones.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/records/proxy_moment.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/scenario/mode.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::run {

// The hosts of one priority as the proxies were told them, at the start of an epoch.
struct PriorityHealth {
  config::Priority priority{};
  std::string cluster{};
  std::uint32_t hosts = 0;
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
  std::uint32_t load = 0;  // percent, healthy and degraded together
  std::uint32_t degraded_load = 0;
  bool panic = false;
};

// The EDS state of a client class's proxies at the start of an epoch, and the resulting loads. Shared between rows.
struct EpochHealth {
  std::string label;  // "P0 60%, P1 100%": healthy hosts by priority
  std::uint32_t total_availability = 0;
  std::vector<PriorityHealth> priorities;
  std::vector<config::HealthStatus> reported;  // by HostIndex; of an aggregate cluster, child after child
  std::vector<std::uint8_t> absent;            // likewise, 1: does not belong to the endpoint set now; empty: all do

  [[nodiscard]] bool is_absent(std::size_t host) const noexcept { return host < absent.size() && absent[host] != 0; }
};

// A row of a client's table: from one change that the scenario's author wrote for its balancing inputs to the next.
struct Epoch {
  std::uint32_t index = 0;  // counts from 0 for each (client, service)
  config::ClientEntryIndex client;
  config::ServiceIndex service;  // that is asked for
  config::ServiceIndex view;     // what the client has for it: whose hosts `told` and `priorities` are about
  Nanoseconds start{0};
  Nanoseconds end{0};
  std::uint32_t states = 1;                        // intervals of constant balancing inputs within
  double expected_requests = 0.0;                  // of all clients of the entry, by their rates
  std::shared_ptr<const EpochHealth> health = {};  // always there in results of a run
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
  std::uint64_t answers = 0;  // that it is of
  double p50 = 0.0;
  double p90 = 0.0;
  double p95 = 0.0;
  double p99 = 0.0;
  double max = 0.0;
};

// Quantiles of one histogram. [s] Each within 1 % of the true order statistic; `max` is exact.
struct LatencyQuantiles {
  std::uint64_t answers = 0;  // that they are of; 0: the others mean nothing
  double p50 = 0.0;
  double p90 = 0.0;
  double p95 = 0.0;
  double p99 = 0.0;
  double p999 = 0.0;
  double max = 0.0;
};

// Over the whole run: of successful answers, and until requests failed. Unfinished ones are in neither.
struct WholeLatency {
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  LatencyQuantiles ok{};
  LatencyQuantiles errors{};
  // Where Options::latency_cells asks for them: each cell of engine::LatencyHistogram with any, then how many it has.
  std::vector<std::uint64_t> cells_of_ok{};
  std::vector<std::uint64_t> cells_of_errors{};
};

// How many requests were answered successfully within a limit, counted one by one.
struct WithinLimit {
  std::uint32_t epoch = 0;
  config::ClientEntryIndex client{};
  config::ServiceIndex service{};
  std::uint32_t limit = 0;  // which of Options::latency_limits
  std::uint64_t answers = 0;
  // With the first limit alone: all successful answers, by the cells of engine::LatencyHistogram.
  std::vector<std::uint64_t> cells{};
};

// Load of an endpoint in [start, end). Utilisation is of its own cores or, if it has none, of its node's, which it may
// share. Only requests are set if no endpoint has a core limit.
struct EndpointLoad {
  std::uint32_t epoch = 0;  // of all tables together, or the number of the sample; from 0
  Nanoseconds start{0};
  Nanoseconds end{0};
  config::ServiceIndex service{};
  config::EndpointIndex endpoint{};
  std::optional<double> utilisation{};  // of its cores, 0 to 1; in mode exact what they would have to be
  std::optional<double> queue_mean{};   // requests that wait for a core
  std::optional<std::uint32_t> queue_max{};
  std::uint64_t requests = 0;        // attempts that proxies sent there
  std::optional<double> expected{};  // in mode exact, instead: requests; none: there is no closed form
};

// Events that the timeline does not write, counted over all clients, for the summary.
struct RareEvents {
  std::uint64_t ejections = 0;
  std::uint64_t unejections = 0;
};

// A proxy takes a host out for what it answers, or back.
struct Ejection {
  Nanoseconds at{0};
  config::ClientEntryIndex client{};
  config::ServiceIndex cluster{};
  config::EndpointIndex endpoint{};
  bool ejected = true;
};

// The health of a host by a proxy's active checks from now on.
struct CheckedHealth {
  Nanoseconds at{0};
  config::ClientEntryIndex client{};
  config::ServiceIndex cluster{};
  config::EndpointIndex endpoint{};
  envoy::Health health = envoy::Health::healthy;
};

struct Results {
  scenario::Mode mode = scenario::Mode::exact;
  std::uint64_t seed = 1;
  std::uint32_t replications = 1;
  std::string result_fingerprint;  // 16 hexadecimal digits; empty in exact mode
  std::vector<Epoch> epochs;       // by (client, service, index)
  Shares shares;  // by (client, service, epoch, cluster, priority, availability, endpoint in file order)
  std::vector<Outcomes> outcomes;  // by (client, service, epoch); empty in exact mode
  std::vector<Latency> latency;    // likewise
  // By (client, service); of replications means, but the longest; empty in mode exact and after a warm-up.
  std::vector<WholeLatency> whole_latency;
  std::vector<WithinLimit> within;      // by (client, service, epoch, limit), where asked for; of one run alone
  std::vector<EndpointLoad> endpoints;  // by (epoch, endpoint), where asked for; what got nothing is left out
  std::vector<EndpointLoad> samples;    // the same at even intervals, where asked for
  std::vector<EndpointLoad> windows;    // the same in each of scenario::utilisation_windows
  // By scenario::outcome_windows: of the requests of all clients that were sent within; empty in exact mode.
  std::vector<Outcomes> outcomes_in_windows = {};
  CrossZones cross_zone;  // by (client, service, epoch, from, to)
  bool at_rest = false;   // what stands in `exact` are the shares at rest
  RareEvents events;
  Events logged_events;                // where asked for; of replications, those of the first
  std::vector<Ejection> ejections;     // by time, of all proxies; none where replications are summed up
  std::vector<CheckedHealth> checked;  // likewise
  std::optional<ProxyMoment> moment;   // where one was asked for; of one run alone
};

}  // namespace spillway::run
