// Stateful sessions (envoy.filters.http.stateful_session): a request names the host that it was sent to before, in a
// cookie or a header, and goes there before any policy is asked.
//
//   const auto address = parse_cookie(cookie, now_seconds);                       // "10.0.0.1:80"
//   select_host(status_of_that_host, false, default_override_host_status());      // SessionChoice::override_host
//
// Retries go the usual way. Source: docs/behaviour/envoy-host-pick.md 13.2; Envoy's extensions/http/stateful_session
// and upstream/host_utility.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/config/common_lb_config.hpp"

namespace spillway::envoy::stateful_session {

using config::default_override_host_status;
using config::OverrideHostStatus;

enum class SessionChoice : std::uint8_t { override_host, load_balancer, no_host };

// What becomes of a request that names a host: the host's detailed_health (host_health.hpp), none if the cluster has no
// such host.
[[nodiscard]] SessionChoice select_host(std::optional<config::HealthStatus> status, bool strict,
                                        OverrideHostStatus accepted) noexcept;

// Base64 with padding. Decoding gives none for anything else.
[[nodiscard]] std::string encode_base64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

// The cookie that keeps a session at an address: base64 of a protobuf message {1: address, 2: expiry}, without an
// expiry for a ttl of 0. Times are Unix seconds.
[[nodiscard]] std::string cookie_value(std::string_view address, std::int64_t ttl_seconds, std::int64_t now_seconds);

// The address in such a cookie; none if it has expired (the second of the expiry still counts) or holds none. A value
// that is no such message is taken as the address itself, in base64, as older versions wrote it.
[[nodiscard]] std::optional<std::string> parse_cookie(std::string_view cookie, std::int64_t now_seconds);

// The header that keeps a session at an address, and the address in one.
[[nodiscard]] inline std::string header_value(std::string_view address) {
  return encode_base64(address);
}
[[nodiscard]] inline std::optional<std::string> parse_header(std::string_view value) {
  return decode_base64(value);
}

// Whether a session of that cookie path applies to a request of that path.
[[nodiscard]] bool path_matches(std::string_view cookie_path, std::string_view request_path) noexcept;

}  // namespace spillway::envoy::stateful_session
