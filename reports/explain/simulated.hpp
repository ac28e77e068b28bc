// Simulates what one proxy has detected by itself at a time of a run, and its requests in flight, for explanations.
//
//   const SimulatedProxy simulated = simulate_proxy(scenario, {.client = client, .instance = 3, .at = 50s});
//   Explanation explanation = explain(simulated.scenario, sources, question);
//   add_simulated(scenario, reading.diagnostics, reading.sources, simulated, question, explanation);
//
// Simulates the scenario once. In `simulated.scenario`, EDS reports hosts that the proxy has ejected, or whose checks
// fail, as unhealthy at that time and to that client only. So every step counts them as unhealthy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/source.hpp"
#include "reports/explain/simulated_question.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/records/proxy_moment.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway {
struct Diagnostics;  // diagnostic.hpp
}  // namespace spillway

namespace spillway::reports::explain {

struct Explanation;  // explanation.hpp

struct SimulatedProxy {
  scenario::Scenario scenario;
  std::vector<run::EventRecord> known = {};  // events that started each current condition
  run::ProxyMoment moment = {};
  // The outcomes of all the client's requests for the service around that time; nullopt if it sent none.
  std::optional<run::Outcomes> outcomes = {};
  run::Nanoseconds from{0};  // start of that period
  run::Nanoseconds to{0};
  // If there are several clusters, the number of those requests that went to each first, by name.
  std::vector<std::pair<std::string, std::uint64_t>> split = {};
};

[[nodiscard]] SimulatedProxy simulate_proxy(const scenario::Scenario& scenario, const SimulatedQuestion& question);

// True if the client's proxies detect the behaviour of the service's hosts by themselves, so that a run is needed.
[[nodiscard]] bool finds_out(const scenario::Scenario& scenario, const SimulatedQuestion& question);

// Adds what the proxy has detected as the first step. At the end it adds the requests in flight, failures, the gain of
// retries, and changes that help. `warnings` are the scenario's.
void add_simulated(const scenario::Scenario& scenario, const Diagnostics& warnings, const Sources& sources,
                   const SimulatedProxy& simulated, const SimulatedQuestion& question, Explanation& explanation);

}  // namespace spillway::reports::explain
