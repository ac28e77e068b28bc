// The contents of Envoy's documents, before they are interpreted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/locality.hpp"
#include "models/documents/grammar/field.hpp"
#include "models/envoy/proxy/runtime_values.hpp"

namespace spillway::proxy {

// The section of a dump that lists a cluster. If a program's output has several clusters of one name, the first of
// these sections counts.
enum class Standing : std::uint8_t { active, bootstrap, warming };

// A resource that is parsed on demand. Precondition: its tree outlives it.
struct Resource {
  const documents::Node* node = nullptr;
  std::string name;
  bool reported = false;  // written by a program
  Standing standing = Standing::active;
  bool live =
      false;  // a load assignment in the proxy's current form (EndpointsConfigDump): names resolved, health known
};

// Numbers of ignored parts by kind, e.g. "secret". They do not affect routing, or are not supported.
using PassedOver = std::map<std::string, std::size_t>;

struct Documents {
  std::vector<Resource> clusters;
  std::vector<Resource> load_assignments;
  std::vector<Resource> routes;         // RouteConfiguration
  std::vector<Resource> scoped_routes;  // ScopedRouteConfiguration
  std::vector<Resource> listeners;
  grammar::Field<std::string> node_id;
  std::string node_cluster;
  const documents::Node* node_metadata = nullptr;  // node.metadata as written; null if none
  std::string version;                             // of Envoy, "1.36.2"
  config::Locality locality;
  grammar::Field<std::string> local_cluster;
  config::Runtime runtime;
  RuntimeValues runtime_values;       // all values of these layers that other settings may name
  bool dump = false;                  // one of the documents is a dump of the whole proxy
  bool listeners_discovered = false;  // a bootstrap from which a proxy gets further listeners
  bool checked = false;               // handwritten documents are checked against the tables of Envoy's API
  PassedOver passed_over;

  // Returns the effective clusters as positions in `clusters`, one per name, in document order. Linear.
  [[nodiscard]] std::vector<std::size_t> distinct_clusters() const;
};

}  // namespace spillway::proxy
