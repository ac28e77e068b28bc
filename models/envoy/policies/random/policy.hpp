// Registers the policy random: its names, and its fields in files, exports and explanations.
#pragma once

#include <span>
#include <string_view>

#include "models/envoy/policies/explained.hpp"
#include "models/envoy/policies/message.hpp"
#include "models/envoy/policies/random/config.hpp"

namespace spillway::envoy::policies::random {

class PickState;  // random.hpp

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
