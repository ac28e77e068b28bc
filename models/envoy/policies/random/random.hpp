// Random (envoy.load_balancing_policies.random): the draw that chose the priority chooses the host too.
//
// Weights are not looked at. Since one draw serves both choices, hosts of a priority with less than the whole load are
// picked evenly only where their number shares no factor with 100.
//
// Source: docs/behaviour/envoy-before-pick.md 5, envoy-host-pick.md 8; Envoy's random_lb.cc.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "models/envoy/policies/pick_input.hpp"

namespace spillway::envoy::policies::random {

struct Config {
  friend bool operator==(const Config&, const Config&) = default;
};

class PickState {
 public:
  template <class Draw>
  PickState(const Config&, const PickStateInput&, Draw&) {}

  void update(const Config&, const PickStateInput&) {}

  template <class Draw>
  config::HostIndex pick(const Config&, const PickInput& input, Draw&) noexcept {
    const auto hosts = input.sources.hosts(input.source);
    return hosts[input.priority_draw % hosts.size()];
  }

  std::optional<config::HostIndex> peek(const Config&, const PickInput& input) {
    const auto hosts = input.sources.hosts(input.source);
    return hosts[input.priority_draw % hosts.size()];
  }
};

// Adds probability * share to `shares`, one entry per host of the source. With the draws of residues [b, e) and
// g = gcd(100, n), host j of n has (number of v in [b, e) with v % g == j % g) * g / (n * (e - b)). O(n + 100).
void add_shares(const Config&, const ShareInput& input, double probability, std::span<double> shares);

struct Policy {
  using Config = random::Config;
  using PickState = random::PickState;
  static constexpr std::string_view name = "envoy.load_balancing_policies.random";
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.random.v3.Random";
  static constexpr message::Settings settings{"RANDOM", 3};
  static constexpr Explained explained{"8", "random_lb.cc"};
  static constexpr bool blind_to_names = true;
  static constexpr bool one_draw_for_priority_and_host = true;
  static constexpr auto add_shares = &random::add_shares;
  static constexpr std::string_view basis(bool) { return ""; }

  template <class Fields>
  static void describe(Fields& fields, Config&) {
    fields.locality();
  }
};

}  // namespace spillway::envoy::policies::random
