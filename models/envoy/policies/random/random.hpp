// Random (envoy.load_balancing_policies.random): the draw that chose the priority also chooses the host.
//
// Weights are ignored. One draw serves both choices. So the hosts of a priority with less than the whole load are
// picked evenly only if their number has no common factor with 100.
//
// Source: docs/behaviour/envoy-before-pick.md 5, envoy-host-pick.md 8; Envoy's random_lb.cc.
#pragma once

#include <optional>

#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/random/config.hpp"

namespace spillway::envoy::policies::random {

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

}  // namespace spillway::envoy::policies::random
