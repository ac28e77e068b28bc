// What endpoints and clients really do, as opposed to what anybody is told of them, and which requests fail. What is on
// or off, the World knows.
//
//   Truth truth(scenario, seed);
//   truth.set(fails, now);                              // a change of the scenario
//   if (auto failure = truth.fails(endpoint)) { ... failure->status ... }
//
// Questions are constant time. Draws: one for each request to an endpoint that fails some of them by chance, made some
// requests ahead, so that most of them cost no more than counting down.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/engine/random_stream.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

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
    std::uint32_t& left = left_[endpoint.value];
    if (left == never) {
      return nullptr;
    }
    --left;
    return left > 0 ? nullptr : fails_perhaps(endpoint);
  }
  // The same of an active check.
  [[nodiscard]] const scenario::Failing* fails_check(config::EndpointIndex endpoint) noexcept {
    return left_[endpoint.value] != never && state_.of(endpoint).failing.checks ? fails(endpoint) : nullptr;
  }
  [[nodiscard]] const scenario::EndpointState& of(config::EndpointIndex endpoint) const noexcept {
    return state_.of(endpoint);
  }

  // Visits every stream that was drawn from, as far as requests have come, in a fixed order.
  void for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const;

 private:
  static constexpr std::uint32_t never = UINT32_MAX;

  // What an endpoint draws by which requests fail: from `stream` on, `ahead` of them are drawn already, of which the
  // last one fails or does not, and no other does.
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
  std::vector<std::uint32_t> left_;             // by EndpointIndex: requests up to the next one that may fail; or never
  std::vector<std::optional<Chance>> chances_;  // likewise
};

}  // namespace spillway::run
