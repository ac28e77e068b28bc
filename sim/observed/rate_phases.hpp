// Observed rates over time, in the form of a workload's `phases`.
//
//   const RatePhases phases = phases_of(range_answer);
//   phases.of.at("backend").front().rate;   // requests a second, for phases.of.at("backend").front().length
//
// All clusters begin at the same time, the first observed time of any. A cluster that is observed later begins with a
// rate of 0.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/observed/access_log.hpp"
#include "sim/observed/prometheus_range.hpp"

namespace spillway::observed {

struct RatePhase {
  double rate = 0.0;  // [requests/s]
  std::chrono::nanoseconds length{0};
};

struct RatePhases {
  std::map<std::string, std::vector<RatePhase>> of = {};  // by cluster
  std::chrono::nanoseconds length{0};                     // of all phases
  std::set<std::string> after_drops = {};                 // clusters whose count lacks requests without a host
};

// Limit of the number of phases; neighbours are merged above it.
inline constexpr std::size_t most_phases = 60;

// Returns one phase per interval between points of a range query over rq_total of endpoints. All series of a cluster
// are added. A counter that restarts at 0 counts from there. O(n log n) for n points.
[[nodiscard]] RatePhases phases_of(const RangeAnswer& answer);

// Returns the phases of requests with a start time, by cluster: the one named in the log, else the only cluster with
// the address. `clusters_of` maps addresses to their clusters. Phases have equal lengths, each with about 20 requests
// of the busiest cluster.
[[nodiscard]] RatePhases phases_of(const AccessLog& log,
                                   const std::map<std::string, std::vector<std::string>>& clusters_of);

}  // namespace spillway::observed
