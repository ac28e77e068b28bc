// Assembles a scenario from Envoy's documents.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::proxy {
class Index;          // resources.hpp
struct Documents;     // documents.hpp
struct EnvoyOptions;  // options.hpp
}  // namespace spillway::proxy

namespace spillway::scenario::envoy_binding {

// Returns the scenario of the requests to `options.cluster` (if empty, the only cluster), or of the request that the
// options describe. Errors in anything relevant are added to `problems`; the scenario is valid only without errors.
// Linear in the relevant documents.
[[nodiscard]] Scenario assemble(const proxy::Documents& documents, const proxy::Index& index,
                                const proxy::EnvoyOptions& options, Diagnostics& problems);

}  // namespace spillway::scenario::envoy_binding
