// Locality-weighted balancing: the weight of a locality when some of its hosts are down.
//
//   effective_weight({.weight = 1, .hosts = 100, .eligible = 69}, 140);   // 0.9659999999999999
//
// Source: docs/behaviour/envoy-before-pick.md 8; Envoy's locality_wrr.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/config/forward.hpp"

namespace spillway::envoy {

class EdfScheduler;                      // edf_scheduler.hpp
enum class Availability : std::uint8_t;  // availability.hpp
struct HostSet;                          // host_set.hpp

struct LocalityCounts {
  std::uint32_t weight = 0;    // 0 if not set
  std::uint64_t hosts = 0;     // all hosts
  std::uint64_t excluded = 0;  // left out of the denominator
  std::uint64_t eligible = 0;  // healthy hosts, or degraded ones for the schedule of degraded picks
};

// Returns weight * min(1, factor / 100 * eligible / (hosts - excluded)), computed in doubles in Envoy's order; 0
// without countable hosts. Counts hosts, not their weights.
[[nodiscard]] double effective_weight(const LocalityCounts& locality, std::uint32_t overprovisioning_factor) noexcept;

// The localities that a pick may choose, in the order of the host set, and their weights.
struct LocalitySchedule {
  std::vector<std::uint32_t> localities;  // with an effective weight above 0
  std::vector<double> weights;            // of `localities`

  // True if there are no localities. The pick then falls back to the flat list of the priority.
  [[nodiscard]] bool empty() const noexcept { return localities.empty(); }
};

[[nodiscard]] LocalitySchedule locality_schedule(std::span<const LocalityCounts> localities,
                                                 std::uint32_t overprovisioning_factor);
[[nodiscard]] LocalitySchedule locality_schedule(const HostSet& set, Availability eligible);

// Starts one client's own copy of the schedule. `seed` is the client's draw; the seed profile starts without one.
[[nodiscard]] EdfScheduler start_schedule(const LocalitySchedule& schedule, std::uint64_t seed,
                                          config::EnvoyProfile profile);

}  // namespace spillway::envoy
