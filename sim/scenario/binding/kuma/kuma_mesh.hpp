// The mesh of a scenario: its dataplanes, zone proxies and services, from the scenario's own endpoints and from Kuma's
// documents together.
//
// An endpoint of the scenario is a dataplane of its zone with one inbound. A service of the scenario is a value of
// kuma.io/service in release 2.14 and for the design document, and a MeshMultiZoneService in head. If no Mesh or
// ZoneIngress is written, mTLS and one ingress per zone are assumed. Source: docs/behaviour/kuma.md 1, 4.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/protocol.hpp"
#include "models/kuma/resources.hpp"
#include "models/kuma/topology.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::kuma_binding {

struct PlacedDataplane {
  kuma::Dataplane value = {};
  config::ZoneIndex zone = {};
  std::vector<config::EndpointIndex> endpoints = {};  // by inbound
};

// An ingress or egress: a forwarding proxy on a node.
struct ZoneProxy {
  bool knows_instances = true;  // if false, the scenario has only the number of instances behind it
  config::ZoneIndex zone = {};
  config::EndpointIndex endpoint = {};
  std::string address = {};
  std::uint32_t port = 0;
  std::vector<kuma::AvailableService> availableServices = {};  // as written
};

// A destination that clients may request, and the scenario's service for it.
struct Destination {
  config::ServiceIndex service = {};
  kuma::DestinationModel model = kuma::DestinationModel::tag;
  std::string name = {};
  std::string zone = {};  // of a MeshService; the label kuma.io/zone of another resource
  std::uint32_t port = 0;
  std::string port_name = {};
  kuma::Tags labels = {};
  std::string protocol = "http";  // the common protocol of its endpoints, or appProtocol of a port

  // True if requests are balanced by HTTP; other protocols are forwarded by connection.
  [[nodiscard]] bool speaks_http() const { return kuma::is_http_based(protocol); }

  // Returns the kind of its resource; "" for a value of kuma.io/service.
  [[nodiscard]] std::string kind() const;

  // Returns the id that proxies of `from` use.
  [[nodiscard]] kuma::DestinationId id_in(const std::string& from) const {
    return {model, name, std::string(kuma::value_of(labels, kuma::namespace_label)),
            model == kuma::DestinationModel::mesh_service && zone == from ? std::string() : zone, port};
  }
};

// The modes of sharing load assignments between clients. The documents' cache reuses one assignment for all clients for
// which it is equal. Since Kuma 2.12 all clients of a zone and cluster edit one object. Without a cache each client's
// assignment is computed again.
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

// Returns a Dataplane as policies select it.
[[nodiscard]] kuma::Client proxy_of(const kuma::Dataplane& dataplane, const std::string& zone);

// Returns the tags and labels that an endpoint or client has because of its node: its zone, and the labels of the node.
[[nodiscard]] kuma::Tags tags_of_node(const Scenario& scenario, config::NodeIndex node);

}  // namespace spillway::scenario::kuma_binding
