// Loads the files, folders and archives that the user names.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::proxy {

struct Inputs {
  Sources sources = {};
  std::vector<bool> named = {};  // by source: named directly, not found in a folder or an archive
};

// Reads files as they are; "-" is standard input. Of folders, at any depth, and of .tar.gz and .tgz archives it reads
// all text files, sorted by name, except hidden ones. Adds unreadable inputs to `problems` (SP001, SP002). The total is
// limited to 512 MiB. Ellipses in JSON, and text in front of it, are left out, and named by a warning (SP716).
[[nodiscard]] Inputs load_inputs(const std::vector<std::string>& paths, Diagnostics& problems);

}  // namespace spillway::proxy
