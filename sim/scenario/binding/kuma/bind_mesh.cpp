// Adds zones, endpoints and services of Kuma's dataplanes, and zone proxies, to a scenario.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/envoy/routes/request.hpp"
#include "models/kuma/documents/documents.hpp"
#include "sim/scenario/binding/kuma/dataplane_groups.hpp"
#include "sim/scenario/binding/kuma/places.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {
namespace {

using kuma::DataplaneDocument;
using kuma::DestinationModel;

constexpr const char* outside = "outside the mesh";

const kuma::Mesh* find_mesh(const kuma::Documents& documents, const std::string& name) {
  for (const auto& mesh : documents.meshes) {
    if (mesh.value.name == name) {
      return &mesh.value;
    }
  }
  return nullptr;
}

// Fills the mesh, and adds to the scenario the objects that it lacks.
class MeshReader {
 public:
  explicit MeshReader(KumaServices& so_far)
      : so_far_(so_far),
        documents_(so_far.documents),
        contents_(so_far.mesh),
        scenario_(so_far.scenario),
        places_(so_far) {}

  void read() {
    contents_.profile = scenario_.profile.kuma;
    read_sharing();
    read_mesh_itself();
    const std::vector<istio::PodGroup> groups = read_dataplane_groups(so_far_);
    for (const DataplaneDocument& dataplane : documents_.dataplanes) {
      add_dataplane(dataplane);
    }
    note_dataplanes(groups, endpoints_of_, so_far_);
    read_zone_proxies(so_far_, places_);
    add_resources();
    add_tag_services();
    add_real_services();
  }

 private:
  void read_sharing() {
    contents_.sharing = static_cast<kuma_binding::ClaSharing>(so_far_.file.cla_cache.value_or(0));
    if (contents_.sharing == kuma_binding::ClaSharing::shared_object) {
      scenario_.assumptions.emplace_back(
          "every zone's clients are generated within one second, in their order here, so that they edit one load "
          "assignment");
    }
  }

  void read_mesh_itself() {
    const std::string name = mesh_of_clients(so_far_);
    refuse_other_meshes(so_far_, name);
    if (const kuma::Mesh* const mesh = find_mesh(documents_, name)) {
      contents_.mesh = *mesh;
      return;
    }
    contents_.mesh = {.name = name, .mtls = true};
    scenario_.assumptions.push_back("mesh " + name + " has mTLS and no zoneEgress, since no Mesh is written");
  }

  void add_dataplane(const DataplaneDocument& document) {
    const auto zone = places_.zone_of(document.zone, document.origin.where);
    if (!zone) {
      return;
    }
    if (document.gateway && document.gateway->builtin && contents_.profile == config::KumaProfile::head) {
      so_far_.problems.error("SP302", document.origin.where, "a builtin gateway in profile `head`",
                             "head has no builtin gateways; profile release-2.14 has");
    }
    kuma_binding::PlacedDataplane placed{.value = document.value, .zone = *zone};
    for (std::size_t i = 0; i < document.value.inbounds.size(); ++i) {
      const kuma::Inbound& inbound = document.value.inbounds[i];
      const bool single = document.value.inbounds.size() == 1;
      const std::string id = document.origin.name + (single ? "" : ":" + std::to_string(inbound.port));
      placed.endpoints.push_back(places_.add_endpoint(id, places_.node_of(*zone, inbound.tags)));
      endpoint_places_.push_back(
          {placed.endpoints.back(), i < document.inbound_at.size() ? document.inbound_at[i] : document.origin.where});
      if (!inbound.ready) {
        unready_.insert(placed.endpoints.back());
      }
    }
    endpoints_of_.try_emplace(document.origin.name, placed.endpoints);
    contents_.dataplanes.push_back(std::move(placed));
  }

  void add_resources() {
    for (const auto& document : documents_.external_services) {
      contents_.external_services.push_back(document.value);
    }
    for (const auto& document : documents_.mesh_services) {
      contents_.mesh_services.push_back(document.value);
      kuma::MeshService& service = contents_.mesh_services.back();
      service.zone = service.zone.empty() ? std::string(document.origin.zone()) : service.zone;
      if (service.zone.empty() && scenario_.zones.size() == 1) {
        service.zone = scenario_.zones.front().name;
      }
    }
    for (const auto& document : documents_.mesh_multi_zone_services) {
      contents_.mesh_multi_zone_services.push_back(document.value);
    }
    for (const auto& document : documents_.mesh_external_services) {
      contents_.mesh_external_services.push_back(document.value);
    }
  }

