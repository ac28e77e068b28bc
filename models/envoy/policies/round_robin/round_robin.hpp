// Round robin (envoy.load_balancing_policies.round_robin).
//
// Equal weights: each list has a cursor that starts at the client's seed and is kept when hosts change. Different
// weights, or a host that may be in slow start: a schedule by earliest deadline, started anew when its priority
// changes. One draw at construction (the seed), none at a pick. Over uniform seeds each pick falls on a host with its
// share of the weights.
//
// Source: docs/behaviour/envoy-host-pick.md 6; Envoy's round_robin_lb.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/config/slow_start.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/slow_start_hosts.hpp"
#include "models/envoy/policies/weighted_schedules.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy::policies::round_robin {

struct Config {
  config::SlowStartConfig slow_start_config;

  friend bool operator==(const Config&, const Config&) = default;
};

class PickState {
  // Of the hosts of a list by position, with slow start if that may apply.
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

  // The cursors by source, for loops that move them themselves: a pick is hosts[cursor++ % hosts.size()]. None where a
  // list has a schedule, or where somebody has peeked. Valid until the next update.
  [[nodiscard]] std::span<std::uint64_t> cursors() noexcept {
    return schedules_.empty() && peeked_ == 0 ? std::span(cursors_) : std::span<std::uint64_t>();
  }

  // What a later pick from this list will give.
  std::optional<config::HostIndex> peek(const Config& config, const PickInput& input) {
    const auto hosts = input.sources.hosts(input.source);
    if (EdfScheduler* const schedule = schedules_.find(input.source)) {
      return hosts[schedule->peek_by(slow_weights(config, input))];
    }
    return hosts[(cursors_[input.source.value] + peeked_++) % hosts.size()];
  }

 private:
  std::vector<std::uint64_t> cursors_;  // by SourceIndex
  std::vector<std::uint32_t> begins_;   // of each priority in cursors_
  std::uint64_t peeked_ = 0;            // not picked yet, of all lists together
  WeightedSchedules schedules_;
  health::SlowStart slow_start_;
};

// Adds probability * share to `shares`, one entry per host of the source: a host's part of the weights.
void add_shares(const Config&, const ShareInput& input, double probability, std::span<double> shares);

struct Policy {
  using Config = round_robin::Config;
  using PickState = round_robin::PickState;
  static constexpr std::string_view name = "envoy.load_balancing_policies.round_robin";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin";
  static constexpr message::Settings settings{"ROUND_ROBIN", 0, "round_robin_lb_config",
                                              "envoy.config.cluster.v3.Cluster.RoundRobinLbConfig",
                                              "of lb_policy ROUND_ROBIN"};
  static constexpr Explained explained{"6", "round_robin_lb.cc"};
  static constexpr bool blind_to_names = true;
  static constexpr auto add_shares = &round_robin::add_shares;
  static constexpr std::string_view basis(bool) { return ""; }
  static constexpr Memory memory(const Config&, const ShareInput&, bool) { return Memory::cursor; }
  static constexpr bool takes_turns(bool) { return true; }

  template <class Fields>
  static void describe_settings(Fields& fields, Config& config) {
    describe_slow_start(fields, config.slow_start_config);
  }
  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    fields.locality();
    describe_slow_start(fields, config.slow_start_config);
  }
  template <class Release>
  static void in_release(Release& release, Config& config) {
    slow_start_in_release(release, config.slow_start_config);
  }
};

}  // namespace spillway::envoy::policies::round_robin
