#include "sim/scenario/binding/kuma/kuma_mesh.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "models/config/each_endpoint.hpp"
#include "sim/scenario/binding/kuma/mesh_of_zones.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using PlacedByZone = MeshOfZones::PlacedByZone;

const std::string& zone_name(const Scenario& scenario, config::ZoneIndex zone) {
  return scenario.zones[zone.value].name;
}

PlacedByZone placed_by_zone(const KumaMesh& contents, const Scenario& scenario) {
  PlacedByZone placed(scenario.zones.size());
  for (const PlacedDataplane& dataplane : contents.dataplanes) {
    placed[dataplane.zone.value].push_back(&dataplane);
  }
  return placed;
}

// Returns the zone's dataplanes, with the readiness of their inbounds.
std::vector<kuma::Dataplane> dataplanes_of(const PlacedByZone& placed, config::ZoneIndex zone, const Ready& ready) {
  std::vector<kuma::Dataplane> result;
  for (const PlacedDataplane* of_zone : placed[zone.value]) {
    kuma::Dataplane& dataplane = result.emplace_back(of_zone->value);
    for (std::size_t inbound = 0; inbound < dataplane.inbounds.size(); ++inbound) {
      dataplane.inbounds[inbound].ready = ready[of_zone->endpoints[inbound].value];
    }
  }
  return result;
}

kuma::AvailableService* find_same(std::vector<kuma::AvailableService>& services, const kuma::AvailableService& wanted) {
  const auto found = std::find_if(services.begin(), services.end(), [&](const kuma::AvailableService& service) {
    return service.tags == wanted.tags && service.mesh == wanted.mesh;
  });
  return found == services.end() ? nullptr : &*found;
}

// Counts the inbounds as the documents describe them.
std::vector<kuma::AvailableService> counted_in_documents(const PlacedByZone& placed, config::ZoneIndex zone) {
  std::vector<kuma::Dataplane> dataplanes;
  for (const PlacedDataplane* of_zone : placed[zone.value]) {
    dataplanes.push_back(of_zone->value);
  }
  return kuma::available_services(dataplanes);
}

// Returns as many instances as are written, not all of which have to be in the documents, plus or minus later changes
// of those that are. Counted services that are not written are included.
std::vector<kuma::AvailableService> as_written(const PlacedByZone& placed, const ZoneProxy& ingress,
                                               std::vector<kuma::AvailableService> counted) {
  std::vector<kuma::AvailableService> at_first = counted_in_documents(placed, ingress.zone);
  for (const kuma::AvailableService& written : ingress.availableServices) {
    kuma::AvailableService* const now = find_same(counted, written);
    const kuma::AvailableService* const before = find_same(at_first, written);
    const std::uint32_t gone = before == nullptr ? 0U : before->instances;
    const std::uint32_t left = (now == nullptr ? 0U : now->instances) + written.instances;
    kuma::AvailableService& service = now == nullptr ? counted.emplace_back(written) : *now;
    service = written;
    service.instances = left > gone ? left - gone : 0U;
  }
  std::erase_if(counted, [](const kuma::AvailableService& service) { return service.instances == 0; });
  return counted;
}

// Returns the services that an ingress advertises to other zones: as written, else as its control plane counts. If
// requests leave by egresses, they include external services that only its zone may reach.
std::vector<kuma::AvailableService> advertised(const KumaMesh& contents, const Scenario& scenario,
                                               const PlacedByZone& placed, const ZoneProxy& ingress,
                                               const Ready& ready) {
  if (!ingress.knows_instances && !ingress.availableServices.empty()) {
    return ingress.availableServices;
  }
  std::vector<kuma::AvailableService> services;
  if (ingress.knows_instances) {
    services = as_written(placed, ingress, kuma::available_services(dataplanes_of(placed, ingress.zone, ready)));
  }
  for (const kuma::ExternalService& external : contents.external_services) {
    if (!contents.mesh.zoneEgress ||
        kuma::value_of(external.tags, kuma::zone_tag) != zone_name(scenario, ingress.zone)) {
      continue;
    }
    const auto same = std::find_if(services.begin(), services.end(), [&](const kuma::AvailableService& known) {
      return known.externalService && known.tags == external.tags;
    });
    if (same != services.end()) {
      ++same->instances;
    } else {
      services.push_back({.tags = external.tags, .instances = 1, .mesh = contents.mesh.name, .externalService = true});
    }
  }
  return services;
}

// Returns the addresses of external services that are out of their lists, by the service of the scenario.
std::set<std::string> removed_of(const Scenario& scenario, config::ServiceIndex index, const Ready& ready) {
  std::set<std::string> removed;
  const Service& service = scenario.services[index.value];
  config::for_each_endpoint(service.load_assignment, [&](config::HostIndex host, const config::LbEndpoint& endpoint) {
    if (!ready[service.hosts[host.value].endpoint.value]) {
      removed.insert(endpoint.address);
    }
  });
  return removed;
}

bool is_among(const std::set<std::string>& addresses, const std::string& address, std::uint32_t port) {
  return addresses.contains(kuma::to_text({.address = address, .port = port}));
}

