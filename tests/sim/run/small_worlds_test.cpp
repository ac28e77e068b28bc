// What simulated requests do in small worlds, against the oracle's fractions.
#include <catch2/catch.hpp>
#include <numeric>
#include <string>

#include "sim/run/simulation.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/oracle/as_models.hpp"
#include "tests/support/oracle/sampled_world.hpp"
#include "tests/support/oracle/shares.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using oracle::HostPolicy;
using oracle::Locality;
using oracle::SmallWorld;
using oracle::Spread;

namespace {

constexpr double requests = 3000.0;

void add_service(scenario::Scenario& scenario, const std::string& name, config::ClusterLoadAssignment assignment,
                 const envoy::Cluster& cluster) {
  scenario::Service& service = scenario.services.emplace_back();
  service.name = name;
  service.cluster = cluster;
  service.cluster.name = name;
  service.load_assignment = std::move(assignment);
  service.load_assignment.cluster_name = name;
  for (config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    const config::NodeIndex node{static_cast<std::uint32_t>(group.locality.zone[0] - 'a')};
    for (config::LbEndpoint& endpoint : group.lb_endpoints) {
      endpoint.address = name + "-" + std::to_string(service.hosts.size());
      service.hosts.push_back({config::EndpointIndex{static_cast<std::uint32_t>(scenario.endpoints.size())}});
      scenario.endpoints.push_back({endpoint.address, node});
    }
  }
}

// Answers take no time, so that nothing is in flight when a host is picked.
scenario::Scenario scenario_of(const SmallWorld& world) {
  scenario::Scenario scenario;
  scenario.duration = 1s;
  scenario.mode = scenario::Mode::requests;
  for (std::uint32_t zone = 0; zone < 3; ++zone) {
    scenario.zones.push_back({oracle::zone_name(zone), "region"});
    scenario.nodes.push_back({oracle::zone_name(zone), config::ZoneIndex{zone}, ""});
  }
  add_service(scenario, "backend", oracle::assignment_of(world.priorities, world.overprovisioning_factor),
              oracle::cluster_of(world));
  if (world.spread == Spread::zone_aware) {
    add_service(scenario, "local", oracle::assignment_of({world.local_cluster}), {});
    scenario.local_cluster = config::ServiceIndex{1};
  }
  const config::NodeIndex node{static_cast<std::uint32_t>(world.own_locality)};
  scenario.clients.push_back({"frontend", node, 1, {config::ServiceIndex{0}, requests, {}}});
  return scenario;
}

// By host, and at the end those that found none.
struct Counted {
  std::vector<std::uint64_t> hosts;
  std::vector<double> shares;
};

Counted simulate(const SmallWorld& world, const std::vector<oracle::HostShare>& expected, std::uint64_t seed) {
  const scenario::Scenario scenario = scenario_of(world);
  const run::Results results = run::Simulation(scenario, {.mode = {}, .seed = seed, .progress = {}}).simulate();
  Counted counted{std::vector<std::uint64_t>(expected.size() + 1, 0), {}};
  oracle::Fraction none(1);
  for (const oracle::HostShare& host : expected) {
    counted.shares.push_back(host.share.value());
    none = none - host.share;
  }
  counted.shares.push_back(none.value());
  for (const run::Share& share : results.shares) {
    for (std::uint32_t host = 0; host < expected.size(); ++host) {
      if (scenario.endpoints[host].id == share.endpoint) {
        counted.hosts[host] += *share.requests;
      }
    }
  }
  counted.hosts.back() = results.outcomes.at(0)[scenario::Outcome::no_healthy_upstream];
  return counted;
}

// Round robin takes the hosts of a list in turn, so that those of one locality in one list differ by one at most.
bool even(const SmallWorld& world, const std::vector<oracle::HostShare>& expected,
          const std::vector<std::uint64_t>& counts) {
  std::size_t first = 0;
  for (const std::vector<Locality>& localities : world.priorities) {
    for (const Locality& locality : localities) {
      const std::size_t end = first + static_cast<std::size_t>(locality.hosts());
      for (const oracle::List list : {oracle::List::healthy, oracle::List::degraded, oracle::List::all}) {
        std::uint64_t least = UINT64_MAX;
        std::uint64_t most = 0;
        for (std::size_t host = first; host < end; ++host) {
          if (!expected[host].share.is_zero() && expected[host].list == list) {
            least = std::min(least, counts[host]);
            most = std::max(most, counts[host]);
          }
        }
        if (most > least && most - least > 1) {
          return false;
        }
      }
      first = end;
    }
  }
  return true;
}

// A family of tests, wrong with a probability of one in a thousand by chance alone.
class Judge {
 public:
  explicit Judge(int worlds) : alpha_(0.001 / worlds) {}

  void operator()(const SmallWorld& world) {
    const std::vector<oracle::HostShare> expected = oracle::first_pick(world);
    const Counted counted = simulate(world, expected, ++seed_);
    INFO(oracle::text_of(world));
    CHECK(std::accumulate(counted.hosts.begin(), counted.hosts.end(), std::uint64_t{0}) > 2000U);
    CHECK(support::g_test(counted.hosts, counted.shares) > alpha_);
    CHECK((world.policy != HostPolicy::round_robin || even(world, expected, counted.hosts)));
  }

 private:
  double alpha_;
  std::uint64_t seed_ = 0;
};

template <class Item>
Item one_of(const std::vector<Item>& items, support::Draws& draws) {
  return items[draws() % items.size()];
}

}  // namespace

TEST_CASE("three priorities of one locality: requests go where the oracle says, in a sample of the worlds") {
  constexpr int worlds = 60;
  const std::vector<Locality> states = oracle::all_localities();
  support::Draws draws(3);
  Judge judge(worlds);
  for (int world = 0; world < worlds; ++world) {
    const auto priority = [&] { return std::vector{one_of(states, draws)}; };
    judge({.priorities = {priority(), priority(), priority()},
           .overprovisioning_factor = one_of<std::int64_t>({100, 140, 200}, draws),
           .policy =
               one_of<HostPolicy>({HostPolicy::round_robin, HostPolicy::random, HostPolicy::least_request}, draws)});
  }
}

TEST_CASE("one priority of three weighted localities: requests go where the oracle says, in a sample of the worlds") {
  constexpr int worlds = 60;
  const std::vector<Locality> states = oracle::all_localities();
  support::Draws draws(4);
  Judge judge(worlds);
  for (int world = 0; world < worlds; ++world) {
    std::vector<Locality> localities;
    for (std::int64_t weight = 1; weight <= 3; ++weight) {
      localities.push_back(one_of(states, draws));
      localities.back().weight = weight;
    }
    judge({.priorities = {localities},
           .overprovisioning_factor = one_of<std::int64_t>({100, 140, 200}, draws),
           .spread = Spread::locality_weighted,
           .policy =
               one_of<HostPolicy>({HostPolicy::round_robin, HostPolicy::random, HostPolicy::least_request}, draws)});
  }
}

TEST_CASE("three priorities of three localities, drawn with every option: requests go where the oracle says") {
  constexpr int worlds = 100;
  support::Draws draws(5);
  Judge judge(worlds);
  for (int world = 0; world < worlds; ++world) {
    judge(oracle::sampled_world(draws));
  }
}
