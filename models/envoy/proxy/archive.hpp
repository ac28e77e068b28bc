// The files of a .tar.gz archive, as bug reports come.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "models/documents/source.hpp"

namespace spillway::proxy {

struct ArchiveQuestion {
  std::function<bool(std::string_view path)> wanted;  // with the archive's name before it
  std::size_t most = 0;                               // bytes, unpacked
};

// The regular files in the archive's bytes that are wanted, named `name`/path, in their order. Nullopt, with `reason`
// set, if the bytes are no such archive, are cut short, unpack to more than `most` bytes, or have a file of more than
// 64 MiB. Names may be long (ustar, pax and GNU). It is unpacked piece by piece and no further than what its headers
// promise may be read: memory is that of the files.
[[nodiscard]] std::optional<Sources> files_of_archive(const std::string& name, const std::string& bytes,
                                                      const ArchiveQuestion& question, std::string& reason);

}  // namespace spillway::proxy
