// Determines the request rate of each client of an imported scenario from the counts of the clusters that it routes to
// (rate_fit.hpp).
//
//   RatesOfClients rates = rates_of(input, {{0, &world}});
//   rates.of.front().rate;   // nullopt if its clusters have no counts
//
// An aggregate cluster without a count of its own has the sum of the clusters below it, if nothing else routes to
// these. Counts without requests that `drop_overloads` dropped are those of the requests that passed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/observed/rate_phases.hpp"

namespace spillway::scenario {
struct RequestKind;  // workload.hpp
struct Scenario;     // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::importing {

struct Input;  // import.hpp

struct CountedClient {
  std::size_t proxy = 0;                      // in Input::proxies
  const scenario::Scenario* world = nullptr;  // its first client
};

struct ClientRate {
  std::optional<double> rate = {};               // requests per second
  std::vector<observed::RatePhase> phases = {};  // instead of `rate`
  bool is_guess = false;                         // other rates fit the counts equally well
  bool is_at_least = false;                      // a counter was reset in between
};

struct RatesOfClients {
  std::vector<ClientRate> of = {};         // of each client
  std::vector<std::string> findings = {};  // counts that these rates do not match, or that are incomplete
};

[[nodiscard]] RatesOfClients rates_of(const Input& input, const std::vector<CountedClient>& clients);

// Returns the request of a scenario made for a described request; null if its client calls a cluster directly.
[[nodiscard]] const scenario::RequestKind* described_in(const scenario::Scenario& world);

}  // namespace spillway::reports::importing
