// Determines the endpoint lists and hosts of a view: endpoints, or zone proxies with views of their own.
#include <algorithm>
#include <utility>

#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/egress_rules.hpp"
#include "models/kuma/splits.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/views.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::kuma_binding {

using config::EndpointIndex;
using config::ServiceIndex;
using config::ZoneIndex;

const kuma::EndpointMap& Views::map_of(ZoneIndex zone, bool egress, bool ever) {
  const Ready& now = ready_in_[zone.value];
  const bool all = ever || std::find(now.begin(), now.end(), false) == now.end();
  const auto [found, is_new] = maps_.try_emplace({zone.value, egress, all});
  if (is_new) {
    const Ready ready = all ? Ready(scenario_->endpoints.size(), true) : now;
    // Most zones get the same.
    if (!mesh_ || mesh_->ready() != ready) {
      mesh_.emplace(*contents_, *scenario_, ready);
    }
    const kuma::MeshResources& resources = mesh_->in(zone);
    const std::string& name = scenario_->zones[zone.value].name;
    found->second = egress ? kuma::egress_endpoint_map(resources, name, contents_->profile)
                           : kuma::endpoint_map(resources, name, contents_->profile);
  }
  return found->second;
}

void Views::find_endpoints(List& list, bool ever) {
  const kuma::EndpointMap& map = map_of(list.zone, list.of == Of::egress, ever);
  const auto found = map.find(list.destination->id_in(scenario_->zones[list.zone.value].name));
  if (found == map.end()) {
    return;
  }
  list.endpoints = found->second;
  if (!list.subset.empty()) {
    list.own = kuma::of_subset(found->second, list.subset);
    list.endpoints = list.own;
  }
  if (list.of == Of::ingress) {
    const auto& local = addresses_[list.zone.value];
    std::vector<kuma::Endpoint> kept;
    for (const kuma::Endpoint& endpoint : list.endpoints) {
      const bool to_external = egress_at(list, endpoint) != nullptr && stands_for_external(endpoint);
      if (to_external || local.contains(kuma::to_text(endpoint))) {
        kept.push_back(endpoint);
        kept.back().weight = 1;
        kept.back().locality.reset();
      }
    }
    list.own = std::move(kept);
    list.endpoints = list.own;
  }
}

std::unordered_map<std::string, std::uint32_t> Views::weights_now(const List& list) {
  List now{list.zone, list.of, list.destination, list.subset};
  find_endpoints(now, false);
  std::unordered_map<std::string, std::uint32_t> weights;
  weights.reserve(now.endpoints.size());
  for (const kuma::Endpoint& endpoint : now.endpoints) {
    weights.emplace(kuma::to_text(endpoint), std::max(endpoint.weight, 1U));
  }
  return weights;
}

const ZoneProxy* Views::egress_at(const List& list, const kuma::Endpoint& endpoint) const {
  const auto found = std::find_if(contents_->egresses.begin(), contents_->egresses.end(), [&](const ZoneProxy& egress) {
    return egress.zone == list.zone && egress.address == endpoint.address && egress.port == endpoint.port;
  });
  return list.of != Of::egress && found != contents_->egresses.end() ? &*found : nullptr;
}

const ZoneProxy* Views::ingress_at(const kuma::Endpoint& endpoint) const {
  const auto found = ingresses_.find(std::tie(endpoint.address, endpoint.port));
  return found != ingresses_.end() ? found->second : nullptr;
}

// True if an ingress represents external services of its zone, which the zone's egress reaches.
bool Views::stands_for_external(const kuma::Endpoint& ingress) const {
  const auto& services = contents_->external_services;
  return std::any_of(services.begin(), services.end(),
                     [&](const kuma::ExternalService& service) { return service.tags == ingress.tags; });
}

// True if the ingress advertises instances but none of them is in the scenario.
bool Views::stands_for_unknown(const ZoneProxy& ingress, const kuma::Endpoint& endpoint) const {
  const auto& written = ingress.availableServices;
  const auto& dataplanes = contents_->dataplanes;
  return std::any_of(written.begin(), written.end(),
                     [&](const kuma::AvailableService& service) { return service.tags == endpoint.tags; }) &&
         std::none_of(dataplanes.begin(), dataplanes.end(), [&](const PlacedDataplane& placed) {
           const auto& inbounds = placed.value.inbounds;
           return placed.zone == ingress.zone &&
                  std::any_of(inbounds.begin(), inbounds.end(),
                              [&](const auto& inbound) { return inbound.tags == endpoint.tags; });
         });
}

