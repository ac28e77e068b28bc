// What a cluster says of the health of its hosts, and of how much it takes at once, in protobuf's JSON.
#pragma once

#include "models/config/circuit_breakers.hpp"
#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"
#include "models/envoy/cluster.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::reports::envoy_export {

// Defaults are written too, so that they act as the simulation has them whatever Envoy's become.
[[nodiscard]] Json outlier_detection_json(const config::OutlierDetection& detection);
// HttpProtocolOptions by their name; empty: they say nothing.
[[nodiscard]] Json http_protocol_options_json(const envoy::Cluster& cluster);
[[nodiscard]] Json health_check_json(const config::HealthCheck& check);
[[nodiscard]] Json circuit_breakers_json(const config::CircuitBreakers& breakers);

}  // namespace spillway::reports::envoy_export
