#include "sim/run/traffic/flows.hpp"

#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

Flows::Flows(const scenario::Scenario& scenario) {
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    begin_.push_back(size());
    if (const auto& proxy = scenario.clients[client].zone_proxy) {
      zone_proxies_.emplace(*proxy, config::ClientEntryIndex{client});
    }
    for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[client])) {
      const FlowIndex flow{size()};
      flows_.push_back({config::ClientEntryIndex{client}, service});
      const config::ServiceIndex asked = scenario::asked_for(scenario, service);
      FlowIndex leader{begin_.back()};
      while (scenario::asked_for(scenario, at(leader).service) != asked) {
        ++leader.value;
      }
      leaders_.push_back(leader);
      groups_.emplace_back();
      groups_[leader.value].push_back(flow);
    }
  }
  begin_.push_back(size());
}

FlowIndex Flows::find(config::ClientEntryIndex client, config::ServiceIndex service) const noexcept {
  std::uint32_t flow = begin_[client.value];
  while (flows_[flow].service != service) {
    ++flow;
  }
  return FlowIndex{flow};
}

}  // namespace spillway::run
