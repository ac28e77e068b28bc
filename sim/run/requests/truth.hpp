// What endpoints and clients really do, as opposed to what anybody is told of them, and which requests fail. What is on
// or off, the World knows.
//
//   Truth truth(scenario, seed);
//   truth.set(fails, now);                              // a change of the scenario
//   if (auto failure = truth.fails(endpoint)) { ... failure->status ... }
//
// Questions are constant time. Draws: one for each request to an endpoint that fails some of them by chance.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/engine/random_stream.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::run {

class Truth {
 public:
  Truth(const scenario::Scenario& scenario, std::uint64_t seed);

  template <class Effect>
  void set(const Effect& effect, scenario::Nanoseconds now) {
    state_.apply(effect, now);
    if constexpr (std::is_same_v<Effect, scenario::Fails>) {
      prepare(effect);
    }
  }

  [[nodiscard]] const scenario::ActualState& state() const noexcept { return state_; }
  [[nodiscard]] bool exists(config::EndpointIndex endpoint) const noexcept { return state_.of(endpoint).exists; }
  // How this request fails; null: it does not.
  [[nodiscard]] const scenario::Failing* fails(config::EndpointIndex endpoint) noexcept {
    const scenario::Failing& failing = state_.of(endpoint).failing;
    if (failing.fraction <= 0.0) {
      return nullptr;
    }
    if (failing.every > 0) {
      return ++turns_[endpoint.value] % failing.every == 0 ? &failing : nullptr;
    }
    return failing.fraction < 1.0 && engine::unit_interval(*draws_[endpoint.value]) > failing.fraction ? nullptr
                                                                                                       : &failing;
  }
  // The same of an active check.
  [[nodiscard]] const scenario::Failing* fails_check(config::EndpointIndex endpoint) noexcept {
    return state_.of(endpoint).failing.checks ? fails(endpoint) : nullptr;
  }
  [[nodiscard]] const scenario::EndpointState& of(config::EndpointIndex endpoint) const noexcept {
    return state_.of(endpoint);
  }

  // Visits every stream that was drawn from, in a fixed order.
  void for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const;

 private:
  void prepare(const scenario::Fails& effect);

  const scenario::Scenario* scenario_;
  std::uint64_t seed_;
  scenario::ActualState state_;
  std::vector<std::optional<engine::RandomStream>> draws_;  // by EndpointIndex
  std::vector<std::uint64_t> turns_;                        // likewise: requests since it fails every so manieth
};

}  // namespace spillway::run
