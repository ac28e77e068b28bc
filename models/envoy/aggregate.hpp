// Aggregate clusters: the priorities of several clusters in one list (envoy.clusters.aggregate).
//
// Children are in list order, the priorities of each child ascending; priorities without hosts are left out. Loads and
// panic of the list follow the rules of ordinary priorities (priority_load.hpp) with the aggregate's own panic
// threshold. Each level keeps its child's overprovisioning factor.
//
// Source: docs/behaviour/envoy-before-pick.md 11; Envoy's clusters/aggregate/cluster.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

// A level of an aggregate cluster: one priority of one child, in the combined list of all children's priorities.
struct AggregateLevel {
  std::uint32_t child = 0;  // position in the aggregate's list of clusters
  config::Priority priority;

  friend bool operator==(const AggregateLevel&, const AggregateLevel&) = default;
};

// Returns the levels. `children` holds the priorities of each listed cluster, none for an unknown cluster. A child that
// is listed twice adds its levels twice.
[[nodiscard]] std::vector<AggregateLevel> linearize(std::span<const std::span<const PriorityCounts>> children);

// Returns the level of a child's priority, the first if the child is listed twice; nullopt if there is none. Linear.
[[nodiscard]] std::optional<config::Priority> level_of(std::span<const AggregateLevel> levels, AggregateLevel wanted);

// Returns the aggregate's traffic by child [%]: the sum of the child's levels, each truncated before.
[[nodiscard]] std::vector<std::uint32_t> load_by_child(std::span<const AggregateLevel> levels,
                                                       const HealthyAndDegradedLoad& load, std::size_t children);

}  // namespace spillway::envoy
