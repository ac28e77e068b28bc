// The messages that may stand in a google.protobuf.Any of Envoy's documents, by the names in their "@type".
#pragma once

#include <string_view>

namespace spillway::proxy {

// Whether Envoy 1.40 has a message of this name ("envoy.extensions.filters.http.router.v3.Router"). Of packages other
// than envoy.extensions every name of today's API counts as one. Linear in the extensions.
[[nodiscard]] bool is_known_message(std::string_view type);

}  // namespace spillway::proxy
