// A cluster that a route names but the proxy does not have.
#pragma once

#include <cstdint>
#include <string>

#include "models/documents/source.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::scenario {

// A cluster that a route names but the proxy does not have. Envoy responds to its requests with a 503 (response flag
// NC) and does not retry them. Also represents a missing route: the response is then a 404 (NR), or the direct response
// configured there.
struct MissingCluster {
  bool no_route = false;
  std::uint32_t direct_response = 0;  // the status of a direct response; 0 if none is configured
  std::string reason;                 // "DestinationRule shop/web has no subset `v2`"
  std::string routed_by = {};  // the document that names the cluster: "VirtualService shop/web"; empty if unknown
  Span where = {};             // location of that document
  Outcome outcome = Outcome::no_healthy_upstream;  // of its requests; `fault` if the route's `fault` answers them
};

}  // namespace spillway::scenario
