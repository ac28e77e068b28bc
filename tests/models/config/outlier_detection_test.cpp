// Which outlier detection Envoy refuses: envoy/config/cluster/v3/outlier_detection.proto, and DetectorConfig of Envoy's
// common/upstream/outlier_detection_impl.cc.
#include "models/config/outlier_detection.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace spillway::config {

using namespace std::chrono_literals;

TEST_CASE("outlier detection: durations are above 0") {
  const std::string above = ": value must be greater than 0s";
  const auto says = [](auto change) {
    OutlierDetection detection;
    change(detection);
    return text_of(refusal(detection));
  };
  const std::string front = "OutlierDetectionValidationError.";
  CHECK(says([](auto&) {}).empty());
  CHECK(says([](auto& detection) { detection.interval = 0ns; }) == front + "Interval" + above);
  CHECK(says([](auto& detection) { detection.interval = 1ns; }).empty());
  CHECK(says([](auto& detection) { detection.base_ejection_time = 0ns; }) == front + "BaseEjectionTime" + above);
  CHECK(says([](auto& detection) { detection.base_ejection_time = 1ns; }).empty());
  CHECK(says([](auto& detection) { detection.max_ejection_time = 0ns; }) == front + "MaxEjectionTime" + above);
}

TEST_CASE("outlier detection: percentages are at most 100") {
  using Percentage = std::uint32_t OutlierDetection::*;
  const std::pair<const char*, Percentage> percentages[] = {
      {"MaxEjectionPercent", &OutlierDetection::max_ejection_percent},
      {"EnforcingConsecutive5Xx", &OutlierDetection::enforcing_consecutive_5xx},
      {"EnforcingSuccessRate", &OutlierDetection::enforcing_success_rate},
      {"EnforcingConsecutiveGatewayFailure", &OutlierDetection::enforcing_consecutive_gateway_failure},
      {"EnforcingConsecutiveLocalOriginFailure", &OutlierDetection::enforcing_consecutive_local_origin_failure},
      {"EnforcingLocalOriginSuccessRate", &OutlierDetection::enforcing_local_origin_success_rate},
      {"FailurePercentageThreshold", &OutlierDetection::failure_percentage_threshold},
      {"EnforcingFailurePercentage", &OutlierDetection::enforcing_failure_percentage},
      {"EnforcingFailurePercentageLocalOrigin", &OutlierDetection::enforcing_failure_percentage_local_origin},
  };
  for (const auto& [name, field] : percentages) {
    OutlierDetection detection;
    detection.*field = 100;
    CHECK_FALSE(refusal(detection));
    detection.*field = 101;
    CHECK(refusal(detection) ==
          std::string("OutlierDetectionValidationError.") + name + ": value must be less than or equal to 100");
  }
}

TEST_CASE("outlier detection: the longest ejection is no shorter than the first") {
  OutlierDetection detection;
  detection.base_ejection_time = 30s;
  detection.max_ejection_time = 30s;
  CHECK_FALSE(refusal(detection));
  detection.max_ejection_time = 30s - 1ns;
  CHECK(refusal(detection) == "outlier detector's max_ejection_time cannot be smaller than base_ejection_time");
  detection.max_ejection_time.reset();
  detection.base_ejection_time = 400s;
  CHECK_FALSE(refusal(detection));
}

}  // namespace spillway::config
