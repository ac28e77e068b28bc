// The actual state of endpoints and clients, as opposed to what EDS reports, and which requests fail. The World knows
// what is on or off.
//
//   Truth truth(scenario, seed);
//   truth.set(fails, now);                              // a change of the scenario
//   if (auto failure = truth.fails(endpoint)) { ... failure->status ... }
//
// Queries are O(1). Draws: one per request to an endpoint that fails some of them by chance. They are made some
// requests ahead, so that most requests only count down.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/engine/random_stream.hpp"
#include "sim/scenario/forward.hpp"
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
  // Returns how this request fails; null if it does not.
  [[nodiscard]] const scenario::Failing* fails(config::EndpointIndex endpoint) noexcept {
    std::uint32_t& left = left_[endpoint.value];
    if (left == never) {
      return nullptr;
    }
    --left;
    return left > 0 ? nullptr : fails_perhaps(endpoint);
  }
  // Returns how this active check fails; null if it does not.
  [[nodiscard]] const scenario::Failing* fails_check(config::EndpointIndex endpoint) noexcept {
    return left_[endpoint.value] != never && state_.of(endpoint).failing.checks ? fails(endpoint) : nullptr;
  }
  [[nodiscard]] const scenario::EndpointState& of(config::EndpointIndex endpoint) const noexcept {
    return state_.of(endpoint);
  }

  // Visits every stream that was drawn from, at the position that requests have reached, in a fixed order.
  void for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const;

 private:
  static constexpr std::uint32_t never = UINT32_MAX;

  // The draws that decide which requests of an endpoint fail. `ahead` draws have been made from `stream` on. Only the
  // last of them may fail; `last_fails` says if it does.
  struct Chance {
    engine::RandomStream stream;
    engine::RandomStream after;
    std::uint32_t ahead = 0;
    bool last_fails = false;
  };

  void prepare(const scenario::Fails& effect);
  [[nodiscard]] const scenario::Failing* fails_perhaps(config::EndpointIndex endpoint) noexcept;
  static void draw_ahead(Chance& chance, double fraction) noexcept;
  [[nodiscard]] engine::RandomStream stream_of(std::size_t endpoint) const noexcept;

  const scenario::Scenario* scenario_;
  std::uint64_t seed_;
  scenario::ActualState state_;
  std::vector<std::uint32_t> left_;             // by EndpointIndex: requests up to the next that may fail; or never
  std::vector<std::optional<Chance>> chances_;  // by EndpointIndex
};

}  // namespace spillway::run
