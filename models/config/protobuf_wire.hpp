// Protobuf's binary form, to the extent that cookies and headers contain it.
//
//   WireReader reader(message);
//   while (!reader.at_end()) { if (!reader.read_tag(field, type)) { return malformed; } ... }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace spillway::config {

struct WireType {
  enum : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, start_group = 3, end_group = 4, fixed32 = 5 };
};

// A reader of a protobuf message's bytes. Every function returns false for malformed input.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

  bool read_varint(std::uint64_t& value) noexcept {
    value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (rest_.empty()) {
        return false;
      }
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= shift < 64 ? std::uint64_t{byte & 0x7fU} << shift : 0;
      if (byte < 0x80U) {
        return true;
      }
    }
    return false;
  }

  // Reads a tag. Fails for tags wider than 32 bits and for field number 0.
  bool read_tag(std::uint64_t& field, std::uint8_t& type) noexcept {
    std::uint64_t tag = 0;
    if (!read_varint(tag) || tag > 0xffffffffU) {
      return false;
    }
    field = tag >> 3U;
    type = static_cast<std::uint8_t>(tag & 7U);
    return field != 0;
  }

  // Reads eight bytes, least significant first.
  bool read_fixed64(std::uint64_t& value) noexcept {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) {
      if (rest_.empty()) {
        return false;
      }
      value |= std::uint64_t{static_cast<unsigned char>(rest_.front())} << shift;
      rest_.remove_prefix(1);
    }
    return true;
  }

  bool read_bytes(std::string_view& value) noexcept {
    std::uint64_t size = 0;
    if (!read_varint(size) || size > rest_.size()) {
      return false;
    }
    value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  bool skip(std::uint64_t field, std::uint8_t type) noexcept {
    std::uint64_t number = 0;
    std::string_view text;
    switch (type) {
      case WireType::varint:
        return read_varint(number);
      case WireType::fixed64:
        return drop(8);
      case WireType::bytes:
        return read_bytes(text);
      case WireType::start_group:
        return skip_group(field);
      case WireType::fixed32:
        return drop(4);
      default:
        return false;
    }
  }

 private:
  bool drop(std::size_t count) noexcept {
    if (count > rest_.size()) {
      return false;
    }
    rest_.remove_prefix(count);
    return true;
  }

  bool skip_group(std::uint64_t group) noexcept {
    constexpr int deepest = 100;
    if (++depth_ > deepest) {
      return false;
    }
    std::uint64_t field = 0;
    std::uint8_t type = 0;
    while (read_tag(field, type)) {
      if (type == WireType::end_group) {
        --depth_;
        return field == group;
      }
      if (!skip(field, type)) {
        return false;
      }
    }
    return false;
  }

  std::string_view rest_;
  int depth_ = 0;
};

// True if the text is valid UTF-8, as protobuf strings must be: no overlong forms, no surrogates, nothing above
// U+10FFFF.
inline bool is_utf8(std::string_view text) noexcept {
  for (std::size_t index = 0; index < text.size();) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const unsigned first = byte(index);
    if (first < 0x80U) {
      ++index;
      continue;
    }
    const unsigned length = first >= 0xf0U ? 4 : first >= 0xe0U ? 3 : 2;
    if (first < 0xc2U || first > 0xf4U) {
      return false;
    }
    for (std::size_t next = 1; next < length; ++next) {
      if ((byte(index + next) & 0xc0U) != 0x80U) {
        return false;
      }
    }
    const unsigned second = byte(index + 1);
    if ((first == 0xe0U && second < 0xa0U) || (first == 0xedU && second > 0x9fU) ||
        (first == 0xf0U && second < 0x90U) || (first == 0xf4U && second > 0x8fU)) {
      return false;
    }
    index += length;
  }
  return true;
}

}  // namespace spillway::config
