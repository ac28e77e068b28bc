// Envoy's documents, made into a scenario.
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"

namespace spillway::proxy {
class Index;          // resources.hpp
struct Documents;     // documents.hpp
struct EnvoyOptions;  // options.hpp
}  // namespace spillway::proxy

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::envoy_binding {

// The scenario of the requests to `options.cluster` (empty: the only one there is), or of the request that the options
// describe. What is wrong with anything that matters for it is added to `problems`; the scenario is worth something
// only without errors there. Linear in what matters.
[[nodiscard]] Scenario assemble(const proxy::Documents& documents, const proxy::Index& index,
                                const proxy::EnvoyOptions& options, Diagnostics& problems);

}  // namespace spillway::scenario::envoy_binding
