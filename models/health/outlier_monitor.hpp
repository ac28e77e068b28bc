// Counters of one host that one proxy keeps between two sweeps of the outlier detector (outlier_detection.hpp).
//
// Source: docs/behaviour/envoy-host-pick.md 17; Envoy's outlier_detection_impl.cc (DetectorHostMonitorImpl).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/config/outlier_detection.hpp"
#include "models/health/detection.hpp"

namespace spillway::health {

// A result reported for a host (Envoy's Outlier::Result).
enum class OutlierResult : std::uint8_t {
  ext_origin_request_failed,
  ext_origin_request_success,
  local_origin_timeout,
  local_origin_connect_failed,
  local_origin_connect_success,        // a connection whose request will be judged separately
  local_origin_connect_success_final,  // a connection with no other result
};

// The failure runs that one report completed, in the order in which they must be decided.
class FiredDetections {
 public:
  void add(Detection detection) noexcept { detections_[size_++] = detection; }
  [[nodiscard]] const Detection* begin() const noexcept { return detections_.data(); }
  [[nodiscard]] const Detection* end() const noexcept { return detections_.data() + size_; }
  [[nodiscard]] explicit operator bool() const noexcept { return size_ > 0; }

 private:
  std::array<Detection, 2> detections_{};
  std::size_t size_ = 0;
};

// The origin of a result: the host's response or, if origins are split, the attempt to connect to it.
enum class Origin : std::uint8_t { external, local };

// The counters of one host's responses. Small, because every request touches one of them at an unpredictable address.
struct OutlierCounters {
  std::uint32_t total = 0;    // in this interval
  std::uint32_t success = 0;  // out of total
  std::uint32_t consecutive_5xx = 0;
  std::uint32_t consecutive_gateway_failure = 0;

  void begin_interval() noexcept { total = success = 0; }
  [[nodiscard]] bool nothing_left() const noexcept {
    return total == 0 && success == 0 && consecutive_5xx == 0 && consecutive_gateway_failure == 0;
  }
  // Counts `answers` successful responses. Precondition: answers >= 1.
  void note_successes(std::uint32_t answers) noexcept {
    total += answers;
    success += answers;
    consecutive_5xx = 0;
    consecutive_gateway_failure = 0;
  }
  // Counts one response. O(1).
  FiredDetections report_status(const config::OutlierDetection& config, std::uint32_t status) noexcept;
};

// The counters of connection results, used if origins are split.
struct LocalOriginCounters {
  std::uint32_t total = 0;
  std::uint32_t success = 0;
  std::uint32_t consecutive_failure = 0;

  void begin_interval() noexcept { total = success = 0; }
  [[nodiscard]] bool nothing_left() const noexcept { return total == 0 && success == 0 && consecutive_failure == 0; }
  FiredDetections report(const config::OutlierDetection& config, bool connected) noexcept;
};

// Returns the status that replaces a result without one if origins are not split; nullopt if it does not count.
[[nodiscard]] std::optional<std::uint32_t> status_of(OutlierResult result) noexcept;

// The hosts that the success rates of a finished interval eject: below mean - stdev_factor * population standard
// deviation.
//
//   success_rate_outliers({50, 100, 100, 100, 100}, 1.9)   // mean 90, threshold 52, host 0
struct SuccessRateOutliers {
  double mean = -1.0;  // percent
  double threshold = -1.0;
  std::vector<std::size_t> positions;
};
[[nodiscard]] SuccessRateOutliers success_rate_outliers(std::span<const double> success_rates, double stdev_factor);

}  // namespace spillway::health
