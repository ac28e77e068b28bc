// A cluster that a route names and that no proxy has.
#pragma once

#include <cstdint>
#include <string>

#include "models/documents/source.hpp"

namespace spillway::scenario {

// A cluster that a route names and the proxy does not have: Envoy answers its requests with a 503 (response flag NC)
// and tries none of them again. Or the place of a route that the proxy does not have: it answers with a 404 (NR), or
// with the direct response that stands there.
struct MissingCluster {
  bool no_route = false;
  std::uint32_t direct_response = 0;  // a status, where there is no cluster; 0: none is written
  std::string reason;                 // "DestinationRule shop/web has no subset `v2`"
  std::string routed_by = {};         // the document that names it: "VirtualService shop/web"; empty if it is unknown
  Span where = {};                    // of that document
};

}  // namespace spillway::scenario
