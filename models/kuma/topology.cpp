#include "models/kuma/topology.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace spillway::kuma {

namespace {

constexpr std::uint32_t remote_zone_priority = 1;
using AddressKey = std::tuple<std::string_view, std::string_view, std::uint32_t>;

DestinationId tag_destination(const Tags& tags) {
  return {.model = DestinationModel::tag, .name = std::string(value_of(tags, service_tag))};
}

// Returns the id of a resource that belongs to no particular zone, even if a zone's control plane created it.
template <class Resource>
DestinationId id_of_resource(DestinationModel model, const Resource& resource, std::uint32_t port) {
  return {.model = model,
          .name = resource.name,
          .name_space = std::string(value_of(resource.labels, namespace_label)),
          .zone = std::string(value_of(resource.labels, zone_tag)),
          .port = port};
}

// Builds the map step by step; later steps read the entries of earlier ones.
class EndpointMapBuilder {
 public:
  EndpointMapBuilder(const MeshResources& resources, std::string_view zone, config::KumaProfile profile)
      : resources_(resources), zone_(zone), head_(profile == config::KumaProfile::head) {}

  EndpointMap for_proxies() {
    add_local_services();
    if (!head_) {
      const std::uint32_t ingresses = add_ingresses(resources_.mesh.zoneEgress);
      add_dataplanes(std::max(ingresses, 1U));
    }
    add_remote_services();
    if (!head_) {
      add_external_services();
    }
    add_mesh_external_services();
    add_multi_zone_services();
    return std::move(map_);
  }

  EndpointMap for_egress() {
    if (!head_) {
      add_ingresses(false);
      for (const ExternalService& service : resources_.external_services) {
        if (is_reachable_here(service.tags)) {
          add_external_service(service);
        }
      }
    }
    for (const MeshExternalService& service : resources_.mesh_external_services) {
      if (!head_ && !is_reachable_here(service.labels)) {
        continue;
      }
      for (const MeshExternalServiceEndpoint& endpoint : service.endpoints) {
        map_[id_of(service)].push_back(
            {.address = endpoint.address,
             .port = endpoint.port,
             .weight = 1,
             .tags = service.labels,
             .locality = EndpointLocality{.sub_zone = "priority-" + std::to_string(endpoint.priority),
                                          .priority = endpoint.priority},
             .external = true});
      }
    }
    return std::move(map_);
  }

 private:
  static DestinationId id_of(const MeshExternalService& service) {
    return id_of_resource(DestinationModel::mesh_external_service, service, service.port);
  }
  DestinationId id_of(const MeshService& service, const ServicePort& port) const {
    return {.model = DestinationModel::mesh_service,
            .name = service.name,
            .name_space = std::string(value_of(service.labels, namespace_label)),
            .zone = is_local(service) ? std::string() : service.zone,
            .port = port.port};
  }
  bool is_local(const MeshService& service) const { return service.zone.empty() || service.zone == zone_; }

  // True if the service is reachable from this zone. An external service may be limited to one zone.
  bool is_reachable_here(const Tags& tags) const {
    const std::string_view zone = value_of(tags, zone_tag);
    return zone.empty() || zone == zone_;
  }

  // Returns the locality of a zone; nullopt if the zone is not named. Priorities need the mesh's old flag (2.14).
  std::optional<EndpointLocality> locality_of(std::string_view zone) const {
    if (zone.empty()) {
      return std::nullopt;
    }
    const bool behind = !head_ && resources_.mesh.localityAwareLoadBalancing && zone != zone_;
    return EndpointLocality{.zone = std::string(zone), .priority = behind ? remote_zone_priority : 0U};
  }

  std::optional<EndpointLocality> locality_of(const Tags& tags, const Tags& labels) const {
    const std::string_view zone = value_of(tags, zone_tag);
    return locality_of(zone.empty() ? value_of(labels, zone_tag) : zone);
  }

  Endpoint endpoint_of(const Dataplane& dataplane, const Inbound& inbound, std::uint32_t weight) const {
    Endpoint endpoint{.address = inbound.address.empty() ? dataplane.address : inbound.address,
                      .port = inbound.port,
                      .weight = weight};
    if (head_) {
      endpoint.tags = dataplane.labels;
      if (!inbound.protocol.empty()) {
        endpoint.tags["kuma.io/protocol"] = inbound.protocol;
      }
    } else {
      endpoint.tags = inbound.tags;
      endpoint.labels = dataplane.labels;
    }
    endpoint.locality = locality_of(endpoint.tags, dataplane.labels);
    return endpoint;
  }

  void add_local_services() {
    for (const MeshService& service : resources_.mesh_services) {
      if (!is_local(service)) {
        continue;
      }
      for (const Dataplane& dataplane : resources_.dataplanes) {
        for (const Inbound& inbound : dataplane.inbounds) {
          if (dataplane.mesh == resources_.mesh.name && inbound.ready && selects(service, dataplane, inbound)) {
            add_local_inbound(service, dataplane, inbound);
          }
        }
      }
    }
  }