  // An endpoint of a service, in the order of the documents.
  struct Found {
    config::EndpointIndex endpoint;
    std::string address;
    std::string protocol;
  };

  template <class Selects>
  std::vector<Found> inbounds(Selects selects) const {
    std::vector<Found> found;
    for (const kuma_binding::PlacedDataplane& placed : contents_.dataplanes) {
      for (std::size_t i = 0; placed.value.mesh == contents_.mesh.name && i < placed.endpoints.size(); ++i) {
        const kuma::Inbound& inbound = placed.value.inbounds[i];
        if (selects(placed, inbound)) {
          const std::string& address = inbound.address.empty() ? placed.value.address : inbound.address;
          const std::string_view tag = kuma::value_of(inbound.tags, kuma::protocol_tag);
          found.push_back({placed.endpoints[i], kuma::to_text({.address = address, .port = inbound.port}),
                           kuma::parse_protocol(tag.empty() ? std::string_view(inbound.protocol) : tag)});
        }
      }
    }
    return found;
  }

  std::vector<Found> endpoints_of(const kuma::MeshService& service, const kuma::ServicePort& port) const {
    return inbounds([&](const kuma_binding::PlacedDataplane& placed, const kuma::Inbound& inbound) {
      return scenario_.zones[placed.zone.value].name == service.zone && kuma::selects(service, placed.value, inbound) &&
             kuma::serves(inbound, port);
    });
  }

  void add_tag_services() {
    if (contents_.profile == config::KumaProfile::head) {
      return;
    }
    std::vector<std::string> names;
    for (const kuma_binding::PlacedDataplane& placed : contents_.dataplanes) {
      for (const kuma::Inbound& inbound : placed.value.inbounds) {
        const std::string name(kuma::value_of(inbound.tags, kuma::service_tag));
        if (placed.value.mesh == contents_.mesh.name && !name.empty() &&
            std::find(names.begin(), names.end(), name) == names.end()) {
          names.push_back(name);
        }
      }
    }
    for (const std::string& name : names) {
      const auto found = inbounds([&](const kuma_binding::PlacedDataplane& /*placed*/, const kuma::Inbound& inbound) {
        return kuma::value_of(inbound.tags, kuma::service_tag) == name;
      });
      add_service({.model = DestinationModel::tag, .name = name, .protocol = ""}, name, found, documents_.first);
    }
    add_external_tag_services();
  }

  // Adds external services: documents of one kuma.io/service are its endpoints; each has its address, and may have its
  // zone.
  void add_external_tag_services() {
    std::set<std::string, std::less<>> seen;
    for (const auto& document : documents_.external_services) {
      const std::string name(kuma::value_of(document.value.tags, kuma::service_tag));
      if (!seen.insert(name).second) {
        continue;
      }
      std::vector<External> endpoints;
      std::string protocol;
      for (const kuma::ExternalService& service : contents_.external_services) {
        if (kuma::value_of(service.tags, kuma::service_tag) != name) {
          continue;
        }
        const std::string address = kuma::to_text({.address = service.address, .port = service.port});
        const std::string of_service = kuma::parse_protocol(kuma::value_of(service.tags, kuma::protocol_tag));
        protocol = protocol.empty() ? of_service : kuma::common_protocol(protocol, of_service);
        if (std::none_of(endpoints.begin(), endpoints.end(),
                         [&](const auto& each) { return each.address == address; })) {
          endpoints.push_back({address, std::string(kuma::value_of(service.tags, kuma::zone_tag))});
        }
      }
      add_external({.model = DestinationModel::tag, .name = name, .protocol = protocol}, name, endpoints,
                   document.origin.where);
    }
  }

