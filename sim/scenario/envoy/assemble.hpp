// Envoy's documents, made into a scenario.
#pragma once

#include <string>

#include "sim/scenario/envoy/documents.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::envoy_documents {

// The scenario of the requests to `cluster` (empty: the only one there is). What is wrong with anything that matters
// for it is added to `problems`; the scenario is worth something only without errors there.
[[nodiscard]] Scenario assemble(const Documents& documents, const std::string& cluster, Diagnostics& problems);

}  // namespace spillway::scenario::envoy_documents
