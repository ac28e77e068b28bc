// The UTF-8 functions that locations and messages need.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace spillway::documents {

// Returns the offset of the first byte that is not well-formed UTF-8; surrogates, overlong forms and code points above
// U+10FFFF are not. nullopt if all bytes are well-formed.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept;

// Returns the number of characters. Precondition: well-formed UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

// Returns the number of bytes of the character that begins with `lead`.
[[nodiscard]] std::size_t bytes_of_character(char lead) noexcept;

// Returns the code point of the first character. Precondition: the text is well-formed and not empty.
[[nodiscard]] char32_t first_character(std::string_view text) noexcept;

}  // namespace spillway::documents
