// Describes the listeners of a bootstrap in a warning, because their effect on requests is not simulated.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::proxy {

// Adds a warning (SP212) that names the listener, its HTTP filters except the router, the subset metadata that
// header_to_metadata adds, and its routes' settings for hashes, retries, subsets and clusters. Reports rules of
// header_to_metadata that Envoy refuses. Linear in the listener.
void warn_of_listener(const documents::Node& listener, Diagnostics& problems);

}  // namespace spillway::proxy
