// IP addresses without a port.
#pragma once

#include <string>

namespace spillway::api {

// True for an IPv4 or IPv6 address. Source: inet_pton, which Envoy uses.
[[nodiscard]] bool is_ip(const std::string& text) noexcept;

}  // namespace spillway::api
