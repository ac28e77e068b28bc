// Parses numbers as both syntaxes spell them.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/documents/node.hpp"

namespace spillway::documents {

enum class NumberVerdict : std::uint8_t { fine, not_a_number, too_large };

// Parses `-?digits[.digits][e[+-]digits]` into `node`, whose span is unchanged. YAML also allows a leading `+`, `.5`
// and `5.`. A value without a fractional part that fits into 64 bits is an integer however it is spelt, as in JSON
// Schema. A value spelt as an integer that does not fit is too large.
[[nodiscard]] NumberVerdict read_number(std::string_view spelling, Node& node);

}  // namespace spillway::documents
