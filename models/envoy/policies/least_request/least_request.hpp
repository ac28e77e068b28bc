// Least request (envoy.load_balancing_policies.least_request).
//
// Equal weights: draws choice_count hosts and picks the one with the fewest of this client's requests in flight, the
// first drawn among equals. A full scan picks one of all hosts with the fewest. Different weights, or a host that may
// be in slow start: an earliest-deadline schedule by weight / (in flight + 1) ^ active_request_bias, where a host's
// weight is computed again at each of its picks. Draws: one at construction (the seed); per pick choice_count, one per
// tie of a full scan, or none if weighted.
//
// The seed profile picks the last drawn among equals. With different weights it draws a host and picks it as many times
// in a row as its weight, or until it leaves the list. That version of Envoy had one such run for all lists, and chose
// no priority during a run; here each list has its own.
//
// Source: docs/behaviour/envoy-host-pick.md 7, versions-host-pick.md 2; Envoy's least_request_lb.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/envoy/policies/least_request/config.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/weighted_schedules.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy::policies::least_request {

// Returns weight / (active_requests + 1) ^ bias as Envoy computes it.
[[nodiscard]] double scheduled_weight(double weight, std::uint32_t active_requests, double bias) noexcept;

class PickState {
  static std::uint32_t in_flight(const PickInput& input, config::HostIndex host) noexcept {
    return input.active_requests.empty() ? 0 : input.active_requests[host.value];
  }

  // Returns weights of the hosts of a list by position: by requests in flight, and slow start if that may apply.
  [[nodiscard]] auto current_weights(const Config& config, const PickInput& input) const noexcept {
    return [this, &config, &input,
            slow = slow_start_.may_apply(config.slow_start_config, input.now)](std::uint32_t position) {
      const config::HostIndex host = input.sources.hosts(input.source)[position];
      const double weight = scheduled_weight(input.sources.weights(input.source)[position], in_flight(input, host),
                                             config.active_request_bias);
      return slow ? slow_start_.weight(config.slow_start_config, host, weight, input.now) : weight;
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
  config::HostIndex pick(const Config& config, const PickInput& input, Draw& draw) noexcept {
    if (EdfScheduler* const schedule = schedules_.find(input.source)) {
      return input.sources.hosts(input.source)[schedule->pick_by(current_weights(config, input))];
    }
    if (input.sources.profile() == config::EnvoyProfile::seed && input.sources.weighted(input.source)) {
      return pick_run(input, draw);
    }
    return config.selection_method == SelectionMethod::full_scan ? scan(input, draw)
                                                                 : best_of(config.choice_count, input, draw);
  }

  // True if a pick from this list draws two hosts and takes the second if that has fewer requests in flight.
  [[nodiscard]] bool takes_better_of_two(const Config& config, const HostSources& sources,
                                         SourceIndex source) const noexcept {
    return config.selection_method == SelectionMethod::n_choices && config.choice_count == 2 &&
           sources.profile() != config::EnvoyProfile::seed && schedules_.empty() && !sources.hosts(source).empty();
  }

  // Returns the next pick of a weighted schedule; nullopt for other lists, whose picks are drawn.
  std::optional<config::HostIndex> peek(const Config& config, const PickInput& input) {
    EdfScheduler* const schedule = schedules_.find(input.source);
    if (schedule == nullptr) {
      return std::nullopt;
    }
    return input.sources.hosts(input.source)[schedule->peek_by(current_weights(config, input))];
  }

 private:
  template <class Draw>
  config::HostIndex pick_run(const PickInput& input, Draw& draw) noexcept {
    Run& run = runs_[input.source.value];
    if (run.hits_left > 0) {
      --run.hits_left;
      return run.host;
    }
    const auto hosts = input.sources.hosts(input.source);
    const std::size_t position = draw() % hosts.size();
    run = {hosts[position], static_cast<std::uint32_t>(input.sources.weights(input.source)[position]) - 1};
    return run.host;
  }

  template <class Draw>
  static config::HostIndex best_of(std::uint32_t choices, const PickInput& input, Draw& draw) noexcept {
    const auto hosts = input.sources.hosts(input.source);
    const bool last_of_equals = input.sources.profile() == config::EnvoyProfile::seed;
    config::HostIndex best = hosts[draw() % hosts.size()];
    for (std::uint32_t choice = 1; choice < choices; ++choice) {
      const config::HostIndex candidate = hosts[draw() % hosts.size()];
      const std::uint32_t active = in_flight(input, candidate);
      const std::uint32_t fewest = in_flight(input, best);
      if (active < fewest || (last_of_equals && active == fewest)) {
        best = candidate;
      }
    }
    return best;
  }

  template <class Draw>
  static config::HostIndex scan(const PickInput& input, Draw& draw) noexcept {
    const auto hosts = input.sources.hosts(input.source);
    config::HostIndex best = hosts.front();
    std::uint64_t ties = 1;
    for (const config::HostIndex candidate : hosts.subspan(1)) {
      const std::uint32_t active = in_flight(input, candidate);
      if (active < in_flight(input, best)) {
        best = candidate;
        ties = 1;
      } else if (active == in_flight(input, best) && draw() % ++ties == 0) {
        best = candidate;
      }
    }
    return best;
  }

  WeightedSchedules schedules_;
  health::SlowStart slow_start_;

  // A run of picks of one host: the seed profile's weighted mode.
  struct Run {
    config::HostIndex host;
    std::uint32_t hits_left = 0;
  };
  void update_runs(const HostSources& sources);
  std::vector<Run> runs_;              // by SourceIndex
  std::vector<std::uint32_t> begins_;  // first index in runs_ of each priority
};

}  // namespace spillway::envoy::policies::least_request
