// Divides a cluster's traffic between its priorities: availability, loads, panic.
//
//   std::vector<PriorityCounts> counts = {{.hosts = {.all = 7, .healthy = 5}}, {.hosts = {.all = 4, .healthy = 4}}};
//   PriorityState state = initial_priority_state(counts, 50, config::EnvoyProfile::current);
//   state.load.healthy;   // {100, 0}: five of seven at a factor of 140 is full availability
//
// The arithmetic is Envoy's: 64-bit unsigned integers, multiplied first and truncated; only the panic test uses
// doubles. Source: docs/behaviour/envoy-before-pick.md 2 to 5, versions-before-pick.md 3; Envoy's
// load_balancer_impl.cc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/availability.hpp"
#include "models/envoy/host_set.hpp"

namespace spillway::envoy {

// Returns the list that a host is in; `all` if it is neither the healthy nor the degraded one.
[[nodiscard]] constexpr Availability availability_of(HostFlags flags) noexcept {
  const Health health = coarse_health(flags);
  return health == Health::healthy    ? Availability::healthy
         : health == Health::degraded ? Availability::degraded
                                      : Availability::all;
}

// Numbers of hosts, or sums of their weights.
struct HostCounts {
  std::uint64_t all = 0;
  std::uint64_t healthy = 0;
  std::uint64_t degraded = 0;
  std::uint64_t excluded = 0;
};

// The inputs of one priority to the loads.
struct PriorityCounts {
  HostCounts hosts;
  std::optional<HostCounts> weights = std::nullopt;  // with weighted_priority_health
  std::uint64_t overprovisioning_factor = 140;       // percent
};

[[nodiscard]] PriorityCounts count_hosts(const HostSet& set, std::span<const Host> hosts);

// The percentages of the traffic that a priority could take, each capped at 100; the sum may exceed 100.
struct PriorityAvailability {
  std::uint64_t healthy = 0;
  std::uint64_t degraded = 0;

  friend bool operator==(const PriorityAvailability&, const PriorityAvailability&) = default;
};

// Returns min(100, factor * hosts / (all - excluded)); 0 for a priority without countable hosts.
[[nodiscard]] PriorityAvailability availability(const PriorityCounts& counts) noexcept;

// Returns min(100, the sum of all availabilities): Envoy's "normalized total availability".
[[nodiscard]] std::uint64_t normalized_total(std::span<const PriorityAvailability> availabilities) noexcept;

// The traffic by priority [%]. The healthy hosts of every priority come before any degraded ones.
struct HealthyAndDegradedLoad {
  std::vector<std::uint32_t> healthy;
  std::vector<std::uint32_t> degraded;

  friend bool operator==(const HealthyAndDegradedLoad&, const HealthyAndDegradedLoad&) = default;
};

// The priority data that a load balancer keeps between two updates.
struct PriorityState {
  std::vector<PriorityAvailability> availability;
  HealthyAndDegradedLoad load;
  std::vector<bool> panic;
  std::uint64_t normalized_total_availability = 0;
  bool total_panic = false;  // every priority panics, so loads follow the numbers of hosts

  friend bool operator==(const PriorityState&, const PriorityState&) = default;
};

// Returns the effective threshold: the runtime's value if there is one, else the cluster's, at most 100.
[[nodiscard]] std::uint64_t panic_threshold(const config::CommonLbConfig& config,
                                            const config::Runtime& runtime) noexcept;

// True if fewer than `threshold` percent of the countable hosts are healthy or degraded; exactly `threshold` percent is
// no panic. Counts hosts even if availability sums weights.
[[nodiscard]] bool host_set_in_panic(const HostCounts& hosts, std::uint64_t threshold) noexcept;

// Returns the state of a new load balancer with these priorities.
[[nodiscard]] PriorityState initial_priority_state(std::span<const PriorityCounts> priorities, std::uint64_t threshold,
                                                   config::EnvoyProfile profile);

// Implements Envoy's callback for one changed priority. `priorities` holds all priorities, unchanged ones included.
//
// Loads that are not replaced stay. Without any available host the old vector is kept, and only priority 0 or total
// panic overwrites parts of it. A stale vector may therefore sum to more than 100. Linear in the number of priorities.
void update_priority(PriorityState& state, std::span<const PriorityCounts> priorities, std::size_t changed,
                     std::uint64_t threshold, config::EnvoyProfile profile);

struct PriorityChoice {
  config::Priority priority;
  Availability availability = Availability::healthy;

  friend bool operator==(const PriorityChoice&, const PriorityChoice&) = default;
};

// Returns the priority for a draw (or request hash). A running sum covers healthy and then degraded loads; the first
// entry that reaches draw % 100 + 1 wins. Returns priority 0's healthy hosts if no entry does.
[[nodiscard]] PriorityChoice choose_priority(std::uint64_t draw, const HealthyAndDegradedLoad& load) noexcept;

// The results of choose_priority() for each draw % 100.
using PriorityTable = std::array<PriorityChoice, 100>;
[[nodiscard]] PriorityTable tabulate_priorities(const HealthyAndDegradedLoad& load) noexcept;

}  // namespace spillway::envoy
