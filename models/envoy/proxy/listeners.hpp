// Listeners of a bootstrap: named, since what they do with requests is not simulated.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::proxy {

// Adds a warning (SP212) that names the listener, its HTTP filters but the router, the subset metadata that
// header_to_metadata gives to requests, and what its routes say of hashes, retries, subsets and the choice of a
// cluster; and what Envoy refuses of rules of header_to_metadata. Linear in the listener.
void warn_of_listener(const documents::Node& listener, Diagnostics& problems);

}  // namespace spillway::proxy
