// The stored results of one run: outcomes and latency by client, shares by group, utilisation by zone, event counts.
//
//   Figures figures = figures_of(scenario, run::run(scenario, options));
//   figures.total.failed;      // the share of requests that did not end well
//
// Numbers that a mode does not have are absent: counts and latency in mode exact; in other modes, exact shares that
// depend on load.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/forward.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::sweep {

// Outcome of one client and service, or of all together.
struct Outcome {
  std::string client = {};
  std::string service = {};
  std::optional<run::Outcomes> counts = {};  // over the whole run
  // Failed fraction of the requests: 1 - ok/sent, including unfinished ones. In mode exact, the requests that found no
  // host; nullopt if endpoints may fail, be lost or be overloaded.
  std::optional<double> failed = {};
  // [s], of successful responses; the total has the largest of the clients' values.
  std::optional<run::LatencyQuantiles> latency = {};
};

// Shares of one client's requests to a service by the target of the first attempt. Exact shares are means over time,
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

// Load of a service's endpoints in a zone, over the whole run.
struct ZoneLoad {
  std::string service = {};
  std::string zone = {};
  std::uint32_t endpoints = 0;         // number that got requests
  std::optional<double> mean = {};     // utilisation of their cores
  std::optional<double> busiest = {};  // utilisation of the busiest one
  std::optional<std::uint32_t> queue_max = {};
  std::uint64_t requests = 0;  // attempts; 0 in mode exact
};

struct EventCount {
  std::uint32_t kind = 0;  // run::EventKind
  std::uint64_t times = 0;
};

struct Figures {
  std::string refusal = {};      // reason why the scenario rejects these values; all else is empty then
  std::string fingerprint = {};  // of the random draws; empty in mode exact
  std::uint64_t seed = 1;
  Outcome total = {};
  // Utilisation of the busiest endpoint, in the stretch between two timeline changes where it is highest. Stretches
  // last at least a second. This is the load at the peak.
  std::optional<double> busiest = {};
  std::optional<double> cross_zone = {};  // attempts that leave their zone, per request
  std::vector<Outcome> clients = {};
  std::vector<GroupShare> shares = {};
  std::vector<ZoneLoad> loads = {};
  std::vector<EventCount> logged_events = {};
  // Utilisation of a queue that grows beyond the end of the run (lasting_overload.hpp); set for searches alone.
  std::optional<double> overload = {};
};

// Returns the run options that figures_of() needs.
[[nodiscard]] run::Options options_of_figures();
// Like options_of_figures(), with rows that also end where the timeline changes clients' rates.
[[nodiscard]] run::Options options_of_figures(const scenario::Scenario& scenario);

// Precondition: `measured_from` is that of the run.
[[nodiscard]] Figures figures_of(const scenario::Scenario& scenario, const run::Results& results,
                                 std::chrono::nanoseconds measured_from = std::chrono::nanoseconds{0});

// The byte format is for one program on one machine only, and not for storage.
[[nodiscard]] std::string figures_to_bytes(const std::vector<Figures>& runs);
[[nodiscard]] std::vector<Figures> figures_from_bytes(std::string_view bytes);

}  // namespace spillway::sweep