// Removes unready endpoints of services without dataplanes, whose endpoints come from their own documents.
void remove_external_endpoints(kuma::MeshResources& resources, const KumaMesh& contents, const Scenario& scenario,
                               const Ready& ready) {
  const auto same = [](const Destination& destination, const kuma::MeshExternalService& service) {
    return destination.name == service.name && destination.port == service.port && destination.labels == service.labels;
  };
  for (const Destination& destination : contents.destinations) {
    const bool external = destination.model == kuma::DestinationModel::mesh_external_service;
    if (!external && (destination.model != kuma::DestinationModel::tag || contents.external_services.empty())) {
      continue;
    }
    const std::set<std::string> removed = removed_of(scenario, destination.service, ready);
    if (removed.empty()) {
      continue;
    }
    if (!external) {
      std::erase_if(resources.external_services, [&](const kuma::ExternalService& service) {
        return kuma::value_of(service.tags, kuma::service_tag) == destination.name &&
               is_among(removed, service.address, service.port);
      });
      continue;
    }
    for (kuma::MeshExternalService& service : resources.mesh_external_services) {
      if (same(destination, service)) {
        std::erase_if(service.endpoints,
                      [&](const auto& endpoint) { return is_among(removed, endpoint.address, endpoint.port); });
      }
    }
  }
}

bool has_ready(const kuma::MeshService& service, const std::vector<kuma::Dataplane>& dataplanes) {
  return std::any_of(dataplanes.begin(), dataplanes.end(), [&](const kuma::Dataplane& dataplane) {
    return std::any_of(dataplane.inbounds.begin(), dataplane.inbounds.end(), [&](const kuma::Inbound& inbound) {
      return inbound.ready && kuma::selects(service, dataplane, inbound);
    });
  });
}

// Sets whether MeshServices are available to other zones: while they have a ready dataplane. For a zone without
// dataplanes among the documents, as in a zone's control plane, `state` decides.
void announce_available(kuma::MeshResources& resources, const PlacedByZone& placed, const Scenario& scenario,
                        const Ready& ready) {
  if (resources.mesh_services.empty()) {
    return;
  }
  std::map<std::string, std::vector<kuma::Dataplane>> of_zones;
  for (std::uint32_t zone = 0; zone < scenario.zones.size(); ++zone) {
    of_zones.emplace(scenario.zones[zone].name, dataplanes_of(placed, {zone}, ready));
  }
  for (kuma::MeshService& service : resources.mesh_services) {
    const auto dataplanes = of_zones.find(service.zone);
    if (dataplanes != of_zones.end() && !dataplanes->second.empty()) {
      service.available = service.available && has_ready(service, dataplanes->second);
    }
  }
}

}  // namespace

MeshOfZones::MeshOfZones(const KumaMesh& contents, const Scenario& scenario, const Ready& ready)
    : contents_(&contents), ready_(ready), placed_(placed_by_zone(contents, scenario)) {
  resources_.mesh = contents.mesh;
  for (const ZoneProxy& ingress : contents.ingresses) {
    resources_.zone_ingresses.push_back({.zone = zone_name(scenario, ingress.zone),
                                         .advertisedAddress = ingress.address,
                                         .advertisedPort = ingress.port,
                                         .availableServices = advertised(contents, scenario, placed_, ingress, ready)});
  }
  resources_.mesh_zone_addresses = contents.mesh_zone_addresses;
  resources_.external_services = contents.external_services;
  resources_.mesh_services = contents.mesh_services;
  resources_.mesh_multi_zone_services = contents.mesh_multi_zone_services;
  resources_.mesh_external_services = contents.mesh_external_services;
  remove_external_endpoints(resources_, contents, scenario, ready);
  announce_available(resources_, placed_, scenario, ready);
}

const kuma::MeshResources& MeshOfZones::in(config::ZoneIndex zone) {
  resources_.dataplanes = dataplanes_of(placed_, zone, ready_);
  resources_.zone_egresses.clear();
  for (const ZoneProxy& egress : contents_->egresses) {
    if (egress.zone == zone) {
      resources_.zone_egresses.push_back({egress.address, egress.port});
    }
  }
  return resources_;
}

std::string Destination::kind() const {
  return model == kuma::DestinationModel::mesh_service              ? "MeshService"
         : model == kuma::DestinationModel::mesh_multi_zone_service ? "MeshMultiZoneService"
         : model == kuma::DestinationModel::mesh_external_service   ? "MeshExternalService"
                                                                    : "";
}

kuma::Client proxy_of(const kuma::Dataplane& dataplane, const std::string& zone) {
  kuma::Client client{.name = dataplane.name, .zone = zone, .labels = dataplane.labels};
  for (const kuma::Inbound& inbound : dataplane.inbounds) {
    client.inbounds.push_back(inbound.tags);
  }
  return client;
}

kuma::Tags tags_of_node(const Scenario& scenario, config::NodeIndex index) {
  const Node& node = scenario.nodes[index.value];
  kuma::Tags tags(node.labels.begin(), node.labels.end());
  tags[std::string(kuma::zone_tag)] = zone_name(scenario, node.zone);
  return tags;
}

}  // namespace spillway::scenario::kuma_binding
