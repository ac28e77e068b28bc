// Simulates a scenario with and without one change, and compares a client's requests around a time.
//
//   const Trials trials(scenario, question);
//   const Effect after = trials.with([](scenario::Scenario& changed) { ... });
//   if (const auto text = gain_text(trials.now(), after)) { ... }   // "98.4 % of the requests succeed instead of 75 %"
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "reports/explain/simulated_question.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

// The client's requests for the service, from the scenario's last change before that time to the next one.
struct Effect {
  std::uint64_t sent = 0;
  std::uint64_t ok = 0;
  std::uint64_t attempts = 0;
};

// Returns nullopt unless more requests succeed, or as many with fewer attempts, beyond what chance explains.
[[nodiscard]] std::optional<std::string> gain_text(const Effect& before, const Effect& after);

class Trials {
 public:
  using Change = std::function<void(scenario::Scenario&)>;

  // Stores the arguments and simulates nothing yet. Lifetime: the scenario must outlive this object.
  Trials(const scenario::Scenario& scenario, const SimulatedQuestion& question);

  // Returns the effect of the unchanged scenario; simulated on first use.
  [[nodiscard]] const Effect& now() const;
  [[nodiscard]] Effect with(const Change& change) const;

 private:
  const scenario::Scenario* scenario_;
  SimulatedQuestion question_;
  run::Nanoseconds from_{0};
  run::Nanoseconds to_{0};
  mutable std::optional<Effect> now_;
};

}  // namespace spillway::reports::explain
