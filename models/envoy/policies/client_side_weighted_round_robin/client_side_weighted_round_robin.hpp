// Client-side weighted round robin (envoy.load_balancing_policies.client_side_weighted_round_robin, alpha): round robin
// by weights that follow from what hosts report of their load.
//
//   HostReports reports;                                          // of one host
//   reports.receive(config, {.rps_fractional = 1000, .application_utilization = 0.5}, now);   // weight 2000
//   weights_of(config, all_reports, now);                         // every weight_update_period: {2000, 2000, 31}
//
// A host whose reports are too young (blackout_period) or too old (weight_expiration_period) gets the median of the
// others' weights. New weights are new host weights for everybody: the cluster's state is refreshed with them, and the
// schedules start anew.
//
// Source: docs/behaviour/envoy-host-pick.md 15; Envoy's client_side_weighted_round_robin_lb.cc.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/envoy/policies/round_robin/round_robin.hpp"
#include "models/envoy/policies/wrr_locality/wrr_locality.hpp"

namespace spillway::envoy::policies::client_side_weighted_round_robin {

using Time = std::chrono::nanoseconds;  // since the start of the run

struct Config {
  Time blackout_period = std::chrono::seconds{10};
  Time weight_expiration_period = std::chrono::seconds{180};
  Time weight_update_period = std::chrono::seconds{1};
  double error_utilization_penalty = 0.0;  // unset is 0 in Envoy's code, although its documentation says 1
  std::vector<std::string> metric_names_for_computing_utilization = {};
  config::SlowStartConfig slow_start_config = {};  // of new hosts, on top of their weights, as round robin has it

  friend bool operator==(const Config&, const Config&) = default;
};

// An ORCA report of a host's load.
struct LoadReport {
  double rps_fractional = 0.0;  // requests per second
  double eps = 0.0;             // errors per second
  double application_utilization = 0.0;
  double cpu_utilization = 0.0;
  std::map<std::string, double> named_metrics = {};
};

// application_utilization, else the largest of the named metrics, else cpu_utilization, each if above 0. A metric is
// named `named_metrics.KEY`, or by a field of the report.
[[nodiscard]] double utilization(const LoadReport& report, std::span<const std::string> metric_names);

// The weight of a report, or why it is ignored, in Envoy's words.
using WeightOrError = std::variant<std::uint32_t, std::string_view>;
[[nodiscard]] WeightOrError weight_from_report(double rps_fractional, double eps, double utilization,
                                               double error_utilization_penalty);

// What a balancer remembers of one host.
class HostReports {
 public:
  HostReports() = default;
  HostReports(std::uint32_t weight, Time non_empty_since, Time last_update)
      : weight_(weight), non_empty_since_(non_empty_since), last_update_(last_update) {}

  void receive(const Config& config, const LoadReport& report, Time now);

  // The weight if reports have come since `max_non_empty_since` or before and the last one at `min_last_update` or
  // after. One that is too old starts the blackout period anew.
  [[nodiscard]] std::optional<std::uint32_t> weight_if_valid(Time max_non_empty_since, Time min_last_update);

  // Since when reports have come; none: no valid one has, or the last is too old.
  [[nodiscard]] std::optional<Time> non_empty_since() const noexcept { return non_empty_since_; }

 private:
  std::uint32_t weight_ = 0;
  std::optional<Time> non_empty_since_;
  Time last_update_{0};
};

// The others get the median of the valid weights (the truncated mean of the two middle ones), 1 if there are none.
[[nodiscard]] std::vector<std::uint32_t> fill_with_median(std::span<const std::optional<std::uint32_t>> weights);

// The weights of one priority's hosts at this moment, at least 1 each.
[[nodiscard]] std::vector<std::uint32_t> weights_of(const Config& config, std::span<HostReports> hosts, Time now);

// Round robin over the hosts' weights of the moment.
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

void add_shares(const Config&, const ShareInput& input, double probability, std::span<double> shares);

// How hosts report outside of answers, which Envoy does not do.
struct OutOfBandReporting {
  using DescribesItself = void;
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.OobReportingConfig";
  template <class Fields>
  static void describe(Fields& fields, OutOfBandReporting&) {
    fields.idle("authority", message::Text{});
    fields.idle("port_value", message::Uint32{});
  }
};

struct Policy {
  using Config = client_side_weighted_round_robin::Config;
  using PickState = client_side_weighted_round_robin::PickState;
  static constexpr std::string_view name = "envoy.load_balancing_policies.client_side_weighted_round_robin";
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
  static constexpr Explained explained{"15", "client_side_weighted_round_robin_lb.cc"};
  static constexpr bool follows_load_reports = true;
  // It knows no localities: wrr_locality chooses one around it.
  using OverLocalities = wrr_locality::Policy;
  static constexpr auto add_shares = &client_side_weighted_round_robin::add_shares;
  static constexpr std::string_view basis(bool) { return "host weights as last reported"; }
  static constexpr Memory memory(const Config&, const ShareInput&, bool) { return Memory::cursor; }
  static constexpr bool takes_turns(bool) { return true; }

  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    fields.optional("blackout_period", config.blackout_period, message::Duration{},
                    "a host's first reports are not used for so long; default: 10s");
    fields.optional("weight_expiration_period", config.weight_expiration_period, message::Duration{},
                    "and its last one for so long; default: 180s");
    fields.optional("weight_update_period", config.weight_update_period, message::Duration{},
                    "between two calculations of the weights; default: 1s");
    fields.optional("error_utilization_penalty", config.error_utilization_penalty, message::Double{},
                    "by how much errors count as load; default: 0");
    fields.optional("metric_names_for_computing_utilization", config.metric_names_for_computing_utilization,
                    message::Texts{}, "which reported figures are the load");
    fields.idle("enable_oob_load_report", message::Flag{true});
    fields.idle("oob_reporting_period", message::Duration{});
    fields.idle("oob_reporting_config", message::Of<OutOfBandReporting>{});
    describe_slow_start(fields, config.slow_start_config);
  }
  template <class Release>
  static void in_release(Release& release, Config&) {
    release.refuse(true, 32, "client_side_weighted_round_robin");
  }
};

}  // namespace spillway::envoy::policies::client_side_weighted_round_robin
