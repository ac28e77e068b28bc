// Labels and settings of documents that are read, which change what proxies do and are not simulated.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/istio/resources.hpp"

namespace spillway::messages {

// Names ambient mode and waypoints (SP714), labels of persistent sessions and variables of istiod's environment
// (SP724).
void name_unsimulated(const documents::Node& document, Diagnostics& problems);

// Reads the names of a document of which nothing else is read.
void read_names(const documents::Node& document, istio::Meta& meta);

// True for a Gateway that is a waypoint.
[[nodiscard]] bool is_waypoint(const documents::Node& document);

}  // namespace spillway::messages
