// The mesh that a scenario is about: its dataplanes, zone proxies and services, from the scenario's own endpoints and
// from Kuma's documents together.
//
//   kuma::MeshResources resources = resources_of(contents, scenario, zone, ready, advertised);   // of a mesh that was
//   read kuma::EndpointMap endpoints = kuma::endpoint_map(resources, "zone-1", profile);
//
// An endpoint of the scenario is a dataplane of its zone with one inbound; a service of the scenario is a value of
// kuma.io/service in release 2.14 and for the design document, and a MeshMultiZoneService in head. Where no Mesh or
// ZoneIngress is written, mTLS and one ingress a zone are assumed. Source: docs/behaviour/kuma.md 1, 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/protocol.hpp"
#include "models/kuma/resources.hpp"
#include "models/kuma/topology.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::kuma_binding {

struct PlacedDataplane {
  kuma::Dataplane value = {};
  config::ZoneIndex zone = {};
  std::vector<config::EndpointIndex> endpoints = {};  // by inbound
};

// An ingress or egress: a thing on a node that forwards.
struct ZoneProxy {
  bool knows_instances = true;  // else what stands behind it is not in the scenario, only how much it is
  config::ZoneIndex zone = {};
  config::EndpointIndex endpoint = {};
  std::string address = {};
  std::uint32_t port = 0;
  std::vector<kuma::AvailableService> availableServices = {};  // as written
};

// What clients may ask for, and what the scenario calls it.
struct Destination {
  config::ServiceIndex service = {};
  kuma::DestinationModel model = kuma::DestinationModel::tag;
  std::string name = {};
  std::string zone = {};  // of a MeshService; the label kuma.io/zone of another resource
  std::uint32_t port = 0;
  std::string port_name = {};
  kuma::Tags labels = {};
  std::string protocol = "http";  // of its endpoints in common, or appProtocol of a port

  // Others are forwarded by connection.
  [[nodiscard]] bool speaks_http() const { return kuma::is_http_based(protocol); }

  // As proxies of `from` call it.
  [[nodiscard]] kuma::DestinationId id_in(const std::string& from) const {
    return {model, name, std::string(kuma::value_of(labels, kuma::namespace_label)),
            model == kuma::DestinationModel::mesh_service && zone == from ? std::string() : zone, port};
  }
};

// How clients share load assignments. The documents' cache finds one for every client that it is the same for; Kuma
// since 2.12 has all clients of a zone and cluster edit one object; without a cache every client's is made anew.
enum class ClaSharing : std::uint8_t { reusable, shared_object, none };

struct KumaMesh {
  config::KumaProfile profile = config::KumaProfile::release_2_14;
  ClaSharing sharing = ClaSharing::reusable;
  kuma::Mesh mesh = {};
  std::vector<PlacedDataplane> dataplanes = {};
  std::vector<ZoneProxy> ingresses = {};
  std::vector<ZoneProxy> egresses = {};
  std::vector<kuma::MeshZoneAddress> mesh_zone_addresses = {};  // of `ingresses`, in head
  std::vector<kuma::ExternalService> external_services = {};
  std::vector<kuma::MeshService> mesh_services = {};
  std::vector<kuma::MeshMultiZoneService> mesh_multi_zone_services = {};
  std::vector<kuma::MeshExternalService> mesh_external_services = {};
  std::vector<Destination> destinations = {};
};

// Which endpoints are ready, by EndpointIndex.
using Ready = std::vector<bool>;

// The services that each ingress of the mesh advertises, in the order of `ingresses`. Linear in the dataplanes.
using AdvertisedServices = std::vector<std::vector<kuma::AvailableService>>;
[[nodiscard]] AdvertisedServices advertised_services(const KumaMesh& contents, const Scenario& scenario,
                                                     const Ready& ready);

// What the control plane of a zone knows. Precondition: `advertised` is of the same `ready`. Linear in the dataplanes.
[[nodiscard]] kuma::MeshResources resources_of(const KumaMesh& contents, const Scenario& scenario,
                                               config::ZoneIndex zone, const Ready& ready,
                                               const AdvertisedServices& advertised);

// The tags and labels that an endpoint or client has by where it runs: its zone, and the labels of its node.
[[nodiscard]] kuma::Tags tags_of_node(const Scenario& scenario, config::NodeIndex node);

}  // namespace spillway::scenario::kuma_binding
