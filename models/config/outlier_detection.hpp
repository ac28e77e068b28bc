// Settings by which a proxy ejects hosts for their responses (envoy.config.cluster.v3.OutlierDetection).
//
// Field names and defaults are Envoy's (docs/behaviour/envoy-host-pick.md 17). Percentages are whole numbers there.
#pragma once

#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <optional>

#include "models/config/refusal.hpp"

namespace spillway::config {

struct OutlierDetection {
  std::uint32_t consecutive_5xx = 5;
  std::chrono::nanoseconds interval = std::chrono::seconds{10};
  std::chrono::nanoseconds base_ejection_time = std::chrono::seconds{30};
  // Default: 300 s, or base_ejection_time if that is longer (effective_max_ejection_time).
  std::optional<std::chrono::nanoseconds> max_ejection_time = {};
  std::chrono::nanoseconds max_ejection_time_jitter{0};
  std::uint32_t max_ejection_percent = 10;
  std::uint32_t enforcing_consecutive_5xx = 100;
  bool always_eject_one_host = false;
  bool successful_active_health_check_uneject_host = true;

  std::uint32_t consecutive_gateway_failure = 5;
  std::uint32_t enforcing_consecutive_gateway_failure = 0;

  // True if connection results and responses are judged separately.
  bool split_external_local_origin_errors = false;
  std::uint32_t consecutive_local_origin_failure = 5;
  std::uint32_t enforcing_consecutive_local_origin_failure = 100;

  std::uint32_t success_rate_minimum_hosts = 5;
  std::uint32_t success_rate_request_volume = 100;
  std::uint32_t success_rate_stdev_factor = 1900;  // in thousandths of a standard deviation
  std::uint32_t enforcing_success_rate = 100;
  std::uint32_t enforcing_local_origin_success_rate = 100;

  std::uint32_t failure_percentage_threshold = 85;
  std::uint32_t failure_percentage_minimum_hosts = 5;
  std::uint32_t failure_percentage_request_volume = 50;
  std::uint32_t enforcing_failure_percentage = 0;
  std::uint32_t enforcing_failure_percentage_local_origin = 0;

  bool detect_degraded_hosts = false;  // by a response header (x-envoy-degraded), which no endpoint here sends
};

[[nodiscard]] inline std::chrono::nanoseconds effective_max_ejection_time(const OutlierDetection& config) {
  return config.max_ejection_time.value_or(
      std::max<std::chrono::nanoseconds>(std::chrono::seconds{300}, config.base_ejection_time));
}

// The HTTP statuses that count as failures if a cluster configures them
// (HttpProtocolOptions.outlier_detection.error_matcher).
using ErrorStatuses = std::bitset<1000>;

// Returns the status that outlier detection counts for a response. With a matcher, a response that does not match
// counts as 200. A response that matches counts as its own status if that is at least 500, else as 500.
[[nodiscard]] inline std::uint32_t counted_status(std::uint32_t status,
                                                  const std::optional<ErrorStatuses>& errors) noexcept {
  constexpr std::uint32_t first_error = 500;
  if (!errors || status >= errors->size()) {
    return status;
  }
  return errors->test(status) ? std::max(status, first_error) : 200;
}

// Returns why Envoy refuses this configuration, in its words; nullopt if it accepts it.
[[nodiscard]] Refusal refusal(const OutlierDetection& config);

}  // namespace spillway::config
