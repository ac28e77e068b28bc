// The resources of a mesh, limited to what decides which endpoints a destination has.
//
// Field names are those of Kuma's resources. A resource belongs to the mesh and zone that its fields name; "" means
// none.
// Source: docs/behaviour/kuma.md 4, 11.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kuma/names.hpp"

namespace spillway::kuma {

struct Mesh {
  std::string name = "default";
  bool mtls = false;                        // 2.14: an enabled backend. Without one, other zones are unreachable
  bool zoneEgress = false;                  // 2.14: routing.zoneEgress
  bool localityAwareLoadBalancing = false;  // 2.14: routing.localityAwareLoadBalancing
};

struct Inbound {
  std::uint32_t port = 0;
  std::string name = {};
  std::string address = {};  // "" for the dataplane's address
  std::string protocol = {};
  Tags tags = {};
  bool ready = true;  // also healthy: other inbounds are in no list
};

struct Dataplane {
  std::string name = {};
  std::string mesh = "default";
  std::string address = {};
  Tags labels = {};
  std::vector<Inbound> inbounds = {};
};

struct AvailableService {
  Tags tags = {};
  std::uint32_t instances = 0;
  std::string mesh = "default";
  bool externalService = false;

  friend bool operator==(const AvailableService&, const AvailableService&) = default;
};

struct ZoneIngress {
  std::string zone = {};
  std::string advertisedAddress = {};  // "" if other zones cannot reach it yet
  std::uint32_t advertisedPort = 0;
  std::vector<AvailableService> availableServices = {};
};

struct ZoneEgress {
  std::string address = {};
  std::uint32_t port = 0;
};

// The address of a zone's proxies for one mesh; the only such resource in head.
struct MeshZoneAddress {
  std::string zone = {};
  std::string address = {};
  std::uint32_t port = 0;
};

// An external service (2.14).
struct ExternalService {
  std::string name = {};
  std::string address = {};
  std::uint32_t port = 0;
  Tags tags = {};
};

struct ServicePort {
  std::uint32_t port = 0;
  std::string name = {};  // "" if it has only a number
  // The inbounds that serve the port, by number or by name; if neither is set, inbounds with the same number.
  std::optional<std::uint32_t> target_port = {};
  std::string target_port_name = {};
  std::string appProtocol = {};  // "" means tcp
};

struct MeshService {
  std::string name = {};
  std::string zone = {};  // "" or the client's own zone if local
  Tags labels = {};
  Tags dataplaneTags = {};                       // 2.14: of the inbound
  std::optional<Tags> dataplaneLabels = {};      // of the dataplane
  std::optional<std::string> dataplaneRef = {};  // the name of the dataplane
  std::vector<ServicePort> ports = {};
  bool available = true;  // state Available; only matters for remote ones
};

// True if a MeshService selects this inbound of this dataplane: by the dataplane's name, else by its labels, else by
// the inbound's tags.
[[nodiscard]] inline bool selects(const MeshService& service, const Dataplane& dataplane, const Inbound& inbound) {
  if (service.dataplaneRef) {
    return *service.dataplaneRef == dataplane.name;
  }
  return service.dataplaneLabels ? has_all(dataplane.labels, *service.dataplaneLabels)
                                 : has_all(inbound.tags, service.dataplaneTags);
}

// True if an inbound serves a port of the service. Precondition: the service selects the inbound.
[[nodiscard]] inline bool serves(const Inbound& inbound, const ServicePort& port) {
  return port.target_port_name.empty() ? inbound.port == port.target_port.value_or(port.port)
                                       : inbound.name == port.target_port_name;
}

struct MeshMultiZoneService {
  std::string name = {};
  Tags labels = {};
  std::vector<ServicePort> ports = {};
  std::vector<std::size_t> members = {};  // positions in the list of MeshServices
};

struct MeshExternalServiceEndpoint {
  std::string address = {};
  std::uint32_t port = 0;
  std::uint32_t priority = 0;
};

struct MeshExternalService {
  std::string name = {};
  Tags labels = {};
  std::uint32_t port = 0;  // of match
  std::vector<MeshExternalServiceEndpoint> endpoints = {};
  std::string protocol = {};  // of match; "" means tcp
};

// The resources of a mesh that one control plane has.
struct MeshResources {
  Mesh mesh = {};
  bool workload_identity = true;           // head: without it other zones are unreachable
  std::vector<Dataplane> dataplanes = {};  // of this zone
  std::vector<ZoneIngress> zone_ingresses = {};
  std::vector<ZoneEgress> zone_egresses = {};  // of this zone
  std::vector<MeshZoneAddress> mesh_zone_addresses = {};
  std::vector<ExternalService> external_services = {};
  std::vector<MeshService> mesh_services = {};
  std::vector<MeshMultiZoneService> mesh_multi_zone_services = {};
  std::vector<MeshExternalService> mesh_external_services = {};
};

}  // namespace spillway::kuma
