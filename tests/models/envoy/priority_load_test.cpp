#include "models/envoy/priority_load.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace spillway;
using config::EnvoyProfile;
using config::Priority;
using envoy::Availability;
using envoy::initial_priority_state;
using envoy::PriorityCounts;
using envoy::PriorityState;

namespace {

using Loads = std::vector<std::uint32_t>;

PriorityCounts hosts(std::uint64_t all, std::uint64_t healthy, std::uint64_t degraded = 0, std::uint64_t excluded = 0) {
  return {.hosts = {all, healthy, degraded, excluded}};
}

// Priorities of 100 hosts each, so many of them healthy.
std::vector<PriorityCounts> healthy_percent(const std::vector<std::uint64_t>& percentages) {
  std::vector<PriorityCounts> result;
  for (const std::uint64_t percentage : percentages) {
    result.push_back(hosts(100, percentage));
  }
  return result;
}

Loads healthy_loads(const std::vector<std::uint64_t>& percentages, std::uint64_t threshold,
                    EnvoyProfile profile = EnvoyProfile::current) {
  return initial_priority_state(healthy_percent(percentages), threshold, profile).load.healthy;
}

}  // namespace

TEST_CASE("a priority with five of seven hosts healthy is fully available") {
  CHECK(envoy::availability(hosts(7, 5)).healthy == 100);
  CHECK(envoy::availability(hosts(100, 71)).healthy == 99);
}

TEST_CASE("availability multiplies before it divides, in integers") {
  // Doubles give one less for each of these: 1.4 is no binary fraction.
  CHECK(envoy::availability(hosts(100, 45)).healthy == 63);
  CHECK(envoy::availability(hosts(5, 1)).healthy == 28);
  CHECK(envoy::availability(hosts(10, 7)).healthy == 98);
}

TEST_CASE("excluded hosts leave the denominator of availability") {
  CHECK(envoy::availability(hosts(10, 5, 0, 3)).healthy == 100);
  CHECK(envoy::availability(hosts(3, 0, 0, 3)) == envoy::PriorityAvailability{0, 0});
}

TEST_CASE("healthy and degraded availability are capped apart and may exceed 100 together") {
  const auto availability = envoy::availability(hosts(100, 71, 29));
  CHECK(availability.healthy == 99);
  CHECK(availability.degraded == 40);
}

TEST_CASE("weighted priority health sums weights instead of counting hosts") {
  // Envoy's WeightedPriorityHealthExcluded: weights 4, 10 (excluded) and 6, factor 100.
  PriorityCounts counts = hosts(3, 1, 0, 1);
  counts.weights = envoy::HostCounts{20, 4, 0, 10};
  counts.overprovisioning_factor = 100;
  CHECK(envoy::availability(counts).healthy == 40);
}

TEST_CASE("documented table: two priorities, the second one healthy") {
  CHECK(healthy_loads({100, 100}, 50) == Loads{100, 0});
  CHECK(healthy_loads({72, 100}, 50) == Loads{100, 0});
  CHECK(healthy_loads({71, 100}, 50) == Loads{99, 1});
  CHECK(healthy_loads({50, 100}, 50) == Loads{70, 30});
  CHECK(healthy_loads({25, 100}, 50) == Loads{35, 65});
  CHECK(healthy_loads({0, 100}, 50) == Loads{0, 100});
}

TEST_CASE("documented table: three priorities, as Envoy computes it") {
  CHECK(healthy_loads({100, 100, 100}, 50) == Loads{100, 0, 0});
  CHECK(healthy_loads({71, 71, 100}, 50) == Loads{99, 1, 0});
  CHECK(healthy_loads({50, 50, 100}, 50) == Loads{70, 30, 0});
  CHECK(healthy_loads({25, 100, 100}, 50) == Loads{35, 65, 0});
  CHECK(healthy_loads({25, 25, 100}, 50) == Loads{35, 35, 30});
  // Printed as 36/36/28; measured on Envoy 1.40 as below.
  CHECK(healthy_loads({25, 25, 20}, 50) == Loads{34, 33, 33});
  CHECK(healthy_loads({25, 25, 20}, 0) == Loads{37, 35, 28});
}

TEST_CASE("documented panic table: loads, panic of each priority and the normalized total") {
  const PriorityState both = initial_priority_state(healthy_percent({25, 25}), 50, EnvoyProfile::current);
  CHECK(both.load.healthy == Loads{50, 50});
  CHECK(both.panic == std::vector{true, true});
  CHECK(both.normalized_total_availability == 70);

  const PriorityState first = initial_priority_state(healthy_percent({5, 65}), 50, EnvoyProfile::current);
  CHECK(first.load.healthy == Loads{8, 92});
  CHECK(first.panic == std::vector{true, false});
  CHECK(first.normalized_total_availability == 98);

  const PriorityState none = initial_priority_state(healthy_percent({50, 60}), 50, EnvoyProfile::current);
  CHECK(none.load.healthy == Loads{70, 30});
  CHECK(none.panic == std::vector{false, false});
}

TEST_CASE("in total panic loads follow the numbers of hosts") {
  const auto loads = [](std::vector<PriorityCounts> priorities) {
    return initial_priority_state(priorities, 50, EnvoyProfile::current).load.healthy;
  };
  CHECK(loads({hosts(5, 0), hosts(5, 0)}) == Loads{50, 50});
  CHECK(loads({hosts(2, 0), hosts(8, 0)}) == Loads{20, 80});
  CHECK(loads({hosts(0, 0), hosts(3, 0), hosts(3, 0)}) == Loads{0, 50, 50});
  CHECK(loads({hosts(0, 0), hosts(0, 0)}) == Loads{100, 0});
}

