// Quantiles over a sliding window, as in a Prometheus summary.
//
//   LatencySummary summary;
//   summary.observe(70s, 0.25);
//   summary.quantiles(80s)->p99;    // 0.25
//
// The client library keeps five streams. Every two minutes from the first observation, one stream is emptied, and the
// oldest of the others is read. So for ten minutes a quantile is over all observations, and afterwards over those of
// the last eight to ten minutes. Quantiles are exact here. Kuma's objectives allow errors of rank: 0.05 for the median,
// 0.01 for p90, 0.001 for p99. Source: prometheus/client_golang's summary with MaxAge 10 min and AgeBuckets 5; Kuma's
// pkg/metrics.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "sim/scenario/control_plane.hpp"

namespace spillway::control_plane {

class LatencySummary {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  // Adds an observation. Precondition: times are not descending.
  void observe(Nanoseconds at, double seconds) { observations_.emplace_back(at, seconds); }

  // Returns the quantiles of the window that ends at `at`, inclusive; unset if it has no observation. O(observations).
  [[nodiscard]] scenario::LatencyQuantiles quantiles(Nanoseconds at) const;

  // Returns the number of observations in the window.
  [[nodiscard]] std::size_t count(Nanoseconds at) const;

 private:
  using Observation = std::pair<Nanoseconds, double>;
  using Iterator = std::vector<Observation>::const_iterator;
  [[nodiscard]] std::pair<Iterator, Iterator> window(Nanoseconds at) const;

  std::vector<Observation> observations_;
};

}  // namespace spillway::control_plane