  void add_real_services() {
    for (std::size_t i = 0; i < contents_.mesh_services.size(); ++i) {
      const kuma::MeshService& service = contents_.mesh_services[i];
      for (const kuma::ServicePort& port : service.ports) {
        add_service({.model = DestinationModel::mesh_service,
                     .name = service.name,
                     .zone = service.zone,
                     .port = port.port,
                     .port_name = port.name,
                     .labels = service.labels,
                     .protocol = port.appProtocol},
                    name_of(service, contents_.mesh_services, ".svc." + service.zone, service.ports.size(), port.port),
                    endpoints_of(service, port), documents_.mesh_services[i].origin.where);
      }
    }
    for (std::size_t i = 0; i < contents_.mesh_multi_zone_services.size(); ++i) {
      const kuma::MeshMultiZoneService& service = contents_.mesh_multi_zone_services[i];
      for (const kuma::ServicePort& port : service.ports) {
        std::vector<Found> found;
        for (const std::size_t member : service.members) {
          const kuma::MeshService& of = contents_.mesh_services[member];
          for (const kuma::ServicePort& candidate : of.ports) {
            if (candidate.port == port.port || (!port.name.empty() && candidate.name == port.name)) {
              const auto more = endpoints_of(of, candidate);
              found.insert(found.end(), more.begin(), more.end());
              break;
            }
          }
        }
        add_service({.model = DestinationModel::mesh_multi_zone_service,
                     .name = service.name,
                     .zone = std::string(kuma::value_of(service.labels, kuma::zone_tag)),
                     .port = port.port,
                     .port_name = port.name,
                     .labels = service.labels,
                     .protocol = port.appProtocol},
                    name_of(service, contents_.mesh_multi_zone_services, ".mzsvc", service.ports.size(), port.port),
                    found, documents_.mesh_multi_zone_services[i].origin.where);
      }
    }
    for (std::size_t i = 0; i < contents_.mesh_external_services.size(); ++i) {
      const kuma::MeshExternalService& service = contents_.mesh_external_services[i];
      std::vector<External> endpoints;
      for (const kuma::MeshExternalServiceEndpoint& endpoint : service.endpoints) {
        endpoints.push_back({kuma::to_text({.address = endpoint.address, .port = endpoint.port}), ""});
      }
      add_external({.model = DestinationModel::mesh_external_service,
                    .name = service.name,
                    .zone = std::string(kuma::value_of(service.labels, kuma::zone_tag)),
                    .port = service.port,
                    .labels = service.labels,
                    .protocol = service.protocol.empty() ? "tcp" : service.protocol},
                   name_of(service, contents_.mesh_external_services, ".extsvc", 1, service.port), endpoints,
                   documents_.mesh_external_services[i].origin.where);
    }
  }

  // Returns the name itself. If it is taken, returns it with its kind; also with its namespace, if the name is in other
  // namespaces, and with its zone, if it is in other zones.
  template <class Resource>
  std::string name_of(const Resource& resource, const std::vector<Resource>& all, const std::string& kind,
                      std::size_t ports, std::uint32_t port) const {
    const std::string with_port = ports > 1 ? ":" + std::to_string(port) : "";
    if (!so_far_.services.find(resource.name + with_port)) {
      return resource.name + with_port;
    }
    const std::string_view name_space = kuma::value_of(resource.labels, kuma::namespace_label);
    const bool many = std::any_of(all.begin(), all.end(), [&](const Resource& other) {
      return other.name == resource.name && kuma::value_of(other.labels, kuma::namespace_label) != name_space;
    });
    std::string name = resource.name + (many && !name_space.empty() ? "." + std::string(name_space) : "") + kind;
    if (so_far_.services.find(name + with_port)) {
      name += "." + std::string(kuma::value_of(resource.labels, kuma::zone_tag));
    }
    return name + with_port;
  }

  Service& begin_service(kuma_binding::Destination& destination, const std::string& name, Span where) {
    destination.service.value = static_cast<std::uint32_t>(scenario_.services.size());
    return so_far_.add_service(name, where);
  }

  void add_host(Service& service, config::EndpointIndex endpoint, const std::string& address) {
    binding::add_host(service, endpoint, locality_of(scenario_, scenario_.endpoints[endpoint.value].node),
                      {.address = address, .health_status = config::HealthStatus::healthy});
  }

