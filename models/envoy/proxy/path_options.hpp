// The path of a request as a connection manager hands it to its routes.
//
//   forwarded_path(manager, "/x/../admin");   // with `normalize_path`: "/admin"
//
// `path_with_escaped_slashes_action` comes first, then `normalize_path`, then `merge_slashes`. The query stays.
#pragma once

#include <optional>
#include <string>

#include "models/documents/node.hpp"

namespace spillway::proxy {

// Nothing: the manager answers such a path itself (400, or a redirect to the path without escapes). `manager`: null,
// or a HttpConnectionManager.
[[nodiscard]] std::optional<std::string> forwarded_path(const documents::Node* manager, const std::string& path);

}  // namespace spillway::proxy
