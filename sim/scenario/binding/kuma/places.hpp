// Where Kuma's documents put things: zones, nodes and endpoints of the scenario, found or added.
#pragma once

#include <optional>
#include <string>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"
#include "models/kuma/names.hpp"

namespace spillway::kuma {
struct Documents;  // documents.hpp
}  // namespace spillway::kuma

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::binding {

struct KumaServices;  // stages.hpp
struct Topology;      // stages.hpp

class KumaPlaces {
 public:
  // It must outlive this.
  explicit KumaPlaces(Topology& so_far);

  // The zone's node of its labels' hostname, else its first.
  [[nodiscard]] config::NodeIndex node_of(config::ZoneIndex zone, const kuma::Tags& tags) const;

  // With one node of its own name.
  config::ZoneIndex add_zone(const std::string& name, Span where);

  // Zones are those of the file, or if it has none those that documents name. None: SP632 or SP104 is reported.
  std::optional<config::ZoneIndex> zone_of(const std::string& name, Span where);

  config::EndpointIndex add_endpoint(const std::string& id, config::NodeIndex node);

 private:
  Topology& so_far_;
  Scenario& scenario_;
};

// The mesh that the clients are in. That of the dataplanes that clients are, or that ask for something where no client
// is written; else the Mesh that is written; else that of the dataplanes; else `default`, if a document is in it; else
// the mesh that the documents name, unless that looks like a slip for `default`. Of several candidates the one with
// most documents, then the first.
[[nodiscard]] std::string mesh_of_clients(const KumaServices& so_far);

// The documents, admitted, with what they hardly do as they are meant reported.
[[nodiscard]] kuma::Documents read_kuma_documents(const Topology& topology);

// Reports documents that are in another mesh (SP634), and clients that are (SP635).
void refuse_other_meshes(const KumaServices& so_far, const std::string& mesh);

// The ingresses and egresses of the documents, and those that are assumed; after the dataplanes.
void read_zone_proxies(KumaServices& so_far, KumaPlaces& places);

}  // namespace spillway::scenario::binding
