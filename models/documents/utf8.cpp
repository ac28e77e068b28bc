#include "models/documents/utf8.hpp"

#include <algorithm>

namespace spillway::documents {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Returns the length of the well-formed character at `at`; 0 if there is none (Unicode table 3-7).
std::size_t well_formed_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) {
    return 1;
  }
  if (lead < 0xC2 || lead > 0xF4) {
    return 0;
  }
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < length) {
    return 0;
  }
  const unsigned lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte_at(text, at + 1) < lowest || byte_at(text, at + 1) > highest) {
    return 0;
  }
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) {
      return 0;
    }
  }
  return length;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = well_formed_length(text, at);
    if (length == 0) {
      return at;
    }
    at += length;
  }
  return std::nullopt;
}

std::size_t count_characters(std::string_view text) noexcept {
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
}

std::size_t bytes_of_character(char lead) noexcept {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

char32_t first_character(std::string_view text) noexcept {
  const std::size_t length = std::min(bytes_of_character(text.front()), text.size());
  if (length == 1) {
    return static_cast<unsigned char>(text.front());
  }
  char32_t character = byte_at(text, 0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    character = (character << 6U) | (byte_at(text, i) & 0x3FU);
  }
  return character;
}

}  // namespace spillway::documents
