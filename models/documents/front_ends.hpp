// The two parsers. Precondition: well-formed UTF-8 without control characters. They report the first syntax error.
#pragma once

#include <optional>
#include <string_view>

#include "models/documents/diagnostic.hpp"
#include "models/documents/line_index.hpp"
#include "models/documents/node.hpp"

namespace spillway::documents {

// Parses JSON (RFC 8259) with both kinds of C++ comments.
[[nodiscard]] std::optional<Node> parse_json(std::string_view text, const LineIndex& lines, Diagnostics& problems);

// Parses YAML 1.2 by its core schema: plain null, true, false and numbers have types; all other scalars, and all quoted
// ones, are texts. Follows anchors and aliases. Refuses tags, keys that are not scalars, and more than one document.
[[nodiscard]] std::optional<Node> parse_yaml(std::string_view text, const LineIndex& lines, Diagnostics& problems);

// Parses any number of documents into an array; documents without a value are left out.
[[nodiscard]] std::optional<Node> parse_yaml_documents(std::string_view text, const LineIndex& lines,
                                                       Diagnostics& problems);

}  // namespace spillway::documents
