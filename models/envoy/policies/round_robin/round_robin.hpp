// Round robin (envoy.load_balancing_policies.round_robin).
//
// Equal weights: each list has a cursor, which starts at the client's seed and survives changes of hosts. Different
// weights, or a host that may be in slow start: an earliest-deadline schedule, which starts again when its priority
// changes. Draws: one at construction (the seed), none per pick. Over uniform seeds, each pick hits a host with its
// share of the weights.
//
// Source: docs/behaviour/envoy-host-pick.md 6; Envoy's round_robin_lb.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/round_robin/config.hpp"
#include "models/envoy/policies/weighted_schedules.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy::policies::round_robin {

class PickState {
  // Returns weights of the hosts of a list by position, with slow start if that may apply.
  [[nodiscard]] auto slow_weights(const Config& config, const PickInput& input) const noexcept {
    return
        [this, &config, hosts = input.sources.hosts(input.source), weights = input.sources.weights(input.source),
         now = input.now, slow = slow_start_.may_apply(config.slow_start_config, input.now)](std::uint32_t position) {
          return slow ? slow_start_.weight(config.slow_start_config, hosts[position], weights[position], now)
                      : weights[position];
        };
  }

 public:
  template <class Draw>
  PickState(const Config& config, const PickStateInput& input, Draw& draw)
      : schedules_(draw()), slow_start_(input.times.now) {
    update(config, input);
  }

  void update(const Config& config, const PickStateInput& input);

  template <class Draw>
  config::HostIndex pick(const Config& config, const PickInput& input, Draw&) noexcept {
    const auto hosts = input.sources.hosts(input.source);
    if (EdfScheduler* const schedule = schedules_.find(input.source)) {
      return hosts[slow_start_.may_apply(config.slow_start_config, input.now)
                       ? schedule->pick_by(slow_weights(config, input))
                       : schedule->pick(input.sources.weights(input.source))];
    }
    peeked_ -= peeked_ > 0 ? 1 : 0;
    return hosts[cursors_[input.source.value]++ % hosts.size()];
  }

  // Returns the cursors by source, for loops that advance them themselves: a pick is hosts[cursor++ % hosts.size()].
  // Empty if a list has a schedule, or after peek(). Valid until the next update.
  [[nodiscard]] std::span<std::uint64_t> cursors() noexcept {
    return schedules_.empty() && peeked_ == 0 ? std::span(cursors_) : std::span<std::uint64_t>();
  }

  // Returns the next pick from this list that has not been peeked at.
  std::optional<config::HostIndex> peek(const Config& config, const PickInput& input) {
    const auto hosts = input.sources.hosts(input.source);
    if (EdfScheduler* const schedule = schedules_.find(input.source)) {
      return hosts[schedule->peek_by(slow_weights(config, input))];
    }
    return hosts[(cursors_[input.source.value] + peeked_++) % hosts.size()];
  }

 private:
  std::vector<std::uint64_t> cursors_;  // by SourceIndex
  std::vector<std::uint32_t> begins_;   // first index in cursors_ of each priority
  std::uint64_t peeked_ = 0;            // number of peeked picks not made yet, over all lists
  WeightedSchedules schedules_;
  health::SlowStart slow_start_;
};

}  // namespace spillway::envoy::policies::round_robin
