// What a cluster says of the health of its hosts, in protobuf's JSON.
#pragma once

#include "models/config/outlier_detection.hpp"
#include "models/envoy/cluster.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::reports::envoy_export {

// With the longest time that Envoy would take by itself.
[[nodiscard]] Json outlier_detection_json(const config::OutlierDetection& detection);
// HttpProtocolOptions by their name; empty: they say nothing.
[[nodiscard]] Json http_protocol_options_json(const envoy::Cluster& cluster);

}  // namespace spillway::reports::envoy_export
