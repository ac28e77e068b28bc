// Finds or adds the zones, nodes and endpoints of the scenario that Kuma's documents name.
#pragma once

#include <optional>
#include <string>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"
#include "models/kuma/names.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::kuma {
struct DataplaneDocument;  // documents.hpp
struct Documents;          // documents.hpp
struct Outbound;           // documents.hpp
}  // namespace spillway::kuma

namespace spillway::scenario::kuma_binding {
struct Destination;  // kuma_mesh.hpp
}  // namespace spillway::scenario::kuma_binding

namespace spillway::scenario::binding {

struct KumaServices;  // stages.hpp
struct Topology;      // stages.hpp

class KumaPlaces {
 public:
  // Lifetime: `so_far` must outlive this object.
  explicit KumaPlaces(Topology& so_far);

  // Returns the zone's node that the hostname label names, else its first node.
  [[nodiscard]] config::NodeIndex node_of(config::ZoneIndex zone, const kuma::Tags& tags) const;

  // Adds a zone with one node of the same name.
  config::ZoneIndex add_zone(const std::string& name, Span where);

  // Returns the zone of this name: from the file, or, if the file has no zones, from the documents. nullopt if SP632 or
  // SP104 is reported.
  std::optional<config::ZoneIndex> zone_of(const std::string& name, Span where);

  config::EndpointIndex add_endpoint(const std::string& id, config::NodeIndex node);

 private:
  Topology& so_far_;
  Scenario& scenario_;
};

// Returns the mesh of the clients: the mesh of the dataplanes that are clients (without clients in the file, those with
// outbounds), else the mesh of a Mesh document, else that of the other dataplanes, else `default` if a document is in
// it, else the mesh that the documents name, unless it looks like a typing error for `default`. Of several candidates
// the one with the most documents wins, then the first.
[[nodiscard]] std::string mesh_of_clients(const KumaServices& so_far);

// Returns the Dataplane of a client, by its name in the mesh; null if it is not in the documents.
[[nodiscard]] const kuma::DataplaneDocument* dataplane_of(const KumaServices& so_far, const std::string& client);

// True if an outbound of the Dataplane leads to the destination, by its backendRef or its tag kuma.io/service.
[[nodiscard]] bool leads_to(const kuma::DataplaneDocument& document, const kuma::Outbound& outbound,
                            const kuma_binding::Destination& destination);

// Reads and admits the documents, and reports their lints.
[[nodiscard]] kuma::Documents read_kuma_documents(const Topology& topology);

// Reports documents in other meshes (SP634), and clients in other meshes (SP635).
void refuse_other_meshes(const KumaServices& so_far, const std::string& mesh);

// Reads the ingresses and egresses of the documents, and adds assumed ones. Precondition: the dataplanes were read.
void read_zone_proxies(KumaServices& so_far, KumaPlaces& places);

}  // namespace spillway::scenario::binding
