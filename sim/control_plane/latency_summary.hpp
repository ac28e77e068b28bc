// Quantiles over a sliding window, as a Prometheus summary gives them.
//
//   LatencySummary summary;
//   summary.observe(70s, 0.25);
//   summary.quantiles(80s)->p99;    // 0.25
//
// The client library keeps five streams; every two minutes, counted from the first observation, one of them is emptied,
// the oldest of the others is read. So a quantile is over all observations for ten minutes, and from then on over
// those of the last eight to ten. Quantiles are exact here; Kuma's objectives let the rank of its median be off by
// 0.05, that of p90 by 0.01, that of p99 by 0.001.
// Source: prometheus/client_golang's summary with MaxAge 10 min and AgeBuckets 5; Kuma's pkg/metrics.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/scenario/control_plane.hpp"

namespace spillway::control_plane {

class LatencySummary {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // In the order of time.
  void observe(Nanoseconds at, double seconds) { observations_.emplace_back(at, seconds); }

  // Of the window that ends then, what happens then included; nothing where there is no observation. Linear in those.
  [[nodiscard]] scenario::LatencyQuantiles quantiles(Nanoseconds at) const;

  // So many in the window.
  [[nodiscard]] std::size_t count(Nanoseconds at) const;

 private:
  using Observation = std::pair<Nanoseconds, double>;
  using Iterator = std::vector<Observation>::const_iterator;
  [[nodiscard]] std::pair<Iterator, Iterator> window(Nanoseconds at) const;

  std::vector<Observation> observations_;
};

}  // namespace spillway::control_plane
