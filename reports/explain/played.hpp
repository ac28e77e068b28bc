// What one proxy had found out by itself at a moment of a run, as explanations need it.
//
//   const PlayedProxy played = play_proxy(scenario, {.client = client, .instance = 3, .at = 50s});
//   Explanation explanation = explain(played.scenario, sources, question);
//   add_played(played, explanation);
//
// Plays the scenario once. Hosts that the proxy has ejected or that fail its checks are told unhealthy in
// `played.scenario`, at that moment and to that client alone, so that every step counts them so.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/explain/explanation.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::explain {

struct PlayedQuestion {
  config::ClientEntryIndex client = {};
  std::uint32_t instance = 0;  // of the entry's clients, from 0
  config::ServiceIndex service = {};
  run::Nanoseconds at{0};
  std::optional<std::uint64_t> seed = {};
};

struct PlayedProxy {
  scenario::Scenario scenario;
  std::vector<Fact> known = {};   // what it had found out, or that there was nothing
  std::vector<Fact> failed = {};  // what became of all the client's requests around the moment
};

[[nodiscard]] PlayedProxy play_proxy(const scenario::Scenario& scenario, const PlayedQuestion& question);

// As the first step and the last.
void add_played(const PlayedProxy& played, Explanation& explanation);

}  // namespace spillway::reports::explain
