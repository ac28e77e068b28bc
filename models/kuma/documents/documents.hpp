// The Kuma documents of a scenario (its keys `policies` and `resources`) as the models read them; read_documents.hpp
// produces them.
//
//   documents.strategies[0].value.spec.to;       // a MeshLoadBalancingStrategy, admitted by Kuma's validator
//   documents.dataplanes[0].outbounds;           // what that proxy is a client of
//
// Both lists hold documents of any kind, in Kuma's Universal or its Kubernetes form. Each kind keeps the order of the
// file, `policies` first. Source: docs/behaviour/kuma.md 2 to 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "models/kuma/mesh_circuit_breaker.hpp"
#include "models/kuma/mesh_health_check.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/mesh_retry.hpp"
#include "models/kuma/mesh_tcp_route.hpp"
#include "models/kuma/mesh_timeout.hpp"
#include "models/kuma/resources.hpp"

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::kuma {

// The fields that every document has.
struct Origin {
  Span where = {};               // the value of `type` or `kind`
  Span name_at = {};             // the name
  Span mesh_at = {};             // the mesh, or the name if no mesh is written
  std::string kind = {};         // "Dataplane"
  std::string mesh = "default";  // "" if the kind belongs to no mesh
  std::string name = {};         // as written in the document
  kuma::Tags labels = {};        // in the Kubernetes form those of metadata, with k8s.kuma.io/namespace added
  bool kubernetes = false;
  const documents::Node* node = nullptr;  // the document; lives as long as the tree of the file

  // Returns the namespace: metadata.namespace (Kubernetes), or the label k8s.kuma.io/namespace (Universal). "" if there
  // is none.
  [[nodiscard]] std::string_view name_space() const { return kuma::value_of(labels, kuma::namespace_label); }
  // Returns the label kuma.io/zone, "" if it is missing.
  [[nodiscard]] std::string_view zone() const { return kuma::value_of(labels, kuma::zone_tag); }
  // Returns the label kuma.io/display-name, else the name.
  [[nodiscard]] std::string_view display_name() const {
    const std::string_view label = kuma::value_of(labels, kuma::display_name_label);
    return label.empty() ? std::string_view(name) : label;
  }
};

// A document. `value` repeats the name and labels of `origin` if its type has fields for them.
template <class T>
struct Document {
  Origin origin = {};
  T value = {};
};

// An entry of networking.outbound[] of a dataplane: either tags (kuma.io/service) or a backendRef.
struct Outbound {
  struct Backend {
    std::string kind = {};  // MeshService, MeshMultiZoneService, MeshExternalService
    std::string name = {};  // "" if selected by labels
    std::uint32_t port = 0;
    kuma::Tags labels = {};
  };
  Span where = {};
  std::string address = {};
  std::uint32_t port = 0;
  kuma::Tags tags = {};
  std::optional<Backend> backendRef = {};
};

// The section networking.gateway of a dataplane.
struct Gateway {
  bool builtin = false;  // else delegated
  kuma::Tags tags = {};
};

// An entry of networking.listeners of a zone proxy (head).
struct Listener {
  bool egress = false;  // else ingress
  std::string address = {};
  std::uint32_t port = 0;
  bool ready = true;
};

struct DataplaneDocument {
  Origin origin = {};
  kuma::Dataplane value = {};
  // kuma.io/zone of the first inbound or the gateway with that tag, else the label. "" if it is missing.
  std::string zone = {};
  std::vector<Span> inbound_at = {};  // of each inbound
  std::vector<Outbound> outbounds = {};
  bool transparent = false;  // transparentProxying: it has outbounds for all services, whatever is written
  std::optional<Gateway> gateway = {};
  std::vector<Listener> listeners = {};
};

struct MeshDocument {
  Origin origin = {};
  kuma::Mesh value = {};
};

struct ZoneIngressDocument {
  Origin origin = {};
  kuma::ZoneIngress value = {};
};

struct ZoneEgressDocument {
  Origin origin = {};
  kuma::ZoneEgress value = {};
  std::string zone = {};  // spec.zone, else the label
};

// A MeshMultiZoneService with its spec.selector.meshService.matchLabels. `value.members` are positions in
// `mesh_services`: those named by status.meshServices if it is written, else those that the selector matches in the
// same mesh.
struct MeshMultiZoneServiceDocument {
  Origin origin = {};
  kuma::MeshMultiZoneService value = {};
  kuma::Tags selector = {};
  struct Matched {
    Span where = {};
    std::string name = {};
    std::string name_space = {};
    std::string zone = {};
    std::string mesh = {};
  };
  std::optional<std::vector<Matched>> matched = {};  // status.meshServices
};

struct Documents {
  std::vector<Document<kuma::Policy>> strategies = {};
  std::vector<Document<kuma::MeshHTTPRoute>> http_routes = {};
  std::vector<Document<kuma::MeshTCPRoute>> tcp_routes = {};
  std::vector<Document<kuma::MeshCircuitBreaker>> circuit_breakers = {};
  std::vector<Document<kuma::MeshHealthCheck>> health_checks = {};
  std::vector<Document<kuma::MeshRetry>> retries = {};
  std::vector<Document<kuma::MeshTimeout>> timeouts = {};

  // Documents of a kind that is not simulated and that changes what a proxy does with the requests that it receives:
  // MeshFaultInjection and MeshRateLimit. `value` has its targetRef only.
  std::vector<Document<kuma::Policy>> inbound = {};

  std::vector<MeshDocument> meshes = {};
  std::vector<DataplaneDocument> dataplanes = {};
  std::vector<ZoneIngressDocument> zone_ingresses = {};
  std::vector<ZoneEgressDocument> zone_egresses = {};
  std::vector<Document<kuma::MeshZoneAddress>> mesh_zone_addresses = {};
  std::vector<Document<kuma::ExternalService>> external_services = {};
  std::vector<Document<kuma::MeshService>> mesh_services = {};
  std::vector<MeshMultiZoneServiceDocument> mesh_multi_zone_services = {};
  std::vector<Document<kuma::MeshExternalService>> mesh_external_services = {};

  std::size_t count = 0;  // documents of any kind, including ignored ones
  Span first = {};        // the key of the list that contains the first document

  [[nodiscard]] bool empty() const noexcept { return count == 0; }
};

}  // namespace spillway::kuma