EndpointIndex Views::endpoint_of(const List& list, const kuma::Endpoint& endpoint) const {
  if (const ZoneProxy* const egress = egress_at(list, endpoint)) {
    return egress->endpoint;
  }
  if (const ZoneProxy* const ingress = ingress_at(endpoint)) {
    return ingress->endpoint;
  }
  const auto& local = addresses_[list.zone.value];
  const std::string address = kuma::to_text(endpoint);
  const auto found = local.find(address);
  return found != local.end() ? found->second : external_addresses_.at(address);
}

Host Views::host_of(const List& list, const kuma::Endpoint& endpoint) {
  if (const ZoneProxy* const egress = egress_at(list, endpoint)) {
    return {egress->endpoint, egress_view(*egress, *list.destination, list.subset)};
  }
  const ZoneProxy* const ingress = ingress_at(endpoint);
  // Requests to the ingress have the tags of the external service in their SNI, so they reach no other service.
  if (ingress != nullptr && stands_for_external(endpoint)) {
    return {ingress->endpoint, ingress_view(*ingress, *list.destination, endpoint.tags)};
  }
  if (ingress != nullptr && ingress->knows_instances && !stands_for_unknown(*ingress, endpoint)) {
    return {ingress->endpoint, ingress_view(*ingress, *list.destination, list.subset)};
  }
  return {endpoint_of(list, endpoint)};
}

ServiceIndex Views::ingress_view(const ZoneProxy& ingress, const Destination& destination, const kuma::Tags& subset) {
  const std::size_t list = list_of(ingress.zone, Of::ingress, destination, subset);
  if (!lists_[list].of_ingress) {
    const ServiceIndex made = base_view(list, {}, {});
    lists_[list].of_ingress = made;
  }
  const ServiceIndex service = *lists_[list].of_ingress;
  forward(ingress, service);
  return service;
}

ServiceIndex Views::egress_view(const ZoneProxy& egress, const Destination& destination, const kuma::Tags& subset) {
  const std::size_t list = list_of(egress.zone, Of::egress, destination, subset);
  const kuma::Client client{.name = scenario_->endpoints[egress.endpoint.value].id,
                            .zone = scenario_->zones[egress.zone.value].name,
                            .role = kuma::ProxyRole::zone_egress};
  ClusterConfs confs;
  // In the design document the egress has no rules: an SNI selects one zone.
  if (contents_->profile != config::KumaProfile::document) {
    confs.strategy = whole_mesh_conf(destination);
  }
  // Only policies `to` a MeshExternalService (applyToEgressRealResources of Kuma's meshcircuitbreaker and
  // meshhealthcheck).
  if (destination.model == kuma::DestinationModel::mesh_external_service) {
    ClusterConfs own = confs_of(*policies_, client, destination);
    confs.circuit_breaker = std::move(own.circuit_breaker);
    confs.circuit_breaker_origins = std::move(own.circuit_breaker_origins);
    confs.health_check = std::move(own.health_check);
  }
  const ServiceIndex service = view(list, client, confs);
  forward(egress, service);
  scenario_->clients[client_of_proxy_.at(egress.endpoint)].policy_trails.push_back(trails_.of(confs, service, client));
  return service;
}

// Returns the conf of the whole mesh, cached: the search for rules is exponential in their tags, and equal for every
// client.
const std::optional<kuma::Conf>& Views::whole_mesh_conf(const Destination& destination) {
  const auto [found, is_new] = whole_mesh_confs_.try_emplace(destination.service);
  if (is_new) {
    const kuma::Tags service_tags = {{std::string(kuma::service_tag), destination.name}};
    found->second = kuma::whole_mesh_conf(kuma::egress_rules(policies_->plain_strategies, service_tags));
  }
  return found->second;
}

void Views::forward(const ZoneProxy& proxy, ServiceIndex service) {
  const auto [found, is_new] = client_of_proxy_.try_emplace(proxy.endpoint, scenario_->clients.size());
  if (is_new) {
    const Endpoint& endpoint = scenario_->endpoints[proxy.endpoint.value];
    ClientEntry entry;
    entry.name = endpoint.id;
    entry.node = endpoint.node;
    entry.workload.service = service;
    entry.zone_proxy = proxy.endpoint;
    scenario_->clients.push_back(std::move(entry));
  }
  std::vector<ServiceIndex>& forwards = scenario_->clients[found->second].forwards;
  if (std::find(forwards.begin(), forwards.end(), service) == forwards.end()) {
    forwards.push_back(service);
  }
}

}  // namespace spillway::scenario::kuma_binding
