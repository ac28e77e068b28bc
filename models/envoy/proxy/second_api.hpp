// Converts resources of Envoy's second API (supported up to release 1.17), which differ from the third mostly in names.
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

// Rewrites all parts of a document that belong to the second API as the third API; every part keeps its place in the
// file. Fields that have another meaning today, such as `regex`, stay, so that their reader can refuse them by name.
// Returns the feature by which the document was recognised. Returns nullopt, leaving the document unchanged, if nothing
// in it is of the second API. Linear. Source: the API shipped with Envoy 1.17 (deprecated fields, move_to_package and
// rename of its migration).
std::optional<SecondApi> read_second_api(documents::Node& root);

}  // namespace spillway::proxy
