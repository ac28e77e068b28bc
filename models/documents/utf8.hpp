// The little of UTF-8 that places and messages need.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace spillway::documents {

// The offset of the first byte that is not well-formed UTF-8 (surrogates, overlong forms and anything past U+10FFFF
// included); nothing if all is well.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept;

// Characters in well-formed UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

// Bytes of the character that starts with `lead`.
[[nodiscard]] std::size_t bytes_of_character(char lead) noexcept;

// The code point of the character at the start of a well-formed, non-empty text.
[[nodiscard]] char32_t first_character(std::string_view text) noexcept;

}  // namespace spillway::documents
