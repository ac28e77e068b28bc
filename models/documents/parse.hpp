// A file's text as a located tree.
//
//   if (auto text = document::load_source("failover.yaml", problems)) { ... }
//   std::optional<document::Node> root = document::parse(sources, 0, problems);
//
// What cannot be read is told in `problems` with its place and code SP001 to SP019; nothing throws. Text limit 64 MiB,
// depth limit 128, at most 2 million values (after YAML's aliases are followed).
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

// Files that somebody names may be pipes and devices. Those that a file names, or that lie in a folder, are regular
// ones: another kind may never end.
enum class Reads : std::uint8_t { anything, regular_files };

// Returns the contents of a file or, for "-", of standard input; nullopt if it cannot be read or exceeds the limit,
// beyond which pipes and devices are not read. `file` is the position that it will have in the sources.
[[nodiscard]] std::optional<SourceFile> load_source(const std::string& path, std::uint32_t file, Diagnostics& problems,
                                                    Reads reads = Reads::anything);

// JSON by .json or .jsonc, YAML by .yaml or .yml, else JSON if the first thing in it is a brace, bracket or comment of
// JSON.
[[nodiscard]] Syntax syntax_of(const SourceFile& source);

// A byte order mark at the start of the text is taken off, so that columns count what can be seen.
[[nodiscard]] std::optional<Node> parse(Sources& sources, std::uint32_t file, Diagnostics& problems);

// Parses a file of several documents (in YAML separated by `---`) into an array.
[[nodiscard]] std::optional<Node> parse_documents(Sources& sources, std::uint32_t file, Diagnostics& problems);

}  // namespace spillway::documents
