#include "models/config/outlier_detection.hpp"

#include <array>
#include <utility>

namespace spillway::config {

Refusal refusal(const OutlierDetection& config) {
  const std::array durations = {
      std::pair{"interval", config.interval},
      std::pair{"base_ejection_time", config.base_ejection_time},
      std::pair{"max_ejection_time", effective_max_ejection_time(config)},
  };
  const std::array percentages = {
      std::pair{"max_ejection_percent", config.max_ejection_percent},
      std::pair{"enforcing_consecutive_5xx", config.enforcing_consecutive_5xx},
      std::pair{"enforcing_success_rate", config.enforcing_success_rate},
      std::pair{"enforcing_consecutive_gateway_failure", config.enforcing_consecutive_gateway_failure},
      std::pair{"enforcing_consecutive_local_origin_failure", config.enforcing_consecutive_local_origin_failure},
      std::pair{"enforcing_local_origin_success_rate", config.enforcing_local_origin_success_rate},
      std::pair{"failure_percentage_threshold", config.failure_percentage_threshold},
      std::pair{"enforcing_failure_percentage", config.enforcing_failure_percentage},
      std::pair{"enforcing_failure_percentage_local_origin", config.enforcing_failure_percentage_local_origin},
  };
  for (const auto& [field, duration] : durations) {
    if (duration.count() <= 0) {
      return out_of_bounds("OutlierDetection", field, "value must be greater than 0s");
    }
  }
  for (const auto& [field, percentage] : percentages) {
    if (percentage > 100) {
      return out_of_bounds("OutlierDetection", field, "value must be less than or equal to 100");
    }
  }
  if (effective_max_ejection_time(config) < config.base_ejection_time) {
    return Reason{"outlier detector's max_ejection_time cannot be smaller than base_ejection_time",
                  {"max_ejection_time", "base_ejection_time"}};
  }
  return std::nullopt;
}

}  // namespace spillway::config
