// The protocol of a service, and which splits can route to it.
//
//   common_protocol("http", "tcp");              // tcp
//   common_protocol("http", "");                 // unknown
//   takes_split("tcp", SplitKind::http);         // false: a MeshHTTPRoute drops the backend
//
// Source: docs/behaviour/kuma.md 11; Kuma's core/metadata/protocol.go, plugins/policies/core/xds/meshroute.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spillway::kuma {

inline constexpr std::string_view protocol_tag = "kuma.io/protocol";
inline constexpr std::string_view unknown_protocol = "unknown";

// Returns the protocol that a tag names, in lower case; `unknown` if Kuma does not know it or if it is "".
[[nodiscard]] std::string parse_protocol(std::string_view tag);

// True for http, http2 and grpc.
[[nodiscard]] bool is_http_based(std::string_view protocol);

// Returns the common protocol of two endpoints of one service. If they differ, it is the first layer of `one` that
// `other` contains too (grpc contains http2, and every known protocol contains tcp). Unknown with anything else is
// unknown.
[[nodiscard]] std::string common_protocol(std::string_view one, std::string_view other);

// The kind of route: a MeshHTTPRoute (or a route that Kuma adds to it), or a MeshTCPRoute.
enum class SplitKind : std::uint8_t { http, tcp };

// True if a backend of this protocol gets a part of a split. Other backends are dropped with their weight.
[[nodiscard]] bool takes_split(std::string_view protocol, SplitKind kind);

}  // namespace spillway::kuma
