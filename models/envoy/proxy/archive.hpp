// Unpacks .tar.gz archives, the usual form of bug reports.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "models/documents/source.hpp"

namespace spillway::proxy {

struct ArchiveQuestion {
  std::function<bool(std::string_view path)> wanted;  // the path starts with the archive's name
  std::size_t most = 0;                               // unpacked bytes
  std::size_t most_files = 0;                         // wanted files
};

// Returns the wanted regular files in the archive's bytes, named `name`/path, in archive order. Supports long names
// (ustar, pax and GNU). Unpacks in pieces and stops once a header announces more than is allowed, so memory is that of
// the files returned.
//
// Returns nullopt and sets `reason` on failure: the bytes are not such an archive, are truncated, unpack to more than
// `most` bytes, contain a file above 64 MiB, or more than `most_files` wanted files.
[[nodiscard]] std::optional<Sources> files_of_archive(const std::string& name, const std::string& bytes,
                                                      const ArchiveQuestion& question, std::string& reason);

}  // namespace spillway::proxy
