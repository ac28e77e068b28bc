// Texts beside configurations: what /clusters and /stats print, access logs.
#pragma once

#include "models/documents/source.hpp"

namespace spillway::proxy {

// Whether a text holds no document: lines of /clusters (`name::key::value`), of /stats (`name: 12`, # TYPE), of a log.
// Looks at its first lines.
[[nodiscard]] bool is_plain_text(const SourceFile& source);

}  // namespace spillway::proxy
