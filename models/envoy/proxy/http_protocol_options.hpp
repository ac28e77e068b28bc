// Reads the parts of a cluster's HttpProtocolOptions that affect routing and define failures.
#pragma once

#include "models/documents/diagnostic.hpp"

namespace spillway::messages {
struct Cluster;  // cluster.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

struct ClusterConfig;  // cluster_config.hpp

inline constexpr const char* http_protocol_options_name = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

// Sets error_statuses, max_stream_duration and the request policies. Warns of rules about parts of a response that
// endpoints here do not have (SP219).
void read_http_protocol_options(const messages::Cluster& written, ClusterConfig& config, Diagnostics& problems);

}  // namespace spillway::proxy
