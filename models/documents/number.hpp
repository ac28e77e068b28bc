// Numbers as both syntaxes spell them.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/documents/node.hpp"

namespace spillway::documents {

enum class NumberVerdict : std::uint8_t { fine, not_a_number, too_large };

// Reads `-?digits[.digits][e[+-]digits]` (YAML allows more: a leading `+`, `.5` and `5.`) into `node`, whose span
// stays. A value without a fractional part that 64 bits hold is an integer however it is spelt, as JSON Schema has it;
// one spelt as an integer that 64 bits do not hold is too large.
[[nodiscard]] NumberVerdict read_number(std::string_view spelling, Node& node);

}  // namespace spillway::documents
