#include "reports/explain/unreached.hpp"

#include "sim/run/targets.hpp"

namespace spillway::reports::explain {

std::vector<std::string> unreached_zones(const scenario::Scenario& scenario, const run::Flows& flows,
                                         const std::vector<run::FlowIndex>& group) {
  std::vector<std::string> zones;
  if (group.empty()) {
    return zones;
  }
  std::vector<bool> reached(scenario.zones.size(), false);
  std::vector<bool> has_endpoints(scenario.zones.size(), false);
  const auto zone_of = [&](config::EndpointIndex endpoint) {
    return scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone.value;
  };
  for (const run::FlowIndex flow : group) {
    const run::Targets targets(scenario, flows.at(flow).service);
    for (std::uint32_t target = 0; target < targets.size(); ++target) {
      reached[zone_of(targets.at(target).endpoint)] = true;
    }
    const config::ServiceIndex asked = scenario::asked_for(scenario, flows.at(flow).service);
    for (const scenario::Host& host : scenario.services[asked.value].hosts) {
      has_endpoints[zone_of(host.endpoint)] = true;
    }
  }
  for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
    if (has_endpoints[zone] && !reached[zone]) {
      zones.push_back(scenario.zones[zone].name);
    }
  }
  return zones;
}

}  // namespace spillway::reports::explain
