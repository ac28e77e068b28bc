// What is kept of one run: outcomes and latency by client, shares by group, utilisation by zone, happenings counted.
//
//   Figures figures = figures_of(scenario, run::run(scenario, options));
//   figures.total.failed;      // the share of requests that did not end well
//
// Numbers that a mode does not know are absent: in mode exact counts and latency, in others exact shares of what
// depends on load.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/results.hpp"

namespace spillway::run {
struct Options;  // run.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::sweep {

// Of one client and service, or of all together.
struct Outcome {
  std::string client = {};
  std::string service = {};
  std::optional<run::Outcomes> counts = {};  // over the whole run
  // Of the requests: 1 - ok/sent, those that had not ended among them; in mode exact those that found no host, unknown
  // where endpoints may fail, be lost or overloaded.
  std::optional<double> failed = {};
  // Of successful answers, seconds; of all together the largest of the clients'.
  std::optional<run::LatencyQuantiles> latency = {};
};

// Of all requests of one client to a service, those whose first attempt went there; exact shares are means over time,
// weighted by the requests.
struct GroupShare {
  std::string client = {};
  std::string service = {};
  std::string cluster = {};
  std::uint32_t priority = 0;
  std::string zone = {};
  std::optional<double> exact = {};
  std::optional<double> simulated = {};
  std::optional<std::uint64_t> requests = {};
};

// Of the endpoints of a service in a zone, over the whole run.
struct ZoneLoad {
  std::string service = {};
  std::string zone = {};
  std::uint32_t endpoints = 0;         // that got requests
  std::optional<double> mean = {};     // utilisation of their cores
  std::optional<double> busiest = {};  // of the busiest one
  std::optional<std::uint32_t> queue_max = {};
  std::uint64_t requests = 0;  // attempts; 0 in mode exact
};

struct EventCount {
  std::uint32_t kind = 0;  // run::EventKind
  std::uint64_t times = 0;
};

struct Figures {
  std::string refusal = {};      // why the scenario does not allow these values; nothing else is known then
  std::string fingerprint = {};  // of the draws; empty in mode exact
  std::uint64_t seed = 1;
  Outcome total = {};
  // Utilisation of the busiest endpoint of all between the two changes of the timeline where it is highest, of a second
  // at least: what has to hold at a peak.
  std::optional<double> busiest = {};
  std::optional<double> cross_zone = {};  // attempts that leave their zone, by request
  std::vector<Outcome> clients = {};
  std::vector<GroupShare> shares = {};
  std::vector<ZoneLoad> loads = {};
  std::vector<EventCount> logged_events = {};
};

// What the run must have been asked for.
[[nodiscard]] run::Options options_of_figures();
// The same for all of a scenario's timeline: rows end where clients' rates change.
[[nodiscard]] run::Options options_of_figures(const scenario::Scenario& scenario);

// `measured_from`: as the run was asked for.
[[nodiscard]] Figures figures_of(const scenario::Scenario& scenario, const run::Results& results,
                                 std::chrono::nanoseconds measured_from = std::chrono::nanoseconds{0});

// For one program on one machine: no format that anybody may keep.
[[nodiscard]] std::string figures_to_bytes(const Figures& figures);
[[nodiscard]] Figures figures_from_bytes(std::string_view bytes);

}  // namespace spillway::sweep
