// The hosts that a service's requests can end at, numbered through: its own, or those of an aggregate cluster's
// children.
//
//   Targets targets(scenario, service);
//   targets.index_of(pick.child, pick.host);      // a dense number
//   targets.at(index).endpoint(scenario).id;      // and back
#pragma once

#include <cstdint>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

struct Target {
  std::uint32_t child = 0;       // position in an aggregate's list, 0 for a plain cluster
  config::ServiceIndex service;  // whose host it is
  config::HostIndex host;
  config::Priority priority;

  [[nodiscard]] config::EndpointIndex endpoint_index(const scenario::Scenario& scenario) const {
    return scenario.services[service.value].hosts[host.value].endpoint;
  }
  [[nodiscard]] const scenario::Endpoint& endpoint(const scenario::Scenario& scenario) const {
    return scenario::endpoint_at(scenario, service, host);
  }
};

class Targets {
 public:
  Targets(const scenario::Scenario& scenario, config::ServiceIndex service);

  [[nodiscard]] std::uint32_t index_of(std::uint32_t child, config::HostIndex host) const noexcept {
    return child_begin_[child] + host.value;
  }
  [[nodiscard]] const Target& at(std::uint32_t index) const noexcept { return targets_[index]; }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(targets_.size()); }

 private:
  std::vector<std::uint32_t> child_begin_;
  std::vector<Target> targets_;
};

}  // namespace spillway::run
