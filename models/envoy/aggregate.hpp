// Aggregate clusters: the priorities of several clusters in one list (envoy.clusters.aggregate).
//
// Children in the order of the list, each child's priorities ascending, those without any hosts left out. Loads and
// panic of the list are those of any priorities (priority_load.hpp) with the aggregate's own panic threshold; each
// level keeps its child's overprovisioning factor.
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

// A priority of a child in the one list of levels that an aggregate cluster makes of its children's priorities.
struct AggregateLevel {
  std::uint32_t child = 0;  // position in the aggregate's list of clusters
  config::Priority priority;

  friend bool operator==(const AggregateLevel&, const AggregateLevel&) = default;
};

// `children` holds the priorities of each listed cluster, none for one that is unknown. A child that is listed twice
// adds its levels twice.
[[nodiscard]] std::vector<AggregateLevel> linearize(std::span<const std::span<const PriorityCounts>> children);

// The level of a child's priority, the first one if the child is listed twice; none if it has none. Linear.
[[nodiscard]] std::optional<config::Priority> level_of(std::span<const AggregateLevel> levels, AggregateLevel wanted);

// Percent of the aggregate's traffic by child: the sum of its levels' loads, each truncated before.
[[nodiscard]] std::vector<std::uint32_t> load_by_child(std::span<const AggregateLevel> levels,
                                                       const HealthyAndDegradedLoad& load, std::size_t children);

}  // namespace spillway::envoy
