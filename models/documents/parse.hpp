// Parses a file's text into a located tree.
//
//   if (auto text = documents::load_source("failover.yaml", 0, problems)) { ... }
//   std::optional<documents::Node> root = documents::parse(sources, 0, problems);
//
// Problems are reported with their locations and codes SP001 to SP019; nothing throws. Limits: 64 MiB of text, depth
// 128, 2 million values (with YAML's aliases expanded).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/documents/source.hpp"

namespace spillway::documents {

inline constexpr std::size_t max_bytes = std::size_t{64} << 20U;
inline constexpr std::size_t max_depth = 128;
inline constexpr std::size_t max_values = 2'000'000;

enum class Syntax : std::uint8_t { json, yaml };

// The files that may be read. A file named by the user may be a pipe or device. A file named by another file, or found
// in a folder, must be regular, because other kinds may never end.
enum class Reads : std::uint8_t { anything, regular_files };

// Returns the contents of a file or, for "-", of standard input; nullopt if it cannot be read or exceeds the limit; a
// pipe or device is not read beyond the limit. `file` is the position that it will have in the sources.
[[nodiscard]] std::optional<SourceFile> load_source(const std::string& path, std::uint32_t file, Diagnostics& problems,
                                                    Reads reads = Reads::anything);

// Returns JSON for .json or .jsonc, YAML for .yaml or .yml; otherwise JSON if the text begins with a brace, a bracket
// or a JSON comment.
[[nodiscard]] Syntax syntax_of(const SourceFile& source);

// Parses a file of one document. Removes a byte order mark from the text, so that columns count visible characters.
[[nodiscard]] std::optional<Node> parse(Sources& sources, std::uint32_t file, Diagnostics& problems);

// Parses a file of several documents (in YAML separated by `---`) into an array.
[[nodiscard]] std::optional<Node> parse_documents(Sources& sources, std::uint32_t file, Diagnostics& problems);

}  // namespace spillway::documents
