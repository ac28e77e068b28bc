// Reports labels and settings of documents that change what proxies do but are not simulated.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/istio/resources.hpp"

namespace spillway::messages {

// Reports ambient mode and waypoints (SP714), and labels of persistent sessions (SP724).
void name_unsimulated(const documents::Node& document, Diagnostics& problems);

// Returns the variables of istiod's environment in an IstioOperator that are simulated. Reports the others (SP724).
[[nodiscard]] istio::Environment read_environment(const documents::Node& document, Diagnostics& problems);

// Reads only the names of a document.
void read_names(const documents::Node& document, istio::Meta& meta);

// True for a Gateway that is a waypoint.
[[nodiscard]] bool is_waypoint(const documents::Node& document);

}  // namespace spillway::messages
