// Rates over time as something observed tells them: what a workload's `phases` are.
//
//   const RatePhases phases = phases_of(range_answer);
//   phases.of.at("backend").front().rate;   // requests a second, for phases.of.at("backend").front().length
//
// All clusters begin at one moment, the first that is told of any; one that is told of later begins with a rate of 0.
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
  double rate = 0.0;  // requests a second
  std::chrono::nanoseconds length{0};
};

struct RatePhases {
  std::map<std::string, std::vector<RatePhase>> of = {};  // by cluster
  std::chrono::nanoseconds length{0};                     // of all
  std::set<std::string> after_drops = {};                 // clusters of which requests without a host are not counted
};

// Of more, neighbours are one.
inline constexpr std::size_t most_phases = 60;

// From one point of a range query over rq_total of endpoints to the next, all series of a cluster together. A counter
// that begins at 0 again counts from there. Linear in points, times their logarithm.
[[nodiscard]] RatePhases phases_of(const RangeAnswer& answer);

// Of requests whose start the log tells, by the cluster that it names or else by addresses that belong to one cluster
// alone (`clusters_of`: by address). Phases of one length, each with some 20 requests of the busiest cluster.
[[nodiscard]] RatePhases phases_of(const AccessLog& log,
                                   const std::map<std::string, std::vector<std::string>>& clusters_of);

}  // namespace spillway::observed
