// MeshServices and MeshMultiZoneServices that policies of Kuma name, with Dataplanes for them, where no document
// defines them.
//
//   for (const Json& document : documents_of(destination, zones, counts, affinity_keys)) { ... }   // resources
//
// A reference by labels, namespace, section or port means a MeshService of the client's zone; a reference to a
// MeshMultiZoneService the MeshServices of its name in all zones. Source: docs/behaviour/kuma.md 1, 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/pasted/mesh_inventory.hpp"

namespace spillway::scenario::pasted {

struct KumaDestination {
  std::string name = {};
  std::string mesh = {};
  std::string name_space = {};   // of the MeshServices; empty in documents of Universal
  Labels labels = {};            // that references and selectors ask for
  std::vector<Json> ports = {};  // of a MeshMultiZoneService that is pasted
  std::uint64_t port = 80;       // otherwise
  bool multi_zone = false;
  bool is_written = false;  // the MeshMultiZoneService is pasted

  // Returns the name of the service for a client in a zone, as the scenario has it.
  [[nodiscard]] std::string called_from(const std::string& zone) const;
};

// Returns the `type` or `kind` of a document.
[[nodiscard]] std::string kind_of_kuma(const Json& document);

// Returns the name that a reference gives or asks for by a label.
[[nodiscard]] std::string name_meant_by(const Json& reference);

// Returns the destinations that references mean (not those by tags), and the pasted MeshMultiZoneServices, by name.
[[nodiscard]] std::map<std::string, KumaDestination> real_destinations_in(const PastedDocuments& documents);

// Returns the documents: in each zone a MeshService with `pods` Dataplanes. Dataplanes get a value of each affinity
// key.
[[nodiscard]] std::vector<Json> documents_of(const KumaDestination& destination,
                                             const std::map<std::string, std::size_t>& pods,
                                             const std::vector<std::string>& affinity_keys, std::size_t& addresses);

}  // namespace spillway::scenario::pasted
