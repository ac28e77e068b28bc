#include "models/envoy/api/ip_text.hpp"

#include <arpa/inet.h>
#include <array>
#include <cstddef>
#include <cstdint>

namespace spillway::api {

bool is_ip(const std::string& text) noexcept {
  std::array<std::byte, sizeof(in6_addr)> parsed{};
  return inet_pton(AF_INET, text.c_str(), parsed.data()) == 1 || inet_pton(AF_INET6, text.c_str(), parsed.data()) == 1;
}

std::string canonical_ip(const std::string& text, std::size_t bits) {
  for (const int family : {AF_INET, AF_INET6}) {
    std::array<std::uint8_t, sizeof(in6_addr)> bytes{};
    if (inet_pton(family, text.c_str(), bytes.data()) != 1) {
      continue;
    }
    constexpr std::size_t in_a_byte = 8;
    for (std::size_t bit = bits; bit < bytes.size() * in_a_byte; ++bit) {
      bytes[bit / in_a_byte] &= static_cast<std::uint8_t>(~(0x80U >> (bit % in_a_byte)));
    }
    std::array<char, INET6_ADDRSTRLEN> written{};
    return inet_ntop(family, bytes.data(), written.data(), written.size());
  }
  return text;
}

}  // namespace spillway::api
