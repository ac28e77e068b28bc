// Configuration structs from the flat fields of cases, and back. Durations are whole milliseconds in fields that end in
// _ms; a field that is unknown here throws.
#pragma once

#include <nlohmann/json.hpp>

#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"

namespace spillway::conformance {

[[nodiscard]] config::OutlierDetection outlier_detection_of(const nlohmann::json& fields);
[[nodiscard]] nlohmann::json fields_of(const config::OutlierDetection& config);

// Thresholds and times that are not given are 1 and a second.
[[nodiscard]] config::HealthCheck health_check_of(const nlohmann::json& fields);

}  // namespace spillway::conformance
