// Configuration structs from the flat fields of cases, and back: Envoy's messages, but for durations, which are whole
// milliseconds in fields that end in _ms. A field that is unknown to the message's description throws.
#pragma once

#include <nlohmann/json.hpp>

#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"

namespace spillway::conformance {

[[nodiscard]] config::OutlierDetection outlier_detection_of(const nlohmann::json& fields);
[[nodiscard]] nlohmann::json fields_of(const config::OutlierDetection& config);

// Thresholds and times that are not given are 1 and a second, and a check is one by HTTP.
[[nodiscard]] config::HealthCheck health_check_of(const nlohmann::json& fields);
// The same of an excerpt of Envoy's message.
[[nodiscard]] nlohmann::json whole_health_check(const nlohmann::json& message);

}  // namespace spillway::conformance
