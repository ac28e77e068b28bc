// Envoy's documents, made into a scenario.
#pragma once

#include <string>

#include "models/envoy/proxy/documents.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::envoy_binding {

// The scenario of the requests to `options.cluster` (empty: the only one there is), or of the request that the options
// describe. What is wrong with anything that matters for it is added to `problems`; the scenario is worth something
// only without errors there. Linear in what matters.
[[nodiscard]] Scenario assemble(const proxy::Documents& documents, const proxy::Index& index, const proxy::EnvoyOptions& options,
                                Diagnostics& problems);

}  // namespace spillway::scenario::envoy_binding
