// Looks up the services of a scenario, the endpoints of their hosts, and which of them a client's requests go to.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {

struct ClientEntry;  // client.hpp

[[nodiscard]] inline config::EndpointIndex endpoint_index(const Scenario& scenario, config::ServiceIndex service,
                                                          config::HostIndex host) {
  return scenario.services[service.value].hosts[host.value].endpoint;
}

[[nodiscard]] inline const Endpoint& endpoint_at(const Scenario& scenario, config::ServiceIndex service,
                                                 config::HostIndex host) {
  return scenario.endpoints[endpoint_index(scenario, service, host).value];
}

// The service by whose name clients ask for it.
[[nodiscard]] inline config::ServiceIndex asked_for(const Scenario& scenario, config::ServiceIndex service) {
  const std::optional<View>& view = scenario.services[service.value].as_view;
  return view ? view->of : service;
}

// The clusters that a service's requests can end in: its own, or an aggregate cluster's children in the order it lists
// them.
[[nodiscard]] std::vector<config::ServiceIndex> members_of(const Scenario& scenario, config::ServiceIndex service);

// True if its requests can reach hosts of this priority, or of a higher number: in its members or in what Kuma makes of
// them for its clients.
[[nodiscard]] bool reaches_priority(const Scenario& scenario, config::ServiceIndex service, config::Priority priority);

// The services that a client's requests go to, each once: in the order of its kinds of requests and their routes'
// clusters.
[[nodiscard]] std::vector<config::ServiceIndex> services_of(const Scenario& scenario, const ClientEntry& client);

}  // namespace spillway::scenario
