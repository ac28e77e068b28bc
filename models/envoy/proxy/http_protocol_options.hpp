// Reads the parts of a cluster's HttpProtocolOptions that affect routing and define failures.
#pragma once

#include "models/documents/diagnostic.hpp"

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::messages {
struct Cluster;  // cluster.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

inline constexpr const char* http_protocol_options_name = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

// Sets error_statuses and max_stream_duration. Warns of rules about parts of a response that endpoints here do not have
// (SP219).
void read_http_protocol_options(const messages::Cluster& written, envoy::Cluster& cluster, Diagnostics& problems);

}  // namespace spillway::proxy
