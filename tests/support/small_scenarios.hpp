// Scenarios built by hand, for tests that mean the simulation and not the reading of files.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::support {

using namespace std::chrono_literals;

// A service `backend` in one zone a priority, of so many endpoints each, and one client entry `frontend` in the first
// zone.
inline scenario::Scenario one_service(const std::vector<std::uint32_t>& endpoints_by_priority) {
  scenario::Scenario scenario;
  scenario.name = "by hand";
  scenario.duration = 10s;
  scenario.services.emplace_back();
  scenario::Service& service = scenario.services.back();
  service.name = "backend";
  service.cluster.name = "backend";
  service.load_assignment.cluster_name = "backend";
  for (std::uint32_t priority = 0; priority < endpoints_by_priority.size(); ++priority) {
    const std::string zone = "zone-" + std::to_string(priority + 1);
    scenario.zones.push_back({zone, ""});
    scenario.nodes.push_back({zone, config::ZoneIndex{priority}, ""});
    config::LocalityLbEndpoints group;
    group.locality = {"", zone, ""};
    group.priority = config::Priority{priority};
    for (std::uint32_t number = 0; number < endpoints_by_priority[priority]; ++number) {
      const std::string id = "backend-" + std::to_string(service.hosts.size() + 1);
      group.lb_endpoints.push_back({id, "", config::HealthStatus::healthy, 1});
      service.hosts.push_back({config::EndpointIndex{static_cast<std::uint32_t>(scenario.endpoints.size())}});
      scenario.endpoints.push_back({id, config::NodeIndex{priority}, 4ms});
    }
    service.load_assignment.endpoints.push_back(std::move(group));
  }
  scenario.clients.push_back({"frontend", config::NodeIndex{0}, 1, {config::ServiceIndex{0}, 1000.0, {}}});
  return scenario;
}

// At `at` the first `healthy` endpoints of [first, first + count) are told healthy and the rest of them unhealthy.
inline scenario::Change tell(std::chrono::nanoseconds at, std::uint32_t first, std::uint32_t count,
                             std::uint32_t healthy) {
  scenario::EdsHealth effect{config::ServiceIndex{0}, {}};
  for (std::uint32_t index = 0; index < count; ++index) {
    effect.hosts.emplace_back(config::HostIndex{first + index},
                              index < healthy ? config::HealthStatus::healthy : config::HealthStatus::unhealthy);
  }
  return {at, effect, {}};
}

}  // namespace spillway::support
