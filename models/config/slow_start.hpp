// How a host that has just become healthy gets its full weight only gradually
// (envoy.config.cluster.v3.Cluster.SlowStartConfig). Defaults are Envoy's.
#pragma once

#include <chrono>

#include "models/config/strong.hpp"

namespace spillway::config {

struct SlowStartConfig {
  std::chrono::nanoseconds slow_start_window{0};  // Envoy reads whole milliseconds; 0: no slow start
  double aggression = 1.0;                        // 0, below it and NaN count as 1
  Percent min_weight_percent{10.0};

  friend bool operator==(const SlowStartConfig&, const SlowStartConfig&) = default;
};

}  // namespace spillway::config
