// Looks up the services of a scenario, the endpoints of their hosts, and the services that a client requests.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/change.hpp"
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

// Returns the host's endpoint in the service's load assignment; null if the host has none there.
[[nodiscard]] const config::LbEndpoint* lb_endpoint_of(const Service& service, config::HostIndex host);

// Returns the service that clients request by name: of a per-client cluster (View) its `of`, else the argument.
[[nodiscard]] inline config::ServiceIndex asked_for(const Scenario& scenario, config::ServiceIndex service) {
  const std::optional<View>& view = scenario.services[service.value].as_view;
  return view ? view->of : service;
}

// Returns the clusters in which a service's requests can end: the service itself, or the children of an aggregate
// cluster in order.
[[nodiscard]] std::vector<config::ServiceIndex> members_of(const Scenario& scenario, config::ServiceIndex service);

// Calls visit(ServiceIndex) for each of members_of(), without a list of them.
template <class Visit>
void for_each_member(const Scenario& scenario, config::ServiceIndex service, Visit visit) {
  const Service& of = scenario.services[service.value];
  if (of.cluster.aggregate_clusters.empty() && (!of.as_view || of.as_view->members.empty())) {
    return visit(service);
  }
  for (const config::ServiceIndex member : members_of(scenario, service)) {
    visit(member);
  }
}

// True if requests can reach hosts of this or a higher priority number: in the service's members, or in the per-client
// clusters that Kuma derives from them.
[[nodiscard]] bool reaches_priority(const Scenario& scenario, config::ServiceIndex service, config::Priority priority);

// Returns the services that a client requests, each once: in the order of its request kinds and of their routes'
// clusters.
[[nodiscard]] std::vector<config::ServiceIndex> services_of(const Scenario& scenario, const ClientEntry& client);

// True if the change is one of these effects, and of this service.
template <class... Effects>
[[nodiscard]] bool is_about(const Change& change, config::ServiceIndex service) {
  const auto is = [&](const auto* effect) { return effect != nullptr && effect->service == service; };
  return (is(std::get_if<Effects>(&change.effect)) || ...);
}

}  // namespace spillway::scenario
