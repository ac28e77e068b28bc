// The message types that a google.protobuf.Any in Envoy's documents may have, by the names in "@type".
#pragma once

#include <string_view>

namespace spillway::proxy {

// True if Envoy 1.40 has a message of this name ("envoy.extensions.filters.http.router.v3.Router"). Outside
// envoy.extensions, every name of the current API is accepted. Linear in the extensions.
[[nodiscard]] bool is_known_message(std::string_view type);

}  // namespace spillway::proxy
