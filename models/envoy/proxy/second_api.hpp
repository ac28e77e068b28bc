// Envoy's second API, which releases up to 1.17 took: its resources are those of the third under older names.
#pragma once

#include <optional>
#include <string>

#include "models/documents/node.hpp"

namespace spillway::proxy {

// By what a document was recognised, and where that stands.
struct SecondApi {
  Span where;
  std::string what;  // "`hosts`"
};

// Writes whatever in a document is of the second API as the same of the third; every part keeps its place in the file.
// What means something else today, such as `regex`, stays as it is, for whoever reads it to refuse it by name. Returns
// by what the document was recognised; none: nothing in it is of the second API, and it was left alone. Linear.
// Source: the API that Envoy 1.17 shipped (deprecated fields, move_to_package and rename of its migration).
std::optional<SecondApi> read_second_api(documents::Node& root);

}  // namespace spillway::proxy
