// Reports labels and settings of documents that change what proxies do but are not simulated.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/istio/resources.hpp"

namespace spillway::messages {

// Reports ambient mode and waypoints (SP714), labels of persistent sessions and variables of istiod's environment
// (SP724).
void name_unsimulated(const documents::Node& document, Diagnostics& problems);

// Reads only the names of a document.
void read_names(const documents::Node& document, istio::Meta& meta);

// True for a Gateway that is a waypoint.
[[nodiscard]] bool is_waypoint(const documents::Node& document);

}  // namespace spillway::messages
