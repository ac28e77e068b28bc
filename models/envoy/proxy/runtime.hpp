// Reads runtime values as written in a bootstrap's static layer and in scenarios: keys with dots, or nested keys.
#pragma once

#include "models/config/common_lb_config.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::proxy {

// The treatment of unsupported keys: accepted as in Envoy's documents, or refused (SP302).
enum class OtherKeys : std::uint8_t { pass, refused };

// Returns the values of a layer in order. Warns of a value that Envoy cannot use (SP213), which still replaces earlier
// ones. Reports a value that Envoy refuses (SP139).
[[nodiscard]] config::RuntimeChange read_runtime(const documents::Node& layer, OtherKeys others, Diagnostics& problems);

}  // namespace spillway::proxy
