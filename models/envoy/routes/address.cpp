#include "models/envoy/routes/address.hpp"

#include <arpa/inet.h>
#include <array>
#include <charconv>

namespace spillway::envoy::routes {

std::optional<IpAddress> parse_ip_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  IpAddress result;
  const auto parsed = std::from_chars(port.data(), port.data() + port.size(), result.port);
  if (parsed.ec != std::errc{} || parsed.ptr != port.data() + port.size()) {
    return std::nullopt;
  }
  result.v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (result.v6) {
    host = host.substr(1, host.size() - 2);
  }
  const int family = result.v6 ? AF_INET6 : AF_INET;
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  std::array<char, INET6_ADDRSTRLEN> canonical{};
  if (inet_pton(family, std::string(host).c_str(), bytes.data()) != 1 ||
      inet_ntop(family, bytes.data(), canonical.data(), canonical.size()) == nullptr) {
    return std::nullopt;
  }
  result.ip = canonical.data();
  return result;
}

std::string text(const IpAddress& address) {
  const std::string port = ":" + std::to_string(address.port);
  return address.v6 ? "[" + address.ip + "]" + port : address.ip + port;
}

}  // namespace spillway::envoy::routes