  void add_local_inbound(const MeshService& service, const Dataplane& dataplane, const Inbound& inbound) {
    for (const ServicePort& port : service.ports) {
      if (serves(inbound, port)) {
        map_[id_of(service, port)].push_back(endpoint_of(dataplane, inbound, 1));
      }
    }
  }

  // Returns the number of remote ingress addresses that advertise any service, of whatever mesh.
  std::uint32_t add_ingresses(bool through_egress) {
    std::set<AddressKey> addresses;
    for (const ZoneIngress& ingress : resources_.zone_ingresses) {
      const AddressKey address{"", ingress.advertisedAddress, ingress.advertisedPort};
      if (!resources_.mesh.mtls || !is_reachable(ingress) || addresses.contains(address)) {
        continue;
      }
      // Several instances may share one address; a new one that does not advertise yet must not represent it.
      if (!ingress.availableServices.empty()) {
        addresses.insert(address);
      }
      for (const AvailableService& service : ingress.availableServices) {
        if (service.mesh == resources_.mesh.name) {
          add_available_service(ingress, service, through_egress);
        }
      }
    }
    return static_cast<std::uint32_t>(addresses.size());
  }

  bool is_reachable(const ZoneIngress& ingress) const {
    return !ingress.zone.empty() && ingress.zone != zone_ && !ingress.advertisedAddress.empty() &&
           ingress.advertisedPort != 0;
  }

  void add_available_service(const ZoneIngress& ingress, const AvailableService& service, bool through_egress) {
    std::vector<Endpoint>& endpoints = map_[tag_destination(service.tags)];
    Endpoint endpoint{.address = ingress.advertisedAddress,
                      .port = ingress.advertisedPort,
                      .weight = service.instances,
                      .tags = service.tags,
                      .locality = locality_of(service.tags, {})};
    if (!through_egress) {
      endpoints.push_back(std::move(endpoint));
      return;
    }
    endpoint.weight = 1;
    endpoint.external = service.externalService;
    add_egresses(endpoint, endpoints);
  }

  void add_egresses(Endpoint endpoint, std::vector<Endpoint>& endpoints) const {
    for (const ZoneEgress& egress : resources_.zone_egresses) {
      endpoint.address = egress.address;
      endpoint.port = egress.port;
      endpoints.push_back(endpoint);
    }
  }

  void add_dataplanes(std::uint32_t weight) {
    for (const Dataplane& dataplane : resources_.dataplanes) {
      for (const Inbound& inbound : dataplane.inbounds) {
        if (dataplane.mesh == resources_.mesh.name && inbound.ready) {
          map_[tag_destination(inbound.tags)].push_back(endpoint_of(dataplane, inbound, weight));
        }
      }
    }
  }

  // Returns the addresses of each other zone. A zone with a MeshZoneAddress is not looked for elsewhere.
  std::map<std::string, std::vector<Endpoint>> remote_zones() const {
    std::map<std::string, std::vector<Endpoint>> zones;
    std::set<AddressKey> seen;
    for (const MeshZoneAddress& place : resources_.mesh_zone_addresses) {
      // Head distinguishes addresses by zone, 2.14 does not.
      const AddressKey key{head_ ? std::string_view(place.zone) : std::string_view(), place.address, place.port};
      if (!place.zone.empty() && place.zone != zone_ && seen.insert(key).second) {
        zones[place.zone].push_back({.address = place.address, .port = place.port, .weight = 1});
      }
    }
    if (head_) {
      return zones;
    }
    const auto with_address = zones;
    seen.clear();
    for (const ZoneIngress& ingress : resources_.zone_ingresses) {
      const AddressKey key{"", ingress.advertisedAddress, ingress.advertisedPort};
      if (is_reachable(ingress) && !with_address.contains(ingress.zone) && seen.insert(key).second) {
        zones[ingress.zone].push_back(
            {.address = ingress.advertisedAddress, .port = ingress.advertisedPort, .weight = 1});
      }
    }
    return zones;
  }

  void add_remote_services() {
    const bool reach_each_other = head_ ? resources_.workload_identity : resources_.mesh.mtls;
    if (!reach_each_other || resources_.mesh_services.empty()) {
      return;
    }
    const auto zones = remote_zones();
    for (const MeshService& service : resources_.mesh_services) {
      const auto zone = zones.find(service.zone);
      if (is_local(service) || zone == zones.end()) {
        continue;
      }
      for (const ServicePort& port : service.ports) {
        for (Endpoint endpoint : zone->second) {
          endpoint.tags = {{std::string(service_tag), service.name}, {std::string(zone_tag), service.zone}};
          endpoint.locality = EndpointLocality{.zone = service.zone, .priority = remote_zone_priority};
          map_[id_of(service, port)].push_back(std::move(endpoint));
        }
      }
    }
  }

