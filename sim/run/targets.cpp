#include "sim/run/targets.hpp"

#include <algorithm>
#include <string>

namespace spillway::run {

namespace {

config::ServiceIndex service_named(const scenario::Scenario& scenario, const std::string& name) {
  const auto found = std::find_if(scenario.services.begin(), scenario.services.end(),
                                  [&](const scenario::Service& service) { return service.name == name; });
  return config::ServiceIndex{static_cast<std::uint32_t>(found - scenario.services.begin())};
}

}  // namespace

Targets::Targets(const scenario::Scenario& scenario, config::ServiceIndex service) {
  std::vector<config::ServiceIndex> members;
  for (const std::string& child : scenario.services[service.value].cluster.aggregate_clusters) {
    members.push_back(service_named(scenario, child));
  }
  if (members.empty()) {
    members.push_back(service);
  }
  for (const config::ServiceIndex member : members) {
    child_begin_.push_back(size());
    std::uint32_t host = 0;
    for (const config::LocalityLbEndpoints& group : scenario.services[member.value].load_assignment.endpoints) {
      for (std::size_t endpoint = 0; endpoint < group.lb_endpoints.size(); ++endpoint) {
        targets_.push_back({member, config::HostIndex{host++}, group.priority});
      }
    }
  }
}

}  // namespace spillway::run
