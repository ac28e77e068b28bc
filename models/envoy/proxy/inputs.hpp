// The files behind the paths that somebody names: files, folders and archives.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::proxy {

struct Inputs {
  Sources sources = {};
  std::vector<bool> named = {};  // by source: by itself, not as a part of a folder or an archive
};

// Files as they are; of folders, to any depth, and of .tar.gz and .tgz archives all files that are texts, sorted by
// name; "-" reads standard input. Hidden files are left out. What cannot be read is added to `problems` (SP001, SP002);
// together they may be at most 512 MiB.
[[nodiscard]] Inputs load_inputs(const std::vector<std::string>& paths, Diagnostics& problems);

}  // namespace spillway::proxy
