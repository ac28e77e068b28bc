#include "models/envoy/stateful_session/stateful_session.hpp"

#include <cstddef>

#include "models/config/protobuf_wire.hpp"

namespace spillway::envoy::stateful_session {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint64_t address_field = 1;
constexpr std::uint64_t expiry_field = 2;

using config::is_utf8;
using config::WireReader;
using config::WireType;

struct CookieMessage {
  std::string address;
  std::int64_t expires = 0;
};

std::optional<CookieMessage> parse_message(std::string_view message) {
  WireReader reader(message);
  CookieMessage result;
  while (!reader.at_end()) {
    std::uint64_t field = 0;
    std::uint8_t type = 0;
    if (!reader.read_tag(field, type)) {
      return std::nullopt;
    }
    std::string_view text;
    std::uint64_t number = 0;
    bool well = false;
    if (field == address_field && type == WireType::bytes) {
      well = reader.read_bytes(text) && is_utf8(text);
      result.address = text;
    } else if (field == expiry_field && type == WireType::varint) {
      well = reader.read_varint(number);
      result.expires = static_cast<std::int64_t>(number);
    } else {
      well = reader.skip(field, type);
    }
    if (!well) {
      return std::nullopt;
    }
  }
  return result;
}

void append_varint(std::string& message, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) {
    message.push_back(static_cast<char>(0x80U | (value & 0x7fU)));
  }
  message.push_back(static_cast<char>(value));
}

}  // namespace

SessionChoice select_host(std::optional<config::HealthStatus> status, bool strict,
                          OverrideHostStatus accepted) noexcept {
  if (status && accepted.has(*status)) {
    return SessionChoice::override_host;
  }
  return strict ? SessionChoice::no_host : SessionChoice::load_balancer;
}

std::string encode_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t begin = 0; begin < bytes.size(); begin += 3) {
    const std::string_view group = bytes.substr(begin, 3);
    std::uint32_t word = 0;
    for (std::size_t index = 0; index < 3; ++index) {
      word = word << 8U | (index < group.size() ? static_cast<unsigned char>(group[index]) : 0U);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text.push_back(digit <= group.size() ? base64_digits[word >> (18U - 6U * digit) & 63U] : '=');
    }
  }
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  std::string result;
  for (std::size_t begin = 0; begin < text.size(); begin += 4) {
    std::string_view group = text.substr(begin, 4);
    const bool last = begin + 4 == text.size();
    while (last && group.size() > 2 && group.back() == '=') {
      group.remove_suffix(1);
    }
    std::uint32_t word = 0;
    for (const char letter : group) {
      const std::size_t digit = base64_digits.find(letter);
      if (digit == std::string_view::npos) {
        return std::nullopt;
      }
      word = word << 6U | static_cast<std::uint32_t>(digit);
    }
    word <<= 6U * (4 - group.size());
    if (group.size() < 4 && (word & (group.size() == 3 ? 0xffU : 0xffffU)) != 0) {
      return std::nullopt;  // unused bits must be 0
    }
    for (std::size_t byte = 0; byte + 1 < group.size(); ++byte) {
      result.push_back(static_cast<char>(word >> (16U - 8U * byte) & 0xffU));
    }
  }
  return result;
}

std::string cookie_value(std::string_view address, std::int64_t ttl_seconds, std::int64_t now_seconds) {
  std::string message;
  message.push_back(static_cast<char>(address_field << 3U | WireType::bytes));
  append_varint(message, address.size());
  message += address;
  if (ttl_seconds != 0) {
    message.push_back(static_cast<char>(expiry_field << 3U | WireType::varint));
    append_varint(message, static_cast<std::uint64_t>(now_seconds + ttl_seconds));
  }
  return encode_base64(message);
}

std::optional<std::string> parse_cookie(std::string_view cookie, std::int64_t now_seconds) {
  auto decoded = decode_base64(cookie);
  if (!decoded) {
    return std::nullopt;
  }
  const auto message = parse_message(*decoded);
  if (!message) {
    return decoded;
  }
  const bool expired = message->expires != 0 && now_seconds > message->expires;
  return expired || message->address.empty() ? std::nullopt : std::optional(message->address);
}

bool path_matches(std::string_view cookie_path, std::string_view request_path) noexcept {
  if (cookie_path.empty() || cookie_path == "/") {
    return true;
  }
  if (!request_path.starts_with(cookie_path)) {
    return false;
  }
  if (cookie_path.back() == '/' || request_path.size() == cookie_path.size()) {
    return true;
  }
  const char next = request_path[cookie_path.size()];
  return next == '/' || next == '?' || next == '#';
}

}  // namespace spillway::envoy::stateful_session