  void name_endpoint(config::EndpointIndex endpoint, const Service& service, Span otherwise) {
    if (!named_.insert(endpoint).second) {
      return;
    }
    const auto place = std::find_if(endpoint_places_.begin(), endpoint_places_.end(),
                                    [&](const auto& candidate) { return candidate.first == endpoint; });
    so_far_.name_endpoint(scenario_.endpoints[endpoint.value].id,
                          static_cast<std::uint32_t>(scenario_.services.size() - 1),
                          {static_cast<std::uint32_t>(service.hosts.size() - 1)},
                          place == endpoint_places_.end() ? otherwise : place->second);
  }

  void add_service(kuma_binding::Destination destination, const std::string& name, const std::vector<Found>& found,
                   Span where) {
    Service& service = begin_service(destination, name, where);
    destination.protocol = protocol_of(destination, found);
    for (const Found& each : found) {
      if (unready_.contains(each.endpoint)) {
        service.absent_at_start.push_back({static_cast<std::uint32_t>(service.hosts.size())});
      }
      add_host(service, each.endpoint, each.address);
      name_endpoint(each.endpoint, service, where);
    }
    contents_.destinations.push_back(std::move(destination));
  }

  // Returns appProtocol of a port, else tcp. For a value of kuma.io/service, returns the common protocol of its ready
  // endpoints, since only those are in its list, or of all if none is ready.
  std::string protocol_of(const kuma_binding::Destination& destination, const std::vector<Found>& found) const {
    if (destination.model != DestinationModel::tag) {
      return destination.protocol.empty() ? "tcp" : destination.protocol;
    }
    const bool some_ready =
        std::any_of(found.begin(), found.end(), [&](const Found& each) { return !unready_.contains(each.endpoint); });
    std::string protocol;
    for (const Found& each : found) {
      if (!some_ready || !unready_.contains(each.endpoint)) {
        protocol = protocol.empty() ? each.protocol : kuma::common_protocol(protocol, each.protocol);
      }
    }
    return protocol;
  }

  struct External {
    std::string address;
    std::string zone;  // "" if in none
  };

  void add_external(kuma_binding::Destination destination, const std::string& name,
                    const std::vector<External>& endpoints, Span where) {
    for (const External& each : endpoints) {
      if (each.zone.empty() && !so_far_.zones.find(outside)) {
        places_.add_zone(outside, where);
      }
    }
    Service& service = begin_service(destination, name, where);
    for (const External& each : endpoints) {
      const auto zone = so_far_.zones.find(each.zone.empty() ? outside : each.zone);
      const config::EndpointIndex endpoint =
          places_.add_endpoint(each.address, places_.node_of({zone.value_or(0)}, {}));
      add_host(service, endpoint, each.address);
      name_endpoint(endpoint, service, where);
    }
    contents_.destinations.push_back(std::move(destination));
  }

  KumaServices& so_far_;
  const kuma::Documents& documents_;
  kuma_binding::KumaMesh& contents_;
  Scenario& scenario_;
  KumaPlaces places_;
  std::vector<std::pair<config::EndpointIndex, Span>> endpoint_places_;
  std::set<config::EndpointIndex> unready_;
  std::map<std::string, std::vector<config::EndpointIndex>> endpoints_of_;  // by the name of the dataplane
  std::set<config::EndpointIndex> named_;
};

}  // namespace

std::map<std::string, std::string> plain_map(const grammar::MapOf<grammar::Text>::Value& written) {
  std::map<std::string, std::string> result;
  for (const auto& entry : written) {
    if (entry.value) {
      result.emplace(entry.name, *entry.value);
    }
  }
  return result;
}

KumaServices read_kuma_services(Services services) {
  KumaServices so_far{std::move(services)};
  so_far.documents = read_kuma_documents(so_far);
  if (!so_far.documents.empty()) {
    MeshReader(so_far).read();
  } else if (so_far.file.cla_cache.present) {
    so_far.problems
        .error("SP027", so_far.file.cla_cache.where, "`cla_cache` without documents of Kuma", "nothing is cached")
        .help("only clients under Kuma's `policies` or `resources` have load assignments to share");
  }
  return so_far;
}

}  // namespace spillway::scenario::binding
