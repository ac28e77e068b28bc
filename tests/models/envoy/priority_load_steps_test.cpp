// The steps are a second writing of the same arithmetic: they must agree with it wherever it is not stale.
#include "models/envoy/priority_load_steps.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace spillway;
using envoy::LoadSteps;

namespace {

// Small numbers, so that ties, empty priorities and panic are frequent.
std::vector<envoy::PriorityCounts> any_counts(std::mt19937_64& draw) {
  std::vector<envoy::PriorityCounts> counts(1 + draw() % 4);
  for (envoy::PriorityCounts& priority : counts) {
    envoy::HostCounts& hosts = priority.hosts;
    hosts.all = draw() % 8;
    hosts.healthy = draw() % (hosts.all + 1);
    hosts.degraded = draw() % (hosts.all - hosts.healthy + 1);
    hosts.excluded = draw() % (hosts.all - hosts.healthy - hosts.degraded + 1);
    priority.overprovisioning_factor = draw() % 3 == 0 ? 100 : 140;
  }
  return counts;
}

}  // namespace

TEST_CASE("the steps of priority loads end in the loads of a fresh state, whatever the counts") {
  std::mt19937_64 draw(7);
  std::size_t by_count = 0;
  std::size_t nobody = 0;
  for (int world = 0; world < 20000; ++world) {
    const std::vector<envoy::PriorityCounts> counts = any_counts(draw);
    const std::uint64_t threshold = draw() % 4 == 0 ? 0 : draw() % 101;
    const auto profile = draw() % 4 == 0 ? config::EnvoyProfile::seed : config::EnvoyProfile::current;
    const envoy::PriorityState state = envoy::initial_priority_state(counts, threshold, profile);
    const LoadSteps steps = envoy::load_steps(state, counts, threshold, profile);
    REQUIRE(steps.load == state.load);
    by_count += steps.rule == LoadSteps::Rule::host_count ? 1 : 0;
    nobody += steps.rule == LoadSteps::Rule::nobody ? 1 : 0;
    std::uint64_t sum = steps.left_over;
    for (const LoadSteps::Part& part : steps.parts) {
      REQUIRE(part.part == std::min(part.remaining, part.available * 100 / steps.total));
      sum += part.part;
    }
    REQUIRE((steps.parts.empty() || sum == 100));
  }
  CHECK(by_count > 100);
  CHECK(nobody > 100);
}

TEST_CASE("the steps of priority loads follow a state through changes, and say where loads are stale") {
  std::mt19937_64 draw(8);
  for (int chain = 0; chain < 2000; ++chain) {
    std::vector<envoy::PriorityCounts> counts = any_counts(draw);
    const std::uint64_t threshold = draw() % 101;
    envoy::PriorityState state = envoy::initial_priority_state(counts, threshold, config::EnvoyProfile::current);
    for (int change = 0; change < 6; ++change) {
      const std::size_t changed = draw() % counts.size();
      counts[changed] = any_counts(draw).front();
      envoy::update_priority(state, counts, changed, threshold, config::EnvoyProfile::current);
      REQUIRE(envoy::load_steps(state, counts, threshold, config::EnvoyProfile::current).load == state.load);
    }
  }
}

// docs/behaviour/envoy-before-pick.md 15.3: 25, 25 and 20 % healthy without panic give 37/35/28.
TEST_CASE("what truncation leaves over goes to the first healthy priority and is named") {
  const std::vector<envoy::PriorityCounts> counts = {{.hosts = {100, 25}}, {.hosts = {100, 25}}, {.hosts = {100, 20}}};
  const auto state = envoy::initial_priority_state(counts, 0, config::EnvoyProfile::current);
  const LoadSteps steps = envoy::load_steps(state, counts, 0, config::EnvoyProfile::current);
  CHECK(steps.total == 98);
  CHECK(steps.left_over == 2);
  CHECK(steps.left_over_to.priority.value == 0);
  CHECK(steps.load.healthy == std::vector<std::uint32_t>{37, 35, 28});
}