  void add_external_service(const ExternalService& service) {
    map_[tag_destination(service.tags)].push_back({.address = service.address,
                                                   .port = service.port,
                                                   .weight = 1,
                                                   .tags = service.tags,
                                                   .locality = locality_of(service.tags, {}),
                                                   .external = true});
  }

  void add_external_services() {
    for (const ExternalService& service : resources_.external_services) {
      if (!resources_.mesh.zoneEgress) {
        add_external_service(service);
      } else {
        add_egresses({.weight = 1, .tags = service.tags, .locality = locality_of(service.tags, {}), .external = true},
                     map_[tag_destination(service.tags)]);
      }
    }
  }

  void add_mesh_external_services() {
    for (const MeshExternalService& service : resources_.mesh_external_services) {
      const auto locality = head_ ? std::nullopt : locality_of(service.labels, {});
      add_egresses({.weight = 1, .tags = service.labels, .locality = locality, .external = true}, map_[id_of(service)]);
    }
  }

  // Returns the member's port for a wanted port, or null. 2.14 pairs ports by number. Head pairs by name, where an
  // unnamed port is named by its number; a named port of the member can also be matched by its number.
  static const ServicePort* pair_port(const MeshService& service, const ServicePort& wanted, bool by_name) {
    const std::string number = std::to_string(wanted.port);
    const std::string& name = wanted.name.empty() || !by_name ? number : wanted.name;
    const auto found = std::find_if(service.ports.begin(), service.ports.end(), [&](const ServicePort& port) {
      return (by_name && port.name == name) || std::to_string(port.port) == name;
    });
    return found == service.ports.end() ? nullptr : &*found;
  }

  void add_multi_zone_services() {
    for (const MeshMultiZoneService& service : resources_.mesh_multi_zone_services) {
      for (const std::size_t position : service.members) {
        const MeshService& member = resources_.mesh_services[position];
        if (!is_local(member) && !member.available) {
          continue;
        }
        for (const ServicePort& port : service.ports) {
          add_member(service, port, member);
        }
      }
    }
  }

  void add_member(const MeshMultiZoneService& service, const ServicePort& port, const MeshService& member) {
    const ServicePort* const paired = pair_port(member, port, head_);
    const auto known = paired == nullptr ? map_.end() : map_.find(id_of(member, *paired));
    if (known == map_.end()) {
      return;
    }
    const std::vector<Endpoint> endpoints = known->second;
    auto& all = map_[id_of_resource(DestinationModel::mesh_multi_zone_service, service, port.port)];
    all.insert(all.end(), endpoints.begin(), endpoints.end());
  }

  const MeshResources& resources_;
  std::string zone_;
  bool head_;
  EndpointMap map_;
};

// Removes destinations without endpoints.
EndpointMap without_empty(EndpointMap map) {
  std::erase_if(map, [](const auto& entry) { return entry.second.empty(); });
  return map;
}

std::string tag_text(const Tags& tags) {
  std::string text;
  for (const auto& [key, value] : tags) {
    text.append(text.empty() ? "" : ",").append(key).append("=").append(value);
  }
  return text;
}

}  // namespace

EndpointMap endpoint_map(const MeshResources& resources, std::string_view zone, config::KumaProfile profile) {
  return without_empty(EndpointMapBuilder(resources, zone, profile).for_proxies());
}

EndpointMap egress_endpoint_map(const MeshResources& resources, std::string_view zone, config::KumaProfile profile) {
  return without_empty(EndpointMapBuilder(resources, zone, profile).for_egress());
}

std::vector<AvailableService> available_services(std::span<const Dataplane> dataplanes,
                                                 std::span<const std::string> tag_filters) {
  std::map<std::pair<std::string, std::string>, AvailableService> services;
  for (const Dataplane& dataplane : dataplanes) {
    for (const Inbound& inbound : dataplane.inbounds) {
      if (!inbound.ready) {
        continue;
      }
      Tags tags = inbound.tags;
      std::erase_if(tags, [tag_filters](const auto& tag) {
        return !tag_filters.empty() && std::none_of(tag_filters.begin(), tag_filters.end(), [&tag](const auto& filter) {
          return tag.first.starts_with(filter);
        });
      });
      const auto key = std::pair(dataplane.mesh, tag_text(tags));
      const auto known = services.try_emplace(key, AvailableService{.tags = tags, .mesh = dataplane.mesh}).first;
      ++known->second.instances;
    }
  }
  std::vector<AvailableService> result;
  result.reserve(services.size());
  for (auto& [key, service] : services) {
    result.push_back(std::move(service));
  }
  return result;
}

}  // namespace spillway::kuma
