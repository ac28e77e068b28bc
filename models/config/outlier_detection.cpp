#include "models/config/outlier_detection.hpp"

#include <array>
#include <utility>

namespace spillway::config {

namespace {

std::string outlier_detection_refusal(const char* field, const char* reason) {
  return std::string("OutlierDetectionValidationError.") + field + ": " + reason;
}

}  // namespace

std::optional<std::string> refusal(const OutlierDetection& config) {
  const std::array durations = {
      std::pair{"Interval", config.interval},
      std::pair{"BaseEjectionTime", config.base_ejection_time},
      std::pair{"MaxEjectionTime", effective_max_ejection_time(config)},
  };
  const std::array percentages = {
      std::pair{"MaxEjectionPercent", config.max_ejection_percent},
      std::pair{"EnforcingConsecutive5Xx", config.enforcing_consecutive_5xx},
      std::pair{"EnforcingSuccessRate", config.enforcing_success_rate},
      std::pair{"EnforcingConsecutiveGatewayFailure", config.enforcing_consecutive_gateway_failure},
      std::pair{"EnforcingConsecutiveLocalOriginFailure", config.enforcing_consecutive_local_origin_failure},
      std::pair{"EnforcingLocalOriginSuccessRate", config.enforcing_local_origin_success_rate},
      std::pair{"FailurePercentageThreshold", config.failure_percentage_threshold},
      std::pair{"EnforcingFailurePercentage", config.enforcing_failure_percentage},
      std::pair{"EnforcingFailurePercentageLocalOrigin", config.enforcing_failure_percentage_local_origin},
  };
  for (const auto& [field, duration] : durations) {
    if (duration.count() <= 0) {
      return outlier_detection_refusal(field, "value must be greater than 0s");
    }
  }
  for (const auto& [field, percentage] : percentages) {
    if (percentage > 100) {
      return outlier_detection_refusal(field, "value must be less than or equal to 100");
    }
  }
  if (effective_max_ejection_time(config) < config.base_ejection_time) {
    return "outlier detector's max_ejection_time cannot be smaller than base_ejection_time";
  }
  return std::nullopt;
}

}  // namespace spillway::config
