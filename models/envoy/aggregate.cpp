#include "models/envoy/aggregate.hpp"

#include <algorithm>

namespace spillway::envoy {

std::vector<AggregateLevel> linearize(std::span<const std::span<const PriorityCounts>> children) {
  std::vector<AggregateLevel> levels;
  for (std::uint32_t child = 0; child < children.size(); ++child) {
    for (std::uint32_t priority = 0; priority < children[child].size(); ++priority) {
      if (children[child][priority].hosts.all > 0) {
        levels.push_back({child, config::Priority{priority}});
      }
    }
  }
  return levels;
}

std::optional<config::Priority> level_of(std::span<const AggregateLevel> levels, AggregateLevel wanted) {
  const auto found = std::find(levels.begin(), levels.end(), wanted);
  if (found == levels.end()) {
    return std::nullopt;
  }
  return config::Priority{static_cast<std::uint32_t>(found - levels.begin())};
}

std::vector<std::uint32_t> load_by_child(std::span<const AggregateLevel> levels, const HealthyAndDegradedLoad& load,
                                         std::size_t children) {
  std::vector<std::uint32_t> result(children, 0);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    result[levels[level].child] += load.healthy[level] + load.degraded[level];
  }
  return result;
}

}  // namespace spillway::envoy
