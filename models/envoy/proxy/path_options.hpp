// Computes the path of a request that a connection manager passes to its routes.
//
//   forwarded_path(manager, "/x/../admin");   // with `normalize_path`: "/admin"
//
// Applies `path_with_escaped_slashes_action`, then `normalize_path`, then `merge_slashes`. The query is unchanged.
#pragma once

#include <optional>
#include <string>

#include "models/documents/node.hpp"

namespace spillway::proxy {

// Returns nullopt if the manager answers such a path itself (400, or a redirect to the path without escapes).
// `manager`: a HttpConnectionManager; null leaves the path unchanged.
[[nodiscard]] std::optional<std::string> forwarded_path(const documents::Node* manager, const std::string& path);

}  // namespace spillway::proxy
