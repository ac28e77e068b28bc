// IP addresses with ports as text: "10.0.0.1:80" and "[2001:db8::1]:80", in the form in which Envoy prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spillway::envoy::routes {

struct IpAddress {
  std::string ip;  // canonical, without brackets
  std::uint16_t port = 0;
  bool v6 = false;
};

// Parses an address; nullopt unless it is an IP address with a port.
[[nodiscard]] std::optional<IpAddress> parse_ip_address(std::string_view text);

[[nodiscard]] std::string text(const IpAddress& address);

}  // namespace spillway::envoy::routes
