#include "models/envoy/locality_weights.hpp"

#include <algorithm>

#include "models/envoy/availability.hpp"
#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/host_set.hpp"

namespace spillway::envoy {

double effective_weight(const LocalityCounts& locality, std::uint32_t overprovisioning_factor) noexcept {
  const std::uint64_t countable = locality.hosts - locality.excluded;
  if (countable == 0) {
    return 0.0;
  }
  const double ratio = 1.0 * static_cast<double>(locality.eligible) / static_cast<double>(countable);
  return locality.weight * std::min(1.0, (overprovisioning_factor / 100.0) * ratio);
}

LocalitySchedule locality_schedule(std::span<const LocalityCounts> localities, std::uint32_t overprovisioning_factor) {
  LocalitySchedule schedule;
  for (std::size_t locality = 0; locality < localities.size(); ++locality) {
    const double weight = effective_weight(localities[locality], overprovisioning_factor);
    if (weight > 0.0) {
      schedule.localities.push_back(static_cast<std::uint32_t>(locality));
      schedule.weights.push_back(weight);
    }
  }
  return schedule;
}

LocalitySchedule locality_schedule(const HostSet& set, Availability eligible) {
  const HostList& list = eligible == Availability::degraded ? set.degraded : set.healthy;
  if (set.locality_weights.empty()) {
    return {};
  }
  std::vector<LocalityCounts> counts;
  counts.reserve(set.localities.size());
  for (std::size_t locality = 0; locality < set.localities.size(); ++locality) {
    counts.push_back({set.locality_weights[locality], set.all.of_locality(locality).size(),
                      set.excluded.of_locality(locality).size(), list.of_locality(locality).size()});
  }
  return locality_schedule(counts, set.overprovisioning_factor);
}

EdfScheduler start_schedule(const LocalitySchedule& schedule, std::uint64_t seed, config::EnvoyProfile profile) {
  return config::before(profile, 30) ? EdfScheduler::plain(schedule.weights, 0)
                                     : EdfScheduler::seeded(schedule.weights, seed);
}

}  // namespace spillway::envoy
