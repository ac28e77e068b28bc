// Stateful sessions (envoy.filters.http.stateful_session). A request names the host that it was sent to before, in a
// cookie or a header. It goes there without a pick by the policy.
//
//   const auto address = parse_cookie(cookie, now_seconds);                       // "10.0.0.1:80"
//   select_host(status_of_that_host, false, default_override_host_status());      // SessionChoice::override_host
//
// Retries are picked as usual. Source: docs/behaviour/envoy-host-pick.md 13.2; Envoy's extensions/http/stateful_session
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

// Decides where a request that names a host goes. `status` is the host's detailed_health (host_health.hpp); nullopt if
// the cluster has no such host.
[[nodiscard]] SessionChoice select_host(std::optional<config::HealthStatus> status, bool strict,
                                        OverrideHostStatus accepted) noexcept;

// Encodes and decodes base64 with padding. Decoding returns nullopt for anything else.
[[nodiscard]] std::string encode_base64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

// Returns the cookie that ties a session to an address: base64 of a protobuf message {1: address, 2: expiry}. A ttl of
// 0 omits the expiry. Times are Unix seconds.
[[nodiscard]] std::string cookie_value(std::string_view address, std::int64_t ttl_seconds, std::int64_t now_seconds);

// Returns the address in a session cookie; nullopt if it has expired (it is still valid in the second of its expiry) or
// has no address. Any other value is decoded as base64 of the address itself, the format of older versions.
[[nodiscard]] std::optional<std::string> parse_cookie(std::string_view cookie, std::int64_t now_seconds);

// header_value() returns the header that ties a session to an address; parse_header() returns the address in it.
[[nodiscard]] inline std::string header_value(std::string_view address) {
  return encode_base64(address);
}
[[nodiscard]] inline std::optional<std::string> parse_header(std::string_view value) {
  return decode_base64(value);
}

// True if a session with this cookie path applies to a request with this path.
[[nodiscard]] bool path_matches(std::string_view cookie_path, std::string_view request_path) noexcept;

}  // namespace spillway::envoy::stateful_session
