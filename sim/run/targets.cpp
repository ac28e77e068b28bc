#include "sim/run/targets.hpp"

namespace spillway::run {

Targets::Targets(const scenario::Scenario& scenario, config::ServiceIndex service) {
  for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
    const auto child = static_cast<std::uint32_t>(child_begin_.size());
    child_begin_.push_back(size());
    std::uint32_t host = 0;
    for (const config::LocalityLbEndpoints& group : scenario.services[member.value].load_assignment.endpoints) {
      for (std::size_t endpoint = 0; endpoint < group.lb_endpoints.size(); ++endpoint) {
        targets_.push_back({child, member, config::HostIndex{host++}, group.priority});
      }
    }
  }
}

}  // namespace spillway::run
