// Registers the policy round robin: its names, and its fields in files, exports and explanations.
#pragma once

#include <span>
#include <string_view>

#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/round_robin/config.hpp"
#include "models/envoy/policies/slow_start_fields.hpp"

namespace spillway::envoy::policies::round_robin {

class PickState;  // round_robin.hpp

// Adds probability * share to `shares`, one entry per host of the source. Shares are proportional to weights.
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
