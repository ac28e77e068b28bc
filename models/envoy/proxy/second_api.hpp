// Recognises resources of Envoy's second API, which no release after 1.17 accepts.
#pragma once

#include <optional>
#include <string>

#include "models/documents/node.hpp"

namespace spillway::proxy {

// The feature by which a document was recognised, with its place.
struct SecondApi {
  Span where;
  std::string what;  // "`hosts`"
};

// Returns the first feature that only the second API has; nullopt if the document has none. Linear. Source: the API
// shipped with Envoy 1.17 (deprecated fields, move_to_package and rename of its migration).
[[nodiscard]] std::optional<SecondApi> find_second_api(const documents::Node& root);

}  // namespace spillway::proxy
