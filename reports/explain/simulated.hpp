// What one proxy had detected itself at a moment of a run, and its requests in flight, for explanations.
//
//   const SimulatedProxy played = simulate_proxy(scenario, {.client = client, .instance = 3, .at = 50s});
//   Explanation explanation = explain(played.scenario, sources, question);
//   add_simulated(scenario, reading.diagnostics, reading.sources, played, question, explanation);
//
// Plays the scenario once. Hosts that the proxy has ejected or that fail its checks are told unhealthy in
// `played.scenario`, at that moment and to that client alone, so that every step counts them so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/run/records/proxy_moment.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::explain {

struct Explanation;  // explanation.hpp

struct SimulatedQuestion {
  config::ClientEntryIndex client = {};
  std::uint32_t instance = 0;  // of the entry's clients, from 0
  config::ServiceIndex service = {};
  run::Nanoseconds at{0};
  std::optional<std::uint64_t> seed = {};
};

struct SimulatedProxy {
  scenario::Scenario scenario;
  std::vector<run::EventRecord> known = {};  // what goes on at the moment: the happening that began each
  run::ProxyMoment moment = {};
  // What became of all the client's requests for the service around the moment; none: it sent nothing.
  std::optional<run::Outcomes> outcomes = {};
  run::Nanoseconds from{0};  // of that stretch
  run::Nanoseconds to{0};
  // Of several clusters, how many of those requests went to each first, by name.
  std::vector<std::pair<std::string, std::uint64_t>> split = {};
};

[[nodiscard]] SimulatedProxy simulate_proxy(const scenario::Scenario& scenario, const SimulatedQuestion& question);

// Whether the client's proxies find out by themselves what the service's hosts do, so that only a run can tell.
[[nodiscard]] bool finds_out(const scenario::Scenario& scenario, const SimulatedQuestion& question);

// What is known as the first step; at the end what the proxy had in hand, what failed, what retries gain, and what to
// change. `warnings`: of the scenario.
void add_simulated(const scenario::Scenario& scenario, const Diagnostics& warnings, const Sources& sources,
                   const SimulatedProxy& simulated, const SimulatedQuestion& question, Explanation& explanation);

}  // namespace spillway::reports::explain
