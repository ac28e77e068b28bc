// Slow start: a host that has just become healthy gets its full weight gradually
// (envoy.config.cluster.v3.Cluster.SlowStartConfig). Defaults are Envoy's.
#pragma once

#include <chrono>

#include "models/config/refusal.hpp"
#include "models/config/strong.hpp"

namespace spillway::config {

struct SlowStartConfig {
  std::chrono::nanoseconds slow_start_window{0};  // Envoy uses whole milliseconds; 0 disables slow start
  double aggression = 1.0;                        // values <= 0 and NaN count as 1
  Percent min_weight_percent{10.0};

  friend bool operator==(const SlowStartConfig&, const SlowStartConfig&) = default;
};

// Returns why Envoy refuses it as a field of a cluster; nullopt if it accepts it. Typed policies accept any value.
[[nodiscard]] inline Refusal refusal(const SlowStartConfig& config) {
  const double percent = config.min_weight_percent.value;
  return percent >= 0.0 && percent <= 100.0
             ? Refusal{}
             : within("min_weight_percent", out_of_bounds("Percent", "value", "value must be inside range [0, 100]"));
}

}  // namespace spillway::config
