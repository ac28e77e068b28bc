// Client-side weighted round robin (envoy.load_balancing_policies.client_side_weighted_round_robin, alpha): round robin
// with weights computed from the load that hosts report.
//
//   HostReports reports;                                          // of one host
//   reports.receive(config, {.rps_fractional = 1000, .application_utilization = 0.5}, now);   // weight 2000
//   weights_of(config, all_reports, now);                         // every weight_update_period: {2000, 2000, 31}
//
// A host whose reports are too recent (blackout_period) or too old (weight_expiration_period) gets the median of the
// other weights. New weights replace the hosts' weights: the cluster's state is refreshed, and the schedules start
// again.
//
// Source: docs/behaviour/envoy-host-pick.md 15; Envoy's client_side_weighted_round_robin_lb.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/envoy/policies/client_side_weighted_round_robin/config.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/host_reports.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/load_report.hpp"
#include "models/envoy/policies/round_robin/round_robin.hpp"

namespace spillway::envoy::policies::client_side_weighted_round_robin {

// Returns application_utilization if it is above 0, else the largest of the named metrics if it is, else
// cpu_utilization. A metric is named `named_metrics.KEY`, or by a field of the report.
[[nodiscard]] double utilization(const LoadReport& report, std::span<const std::string> metric_names);

// The weight of a report, or why it is ignored, in Envoy's words.
using WeightOrError = std::variant<std::uint32_t, std::string_view>;
[[nodiscard]] WeightOrError weight_from_report(double rps_fractional, double eps, double utilization,
                                               double error_utilization_penalty);

// Replaces missing weights by the median of the valid ones (truncated), or by 1 if none is valid.
[[nodiscard]] std::vector<std::uint32_t> fill_with_median(std::span<const std::optional<std::uint32_t>> weights);

// Returns the current weights of one priority's hosts, each at least 1.
[[nodiscard]] std::vector<std::uint32_t> weights_of(const Config& config, std::span<HostReports> hosts, Time now);

// Round robin with the hosts' current weights.
class PickState {
 public:
  template <class Draw>
  PickState(const Config& config, const PickStateInput& input, Draw& draw)
      : picks_({config.slow_start_config}, input, draw) {}

  void update(const Config& config, const PickStateInput& input) { picks_.update({config.slow_start_config}, input); }

  template <class Draw>
  config::HostIndex pick(const Config& config, const PickInput& input, Draw& draw) noexcept {
    return picks_.pick({config.slow_start_config}, input, draw);
  }

  std::optional<config::HostIndex> peek(const Config& config, const PickInput& input) {
    return picks_.peek({config.slow_start_config}, input);
  }

 private:
  round_robin::PickState picks_;
};

}  // namespace spillway::envoy::policies::client_side_weighted_round_robin
