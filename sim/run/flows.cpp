#include "sim/run/flows.hpp"

namespace spillway::run {

Flows::Flows(const scenario::Scenario& scenario) {
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    begin_.push_back(size());
    if (const auto& proxy = scenario.clients[client].zone_proxy) {
      zone_proxies_.emplace(*proxy, config::ClientEntryIndex{client});
    }
    for (const config::ServiceIndex service : scenario::services_of(scenario, scenario.clients[client])) {
      flows_.push_back({config::ClientEntryIndex{client}, service});
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
