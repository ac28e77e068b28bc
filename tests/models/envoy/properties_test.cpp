// Laws that hold for any input.
#include "tests/support/properties.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::Cluster;
using envoy::ClusterState;
using envoy::LoadBalancer;
using support::Group;
using support::holds;

namespace {

using State = std::shared_ptr<const ClusterState>;

std::vector<Group> any_groups() {
  const auto group = rc::gen::exec([] {
    Group result;
    result.priority = *rc::gen::inRange<std::uint32_t>(0, 3);
    result.zone = std::string(1, *rc::gen::inRange<char>('a', 'e'));
    result.healthy = *rc::gen::inRange<std::uint32_t>(0, 6);
    result.degraded = *rc::gen::inRange<std::uint32_t>(0, 3);
    result.unhealthy = *rc::gen::inRange<std::uint32_t>(0, 6);
    if (*rc::gen::arbitrary<bool>()) {
      result.weight = *rc::gen::inRange<std::uint32_t>(1, 100);
    }
    result.host_weights = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(1, 9));
    return result;
  });
  return *rc::gen::container<std::vector<Group>>(group);
}

envoy::policies::Config any_policy() {
  return *rc::gen::element<envoy::policies::Config>(envoy::policies::round_robin::Config{},
                                                    envoy::policies::random::Config{},
                                                    envoy::policies::least_request::Config{});
}

Cluster any_cluster(const envoy::policies::Config& policy) {
  Cluster cluster;
  cluster.lb_policy = policy;
  cluster.common_lb_config.healthy_panic_threshold = config::Percent{static_cast<double>(*rc::gen::inRange(0, 101))};
  if (*rc::gen::arbitrary<bool>()) {
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  } else {
    config::ZoneAwareLbConfig zone;
    zone.min_cluster_size = *rc::gen::inRange<std::uint64_t>(0, 8);
    zone.routing_enabled = config::Percent{static_cast<double>(*rc::gen::inRange(0, 101))};
    zone.fail_traffic_on_panic = *rc::gen::arbitrary<bool>();
    cluster.common_lb_config.locality_config_specifier = zone;
  }
  return cluster;
}

struct World {
  Cluster cluster;
  config::ClusterLoadAssignment hosts;
  envoy::PrioritySet local;
  bool has_local = false;
  config::EnvoyProfile profile = config::EnvoyProfile::current;
};

World any_world(const envoy::policies::Config& policy) {
  World world;
  world.cluster = any_cluster(policy);
  world.hosts = support::assignment(any_groups());
  std::vector<Group> local = any_groups();
  for (Group& group : local) {
    group.priority = 0;
  }
  world.local = envoy::make_priority_set(support::assignment(local), {.own_locality = support::zone("a")});
  world.has_local = *rc::gen::arbitrary<bool>();
  world.profile = *rc::gen::element(config::EnvoyProfile::current, config::EnvoyProfile::seed);
  return world;
}

State state_of(const World& world, const ClusterState* previous = nullptr) {
  return envoy::refresh(
      world.cluster, previous,
      envoy::make_priority_set(world.hosts, {.own_locality = support::zone("a"), .profile = world.profile}),
      {.profile = world.profile, .local_cluster = world.has_local ? &world.local : nullptr});
}

// Exact shares by the address of the host.
std::map<std::string, double> shares_by_address(const World& world) {
  std::vector<std::string> addresses;
  for (const auto& group : world.hosts.endpoints) {
    for (const auto& endpoint : group.lb_endpoints) {
      addresses.push_back(endpoint.address);
    }
  }
  std::map<std::string, double> shares;
  for (const envoy::HostShare& row : envoy::exact_shares(*state_of(world)).hosts) {
    shares[addresses[row.host.value]] += row.share;
  }
  return shares;
}

