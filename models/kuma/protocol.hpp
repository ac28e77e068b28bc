// What a service speaks, and which splits lead to it.
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

// The protocol that a tag names, in small letters; unknown for anything that Kuma does not know, "" too.
[[nodiscard]] std::string parse_protocol(std::string_view tag);

// http, http2 and grpc.
[[nodiscard]] bool is_http_based(std::string_view protocol);

// What two endpoints of one service have in common: the same protocol, else the first of what `one` is made of (grpc of
// http2, every one of tcp) that `other` is made of too. Unknown with anything else is unknown.
[[nodiscard]] std::string common_protocol(std::string_view one, std::string_view other);

// Of a MeshHTTPRoute (and of the routes that Kuma adds to it), or of a MeshTCPRoute.
enum class SplitKind : std::uint8_t { http, tcp };

// Whether a backend of this protocol gets a part of a split. One that does not is dropped with its weight.
[[nodiscard]] bool takes_split(std::string_view protocol, SplitKind kind);

}  // namespace spillway::kuma
