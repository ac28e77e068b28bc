#include "models/envoy/aggregate.hpp"

#include <catch2/catch.hpp>

using namespace spillway;
using envoy::AggregateLevel;
using envoy::PriorityCounts;

namespace {

using Loads = std::vector<std::uint32_t>;
using Children = std::vector<std::vector<PriorityCounts>>;

std::vector<AggregateLevel> linearize(const Children& children) {
  std::vector<std::span<const PriorityCounts>> spans(children.begin(), children.end());
  return envoy::linearize(spans);
}

// Children of priorities of 100 hosts, so many of them healthy.
Children children_of(const std::vector<std::vector<std::uint64_t>>& healthy) {
  Children children;
  for (const auto& priorities : healthy) {
    auto& child = children.emplace_back();
    for (const std::uint64_t count : priorities) {
      child.push_back({.hosts = {100, count, 0, 0}});
    }
  }
  return children;
}

Loads load_by_child(const std::vector<std::vector<std::uint64_t>>& healthy, std::uint64_t threshold) {
  const Children children = children_of(healthy);
  const auto levels = linearize(children);
  std::vector<PriorityCounts> counts;
  for (const AggregateLevel& level : levels) {
    counts.push_back(children[level.child][level.priority.value]);
  }
  const auto state = envoy::initial_priority_state(counts, threshold, config::EnvoyProfile::current);
  return envoy::load_by_child(levels, state.load, children.size());
}

AggregateLevel level(std::uint32_t child, std::uint32_t priority) {
  return {child, config::Priority{priority}};
}

}  // namespace

TEST_CASE("levels are the children's priorities in order, without those that have no hosts") {
  CHECK(linearize(children_of({{1, 1, 1}, {1, 1}})) ==
        std::vector{level(0, 0), level(0, 1), level(0, 2), level(1, 0), level(1, 1)});

  Children gap = children_of({{1, 1, 1}, {}, {1}});
  gap[0][1].hosts = {};
  CHECK(linearize(gap) == std::vector{level(0, 0), level(0, 2), level(2, 0)});
}

TEST_CASE("a level is found by its child and priority") {
  const auto levels = linearize(children_of({{1}, {1, 1}}));
  CHECK(envoy::level_of(levels, level(1, 1)) == config::Priority{2});
  CHECK_FALSE(envoy::level_of(levels, level(2, 0)).has_value());
}

TEST_CASE("documented aggregate table, as Envoy computes it") {
  CHECK(load_by_child({{100, 100, 100}, {100, 100}}, 50) == Loads{100, 0});
  CHECK(load_by_child({{71, 1, 0}, {100, 100}}, 50) == Loads{100, 0});
  CHECK(load_by_child({{71, 0, 0}, {100, 100}}, 50) == Loads{99, 1});
  CHECK(load_by_child({{50, 0, 0}, {50, 0}}, 50) == Loads{70, 30});
  CHECK(load_by_child({{20, 20, 10}, {25, 25}}, 50) == Loads{70, 30});
  CHECK(load_by_child({{20, 0, 0}, {20, 0}}, 0) == Loads{50, 50});
  CHECK(load_by_child({{20, 0, 0}, {20, 0}}, 50) == Loads{60, 40});  // printed as 50/50; total panic by hosts
  CHECK(load_by_child({{0, 0, 0}, {100, 0}}, 50) == Loads{0, 100});
}
