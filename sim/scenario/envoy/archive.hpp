// The files of a .tar.gz archive, as bug reports come.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/scenario/source.hpp"

namespace spillway::scenario::envoy_documents {

// The regular files in the archive's bytes, named `name`/path, in their order. Nothing, with `reason` set, if the bytes
// are no such archive, are cut short, or hold more than `most` bytes. Names may be long (ustar, pax and GNU).
[[nodiscard]] std::optional<Sources> files_of_archive(const std::string& name, const std::string& bytes,
                                                      std::size_t most, std::string& reason);

}  // namespace spillway::scenario::envoy_documents
