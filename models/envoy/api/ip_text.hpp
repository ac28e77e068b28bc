// IP addresses without a port.
#pragma once

#include <cstddef>
#include <string>

namespace spillway::api {

// True for an IPv4 or IPv6 address. Source: inet_pton, which Envoy uses.
[[nodiscard]] bool is_ip(const std::string& text) noexcept;

// Returns an address as Envoy writes it, without the bits after the first `bits`; the text itself if it is no address.
[[nodiscard]] std::string canonical_ip(const std::string& text, std::size_t bits = 128);

}  // namespace spillway::api
