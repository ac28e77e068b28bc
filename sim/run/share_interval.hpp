// The 95 % interval of a share of requests that was counted in several replications.
//
//   run::Interval interval = run::share_interval(missed, requests, shares_by_replication);
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sim/run/replications.hpp"

namespace spillway::run {

// Returns Wilson's interval of independent requests or Student's of the replications, whichever reaches further; within
// 0 and 1, never of width zero. Returns [0, 1] if there are no requests.
[[nodiscard]] inline Interval share_interval(std::uint64_t missed, std::uint64_t requests,
                                             std::span<const double> by_replication) {
  if (requests == 0) {
    return {};
  }
  const double share = static_cast<double>(missed) / static_cast<double>(requests);
  const Interval independent = wilson_interval(missed, requests);
  const double half_width = half_width_95(by_replication);
  return {std::max(0.0, std::min(independent.low, share - half_width)),
          std::min(1.0, std::max(independent.high, share + half_width))};
}

}  // namespace spillway::run
