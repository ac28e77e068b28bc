// When a proxy ejects a host for what it answered (envoy.config.cluster.v3.OutlierDetection).
//
// Defaults are Envoy's (docs/behaviour/envoy-host-pick.md 17). Only consecutive 5xx is played so far; the reader
// refuses the fields of the other detectors.
#pragma once

#include <chrono>
#include <cstdint>

namespace spillway::config {

struct OutlierDetection {
  std::uint32_t consecutive_5xx = 5;
  std::chrono::nanoseconds interval = std::chrono::seconds{10};
  std::chrono::nanoseconds base_ejection_time = std::chrono::seconds{30};
  std::chrono::nanoseconds max_ejection_time = std::chrono::seconds{300};
  std::chrono::nanoseconds max_ejection_time_jitter{0};
  std::uint32_t max_ejection_percent = 10;
  std::uint32_t enforcing_consecutive_5xx = 100;  // percent
  bool always_eject_one_host = false;
};

}  // namespace spillway::config
