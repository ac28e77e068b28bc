// Adds locality weights to a policy that ignores localities (envoy.load_balancing_policies.wrr_locality): draws a
// locality by weight, and the policy inside picks one of its hosts. It has no state: it is equivalent to the policy
// inside with locality_weighted_lb_config.
//
// Source: docs/behaviour/envoy-host-pick.md 16, tried on Envoy 1.40.
#pragma once

#include <string_view>

#include "models/config/common_lb_config.hpp"
#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/refusal.hpp"

namespace spillway::envoy::policies::wrr_locality {

// The configuration of wrr_locality.
struct Config {
  ChildPolicy endpoint_picking_policy = {};
};

// Returns why Envoy refuses the configuration; nullopt if it accepts it.
[[nodiscard]] Refusal refusal(const Config& config, const FoundChild& child);

// True if Envoy accepts this policy as the child.
[[nodiscard]] bool fits(const PolicyConfig& child);

struct Policy {
  using Config = wrr_locality::Config;
  static constexpr std::string_view name = "envoy.load_balancing_policies.wrr_locality";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality";
  static constexpr const char* words = "locality";
  static constexpr auto fits = &wrr_locality::fits;
  static constexpr auto refusal = &wrr_locality::refusal;
  static const ChildPolicy& child(const Config& config) { return config.endpoint_picking_policy; }
  static ChildPolicy& child(Config& config) { return config.endpoint_picking_policy; }
  using Locality = config::LocalityWeightedLbConfig;

  template <class Fields>
  static void describe(Fields& fields, Config& config) {
    fields.child("endpoint_picking_policy", config.endpoint_picking_policy, message::Needed::no,
                 "client_side_weighted_round_robin, within the locality that its weight has drawn");
  }
};

}  // namespace spillway::envoy::policies::wrr_locality
