// The two syntaxes. Both take well-formed UTF-8 without control characters, and tell the first problem of syntax.
#pragma once

#include <optional>
#include <string_view>

#include "models/documents/diagnostic.hpp"
#include "models/documents/line_index.hpp"
#include "models/documents/node.hpp"

namespace spillway::documents {

// RFC 8259 with comments of both C++ kinds.
[[nodiscard]] std::optional<Node> parse_json(std::string_view text, const LineIndex& lines, Diagnostics& problems);

// YAML 1.2 with its core schema: null, true, false, numbers; everything else is text, and so is all that is quoted.
// Anchors and aliases are followed. Refused: tags, keys that are not scalars, more than one document.
[[nodiscard]] std::optional<Node> parse_yaml(std::string_view text, const LineIndex& lines, Diagnostics& problems);

// Parses any number of documents into an array; documents without a value are left out.
[[nodiscard]] std::optional<Node> parse_yaml_documents(std::string_view text, const LineIndex& lines,
                                                       Diagnostics& problems);

}  // namespace spillway::documents
