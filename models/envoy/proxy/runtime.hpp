// Runtime values as a static layer of a bootstrap writes them, and as scenarios do: keys with dots, or nested.
#pragma once

#include "models/config/common_lb_config.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::proxy {

// Whether keys that are not simulated pass, as in a document of Envoy's, or are refused (SP302).
enum class OtherKeys : std::uint8_t { pass, refused };

// The values of a layer, in their order. A value that Envoy cannot use is a warning (SP213) and takes the place of an
// earlier one all the same; one that Envoy refuses is an error (SP139).
[[nodiscard]] config::RuntimeChange read_runtime(const documents::Node& layer, OtherKeys others, Diagnostics& problems);

}  // namespace spillway::proxy
