// What Envoy's documents hold together, before anything is made of it.
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

// Where a cluster stands. Of several with one name in what a program wrote, the first of these counts.
enum class Standing : std::uint8_t { active, bootstrap, warming };

// A resource that is kept unread until somebody asks for it. The tree outlives it.
struct Resource {
  const documents::Node* node = nullptr;
  std::string name;
  bool reported = false;  // a program wrote it
  Standing standing = Standing::active;
  bool live =
      false;  // a load assignment as the proxy has it now (EndpointsConfigDump): names looked up, health found out
};

// What was ignored since it cannot move requests, or since nothing here can read it, by its kind: "secret".
using PassedOver = std::map<std::string, std::size_t>;

struct Documents {
  std::vector<Resource> clusters;
  std::vector<Resource> load_assignments;
  std::vector<Resource> routes;         // RouteConfiguration
  std::vector<Resource> scoped_routes;  // ScopedRouteConfiguration
  std::vector<Resource> listeners;
  grammar::Field<std::string> node_id;
  std::string node_cluster;
  const documents::Node* node_metadata = nullptr;  // node.metadata as it stands; null: none
  std::string version;                             // of Envoy, "1.36.2"
  config::Locality locality;
  grammar::Field<std::string> local_cluster;
  config::Runtime runtime;
  RuntimeValues runtime_values;  // of the same layers, all that others may name
  bool dump = false;             // a dump of the whole proxy is among them
  std::vector<Span> second_api;  // by what documents of Envoy's second API were recognised
  PassedOver passed_over;

  // Positions in `clusters` by name: the ones that count, in the order of the documents. Linear.
  [[nodiscard]] std::vector<std::size_t> distinct_clusters() const;
};

}  // namespace spillway::proxy
