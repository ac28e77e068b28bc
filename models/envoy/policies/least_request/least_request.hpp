// Least request (envoy.load_balancing_policies.least_request).
//
// Equal weights: of choice_count hosts drawn at random the one with the fewest of this client's requests in flight, the
// first drawn among equals; or, by a full scan, one of those with the fewest. Different weights: a schedule by earliest
// deadline over weight / (in flight + 1) ^ active_request_bias, in which a host's weight is read anew when it is
// picked. One draw at construction (the seed); at a pick choice_count draws, one per tie of a full scan, or none if
// weighted.
//
// Source: docs/behaviour/envoy-host-pick.md 7; Envoy's least_request_lb.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/weighted_schedules.hpp"

namespace spillway::envoy::policies::least_request {

enum class SelectionMethod : std::uint8_t { n_choices, full_scan };

struct Config {
  std::uint32_t choice_count = 2;
  double active_request_bias = 1.0;  // below 0 and NaN count as 1
  SelectionMethod selection_method = SelectionMethod::n_choices;

  friend bool operator==(const Config&, const Config&) = default;
};

// weight / (active_requests + 1) ^ bias as Envoy computes it.
[[nodiscard]] double scheduled_weight(double weight, std::uint32_t active_requests, double bias) noexcept;

class PickState {
 public:
  template <class Draw>
  PickState(const Config& config, const PickStateInput& input, Draw& draw) : schedules_(draw()) {
    update(config, input);
  }

  void update(const Config& config, const PickStateInput& input);

  template <class Draw>
  config::HostIndex pick(const Config& config, const PickInput& input, Draw& draw) noexcept {
    const auto hosts = input.sources.hosts(input.source);
    if (EdfScheduler* const schedule = schedules_.find(input.source)) {
      const auto weights = input.sources.weights(input.source);
      return hosts[schedule->pick_by([&](std::uint32_t position) {
        return scheduled_weight(weights[position], in_flight(input, hosts[position]), config.active_request_bias);
      })];
    }
    return config.selection_method == SelectionMethod::full_scan ? scan(input, draw)
                                                                 : best_of(config.choice_count, input, draw);
  }

  // Only a weighted schedule can be asked ahead.
  std::optional<config::HostIndex> peek(const Config& config, const PickInput& input) {
    EdfScheduler* const schedule = schedules_.find(input.source);
    if (schedule == nullptr) {
      return std::nullopt;
    }
    const auto hosts = input.sources.hosts(input.source);
    const auto weights = input.sources.weights(input.source);
    return hosts[schedule->peek_by([&](std::uint32_t position) {
      return scheduled_weight(weights[position], in_flight(input, hosts[position]), config.active_request_bias);
    })];
  }

 private:
  static std::uint32_t in_flight(const PickInput& input, config::HostIndex host) noexcept {
    return input.active_requests.empty() ? 0 : input.active_requests[host.value];
  }

  template <class Draw>
  static config::HostIndex best_of(std::uint32_t choices, const PickInput& input, Draw& draw) noexcept {
    const auto hosts = input.sources.hosts(input.source);
    config::HostIndex best = hosts[draw() % hosts.size()];
    for (std::uint32_t choice = 1; choice < choices; ++choice) {
      const config::HostIndex candidate = hosts[draw() % hosts.size()];
      if (in_flight(input, candidate) < in_flight(input, best)) {
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
};

// Adds probability * share to `shares`, one entry per host of the source, with the requests in flight frozen. Of n
// choices, the hosts with c in flight share P(all choices have c or more) - P(all have more) evenly. O(n log n).
void add_shares(const Config& config, const ShareInput& input, double probability, std::span<double> shares);

struct Policy {
  using Config = least_request::Config;
  using PickState = least_request::PickState;
  static constexpr std::string_view name = "envoy.load_balancing_policies.least_request";
  static constexpr auto add_shares = &least_request::add_shares;
  static constexpr std::string_view basis(bool active_requests_given) {
    return active_requests_given ? "requests in flight frozen" : "no request in flight";
  }
};

}  // namespace spillway::envoy::policies::least_request