void assert_same(const std::map<std::string, double>& left, const std::map<std::string, double>& right) {
  RC_ASSERT(left.size() == right.size());
  for (const auto& [address, share] : left) {
    RC_ASSERT(right.contains(address));
    RC_ASSERT(std::abs(right.at(address) - share) < 1e-12);
  }
}

std::vector<std::optional<envoy::Pick>> picks(LoadBalancer& balancer, support::Draws& draws, int count) {
  std::vector<std::optional<envoy::Pick>> result;
  for (int pick = 0; pick < count; ++pick) {
    result.push_back(balancer.choose(draws));
  }
  return result;
}

std::uint64_t sum(const envoy::HealthyAndDegradedLoad& load) {
  return std::accumulate(load.healthy.begin(), load.healthy.end(), std::uint64_t{0}) +
         std::accumulate(load.degraded.begin(), load.degraded.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("the loads of a fresh state sum to exactly 100") {
  CHECK(holds("loads sum to 100", [] { RC_ASSERT(sum(state_of(any_world(any_policy()))->priorities.load) == 100U); }));
}

TEST_CASE("exact shares are above zero and sum to at most one") {
  CHECK(holds("shares", [] {
    double total = 0.0;
    for (const envoy::HostShare& row : envoy::exact_shares(*state_of(any_world(any_policy()))).hosts) {
      RC_ASSERT(row.share > 0.0);
      total += row.share;
    }
    RC_ASSERT(total < 1.0 + 1e-12);
  }));
}

TEST_CASE("if every host is healthy every request finds one") {
  CHECK(holds("healthy hosts", [] {
    World world = any_world(any_policy());
    std::size_t hosts = 0;
    for (auto& group : world.hosts.endpoints) {
      hosts += group.lb_endpoints.size();
      for (auto& endpoint : group.lb_endpoints) {
        endpoint.health_status = config::HealthStatus::healthy;
      }
    }
    RC_PRE(hosts > 0U);
    world.has_local = false;
    double total = 0.0;
    for (const auto& [address, share] : shares_by_address(world)) {
      total += share;
    }
    RC_ASSERT(std::abs(total - 1.0) < 1e-12);
  }));
}

TEST_CASE("round robin's shares do not depend on the order of the hosts") {
  CHECK(holds("permutation", [] {
    World world = any_world(envoy::policies::round_robin::Config{});
    const auto before = shares_by_address(world);
    for (auto& group : world.hosts.endpoints) {
      std::reverse(group.lb_endpoints.begin(), group.lb_endpoints.end());
    }
    assert_same(before, shares_by_address(world));
  }));
}

TEST_CASE("round robin's shares do not change when all weights are multiplied") {
  CHECK(holds("scaling", [] {
    World world = any_world(envoy::policies::round_robin::Config{});
    const auto before = shares_by_address(world);
    const auto factor = *rc::gen::inRange<std::uint32_t>(2, 1000);
    for (auto& group : world.hosts.endpoints) {
      if (group.load_balancing_weight) {
        *group.load_balancing_weight *= factor;
      }
      for (auto& endpoint : group.lb_endpoints) {
        endpoint.load_balancing_weight *= factor;
      }
    }
    assert_same(before, shares_by_address(world));
  }));
}

TEST_CASE("an update that changes nothing draws nothing and leaves the picks as they were") {
  CHECK(holds("no-op update", [] {
    const World world = any_world(any_policy());
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const State state = state_of(world);
    support::Draws draws(seed);
    support::Draws other_draws(seed);
    LoadBalancer balancer(state, draws);
    LoadBalancer other(state, other_draws);
    RC_ASSERT(picks(balancer, draws, 10) == picks(other, other_draws, 10));
    const std::size_t used = draws.used();
    balancer.update(state_of(world, state.get()), draws);
    RC_ASSERT(draws.used() == used);
    RC_ASSERT(balancer.state()->priorities == state->priorities);
    RC_ASSERT(picks(balancer, draws, 20) == picks(other, other_draws, 20));
  }));
}

TEST_CASE("a client survives any sequence of host changes and picks only what its state allows") {
  CHECK(holds("updates", [] {
    const World first = any_world(any_policy());
    State state = state_of(first);
    support::Draws draws(*rc::gen::arbitrary<std::uint64_t>());
    LoadBalancer balancer(state, draws);
    for (int update = 0; update < 5; ++update) {
      World next = first;
      next.hosts = support::assignment(any_groups());
      state = state_of(next, state.get());
      balancer.update(state, draws);
      for (int pick = 0; pick < 20; ++pick) {
        if (const auto chosen = balancer.choose(draws)) {
          const envoy::Host& host = state->hosts.hosts[chosen->host.value];
          RC_ASSERT(host.priority == chosen->priority);
          const envoy::Health health = envoy::coarse_health(host.flags);
          RC_ASSERT(chosen->availability == envoy::Availability::all ||
                    health == (chosen->availability == envoy::Availability::healthy ? envoy::Health::healthy
                                                                                    : envoy::Health::degraded));
        }
      }
    }
  }));
}

TEST_CASE("a client survives updates of one priority after another, which begin and end panic of the others") {
  CHECK(holds("updates of one priority", [] {
    World world = any_world(any_policy());
    world.cluster.common_lb_config.healthy_panic_threshold = config::Percent{50.0};
    std::vector<Group> groups = any_groups();
    for (std::size_t group = 0; group < groups.size(); ++group) {
      groups[group].priority = static_cast<std::uint32_t>(group % 3);
      groups[group].weight = groups[group].weight.value_or(1);
    }
    world.hosts = support::assignment(groups);
    State state = state_of(world);
    support::Draws draws(*rc::gen::arbitrary<std::uint64_t>());
    LoadBalancer balancer(state, draws);
    for (int update = 0; update < 10 && !groups.empty(); ++update) {
      Group& group = groups[*rc::gen::inRange<std::size_t>(0, groups.size())];
      const std::uint32_t hosts = group.healthy + group.degraded + group.unhealthy;
      group.healthy = *rc::gen::inRange<std::uint32_t>(0, hosts + 1);
      group.degraded = *rc::gen::inRange<std::uint32_t>(0, hosts - group.healthy + 1);
      group.unhealthy = hosts - group.healthy - group.degraded;
      world.hosts = support::assignment(groups);
      state = state_of(world, state.get());
      balancer.update(state, draws);
      std::map<std::uint32_t, double> shares;
      for (const envoy::HostShare& row : envoy::exact_shares(*state).hosts) {
        shares[row.host.value] += row.share;
      }
      for (const auto& pick : picks(balancer, draws, 20)) {
        RC_ASSERT((!pick || shares[pick->host.value] > 0.0));
      }
    }
  }));
}

TEST_CASE("a schedule never strays from its shares by the number of its entries") {
  CHECK(holds("schedule", [] {
    const auto integers = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1000)));
    const std::vector<double> weights(integers.begin(), integers.end());
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    auto schedule = envoy::EdfScheduler::seeded(weights, *rc::gen::arbitrary<std::uint64_t>());
    std::vector<double> counts(weights.size(), 0.0);
    for (int pick = 1; pick <= 500; ++pick) {
      counts[schedule.pick(weights)] += 1.0;
    }
    for (std::size_t entry = 0; entry < weights.size(); ++entry) {
      RC_ASSERT(std::abs(counts[entry] - 500.0 * weights[entry] / total) <= static_cast<double>(weights.size()));
    }
  }));
}

TEST_CASE("the shares of the zones sum to one") {
  CHECK(holds("zone shares", [] {
    const World world = any_world(envoy::policies::round_robin::Config{});
    const auto state = state_of(world);
    const envoy::ZoneRouting& routing = state->zone_routing;
    if (routing.state != envoy::ZoneState::none) {
      const auto shares = envoy::zone_shares(routing);
      RC_ASSERT(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1.0) < 1e-12);
    }
  }));
}
