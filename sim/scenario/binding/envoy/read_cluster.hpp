// A cluster of Envoy's documents, read from its resource.
#pragma once

#include <string>

#include "models/documents/source.hpp"
#include "models/envoy/api/endpoints.hpp"

namespace spillway::scenario::envoy_binding {

struct ReadCluster {
  messages::WholeCluster written = {};
  Span where = {};
  std::string type = {};  // "EDS", as in proxy::ClusterConfig
};

}  // namespace spillway::scenario::envoy_binding
