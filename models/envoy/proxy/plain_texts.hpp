// Recognises text files that are not configuration: output of /clusters and /stats, access logs.
#pragma once

#include "models/documents/source.hpp"

namespace spillway::proxy {

// True if a text is not a document but lines of /clusters (`name::key::value`), of /stats (`name: 12`, # TYPE) or of a
// log. Reads only its first lines.
[[nodiscard]] bool is_plain_text(const SourceFile& source);

}  // namespace spillway::proxy