TEST_CASE("a total of 100 switches panic off for every priority") {
  const PriorityState state = initial_priority_state(healthy_percent({1, 100}), 50, EnvoyProfile::current);
  CHECK(state.panic == std::vector{false, false});
}

TEST_CASE("exactly the threshold is no panic, and degraded hosts count as available") {
  CHECK_FALSE(envoy::host_set_in_panic({2, 1, 0, 0}, 50));
  CHECK_FALSE(envoy::host_set_in_panic({4, 1, 1, 0}, 50));
  CHECK(envoy::host_set_in_panic({100, 49, 0, 0}, 50));
  CHECK(envoy::host_set_in_panic({0, 0, 0, 0}, 1));
  CHECK_FALSE(envoy::host_set_in_panic({0, 0, 0, 0}, 0));
}

TEST_CASE("the runtime's threshold goes before the cluster's and is capped at 100") {
  config::CommonLbConfig config;
  CHECK(envoy::panic_threshold(config, {}) == 50);
  config.healthy_panic_threshold = config::Percent{29.0};
  CHECK(envoy::panic_threshold(config, {}) == 28);
  config::Runtime runtime;
  runtime.healthy_panic_threshold = 200;
  CHECK(envoy::panic_threshold(config, runtime) == 100);
}

TEST_CASE("healthy hosts of every priority come before any degraded ones") {
  // The three-level comment in Envoy's load_balancer_impl.cc, without panic.
  const std::vector<PriorityCounts> levels = {hosts(100, 10, 20), hosts(100, 20, 10), hosts(100, 10)};
  const PriorityState state = initial_priority_state(levels, 0, EnvoyProfile::current);
  CHECK(state.load.healthy == Loads{16, 28, 14});
  CHECK(state.load.degraded == Loads{28, 14, 0});
  CHECK(initial_priority_state(levels, 50, EnvoyProfile::current).load.healthy == Loads{34, 33, 33});
}

TEST_CASE("documented degraded table") {
  const auto loads = [](PriorityCounts counts) {
    const PriorityState state = initial_priority_state(std::vector{counts}, 50, EnvoyProfile::current);
    return std::pair(state.load.healthy[0], state.load.degraded[0]);
  };
  CHECK(loads(hosts(100, 100, 0)) == std::pair(100U, 0U));
  CHECK(loads(hosts(100, 71, 0)) == std::pair(100U, 0U));
  CHECK(loads(hosts(100, 71, 29)) == std::pair(99U, 1U));
  CHECK(loads(hosts(100, 25, 65)) == std::pair(35U, 65U));
  CHECK(loads(hosts(100, 5, 0)) == std::pair(100U, 0U));
}

TEST_CASE("with nobody left and no panic the old loads stay, and priority 0 gets everything") {
  std::vector<PriorityCounts> priorities = {hosts(4, 1), hosts(4, 4)};
  PriorityState state = initial_priority_state(priorities, 0, EnvoyProfile::current);
  CHECK(state.load.healthy == Loads{35, 65});
  priorities[0] = hosts(4, 0);
  envoy::update_priority(state, priorities, 0, 0, EnvoyProfile::current);
  CHECK(state.load.healthy == Loads{0, 100});
  priorities[1] = hosts(4, 0);
  envoy::update_priority(state, priorities, 1, 0, EnvoyProfile::current);
  CHECK(state.load.healthy == Loads{100, 100});
}

TEST_CASE("the seed profile gives the remainder to priority 0 and judges panic by the chosen priority alone") {
  const PriorityState state = initial_priority_state(healthy_percent({25, 100}), 50, EnvoyProfile::seed);
  CHECK(state.load.healthy == Loads{35, 65});
  CHECK(state.panic == std::vector{true, false});
  CHECK(healthy_loads({25, 25}, 50, EnvoyProfile::seed) == Loads{50, 50});
  CHECK(healthy_loads({0, 20, 25}, 50, EnvoyProfile::seed) == Loads{1, 44, 55});
  CHECK(healthy_loads({0, 0}, 50, EnvoyProfile::seed) == Loads{100, 0});
}

TEST_CASE("a draw walks healthy and then degraded loads with one running sum") {
  const envoy::HealthyAndDegradedLoad load{{70, 0}, {20, 10}};
  CHECK(envoy::choose_priority(0, load) == envoy::PriorityChoice{Priority{0}, Availability::healthy});
  CHECK(envoy::choose_priority(69, load) == envoy::PriorityChoice{Priority{0}, Availability::healthy});
  CHECK(envoy::choose_priority(70, load) == envoy::PriorityChoice{Priority{0}, Availability::degraded});
  CHECK(envoy::choose_priority(89, load) == envoy::PriorityChoice{Priority{0}, Availability::degraded});
  CHECK(envoy::choose_priority(1090, load) == envoy::PriorityChoice{Priority{1}, Availability::degraded});
}

TEST_CASE("a draw that no load covers goes to priority 0") {
  const envoy::HealthyAndDegradedLoad load{{0, 10}, {0, 0}};
  CHECK(envoy::choose_priority(50, load) == envoy::PriorityChoice{Priority{0}, Availability::healthy});
}
