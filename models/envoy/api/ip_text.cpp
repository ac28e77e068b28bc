#include "models/envoy/api/ip_text.hpp"

#include <arpa/inet.h>
#include <array>
#include <cstddef>

namespace spillway::api {

bool is_ip(const std::string& text) noexcept {
  std::array<std::byte, sizeof(in6_addr)> parsed{};
  return inet_pton(AF_INET, text.c_str(), parsed.data()) == 1 || inet_pton(AF_INET6, text.c_str(), parsed.data()) == 1;
}

}  // namespace spillway::api
