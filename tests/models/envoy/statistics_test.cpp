// Many picks against the closed form, for every policy and every way to a list of hosts.
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <tuple>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::Cluster;
using envoy::ClusterState;
using envoy::LoadBalancer;
using support::Group;

namespace {

using State = std::shared_ptr<const ClusterState>;

struct Setting {
  std::string name;
  std::vector<Group> groups;
  config::LocalityConfigSpecifier localities = config::ZoneAwareLbConfig{.min_cluster_size = 1};
  std::vector<Group> local_cluster = {};  // none: no zone routing; the proxy is in zone "a"
  double panic_threshold = 50.0;
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = {
      {.name = "two priorities, the first half healthy",
       .groups = {{.priority = 0, .healthy = 5, .unhealthy = 5}, {.priority = 1, .healthy = 4}}},
      {.name = "three levels with degraded hosts",
       .groups = {{.priority = 0, .healthy = 1, .degraded = 2, .unhealthy = 7},
                  {.priority = 1, .healthy = 2, .degraded = 1, .unhealthy = 7},
                  {.priority = 2, .healthy = 1, .unhealthy = 9}},
       .panic_threshold = 0.0},
      {.name = "total panic",
       .groups = {{.priority = 0, .healthy = 1, .unhealthy = 4}, {.priority = 1, .healthy = 1, .unhealthy = 9}}},
      {.name = "panic of one level",
       .groups = {{.priority = 0, .healthy = 1, .unhealthy = 19}, {.priority = 1, .healthy = 13, .unhealthy = 7}}},
      {.name = "panic without hosts",
       .groups = {{.priority = 0, .healthy = 1, .unhealthy = 19}, {.priority = 1, .healthy = 13, .unhealthy = 7}},
       .localities = config::ZoneAwareLbConfig{.fail_traffic_on_panic = true}},
      {.name = "hosts of different weights",
       .groups = {{.priority = 0, .healthy = 4, .unhealthy = 2, .host_weights = {1, 7, 3, 20}},
                  {.priority = 1, .healthy = 2, .host_weights = {5, 1}}}},
      {.name = "locality weights",
       .groups = {{.zone = "x", .healthy = 13, .unhealthy = 7, .weight = 1}, {.zone = "y", .healthy = 20, .weight = 2}},
       .localities = config::LocalityWeightedLbConfig{}},
      {.name = "locality weights of degraded hosts",
       .groups = {{.zone = "x", .healthy = 1, .degraded = 2, .unhealthy = 3, .weight = 1},
                  {.zone = "y", .healthy = 1, .degraded = 5, .weight = 5}},
       .localities = config::LocalityWeightedLbConfig{}},
      {.name = "zones with spare capacity elsewhere",
       .groups = {{.zone = "a", .healthy = 1},
                  {.zone = "b", .healthy = 4},
                  {.zone = "c", .healthy = 3, .unhealthy = 1}},
       .local_cluster = {{.zone = "a", .healthy = 4}, {.zone = "b", .healthy = 2}, {.zone = "c", .healthy = 2}}},
      {.name = "zones with an empty own one",
       .groups = {{.zone = "a", .unhealthy = 1}, {.zone = "b", .healthy = 4}, {.zone = "c", .healthy = 3}},
       .local_cluster = {{.zone = "a", .healthy = 1}, {.zone = "b", .healthy = 2}}},
      {.name = "zones without capacity",
       .groups = {{.zone = "b", .healthy = 1}, {.zone = "c", .healthy = 1}, {.zone = "d", .unhealthy = 1}},
       .local_cluster = {{.zone = "a", .healthy = 0, .unhealthy = 1},
                         {.zone = "b", .healthy = 1},
                         {.zone = "c", .healthy = 1}}},
      {.name = "zone routing for some of the picks",
       .groups = {{.zone = "a", .healthy = 2}, {.zone = "b", .healthy = 5}},
       .localities = config::ZoneAwareLbConfig{.routing_enabled = config::Percent{57.5}, .min_cluster_size = 1},
       .local_cluster = {{.zone = "a", .healthy = 1}, {.zone = "b", .healthy = 1}}},
      {.name = "degraded picks by zones",
       .groups = {{.zone = "a", .healthy = 1, .unhealthy = 2},
                  {.zone = "b", .healthy = 2, .degraded = 3, .unhealthy = 1}},
       .local_cluster = {{.zone = "a", .healthy = 1}, {.zone = "b", .healthy = 1}}},
  };
  return all;
}

const std::vector<std::pair<std::string, envoy::policies::Config>>& policies() {
  static const std::vector<std::pair<std::string, envoy::policies::Config>> all = {
      {"round robin", envoy::policies::round_robin::Config{}},
      {"random", envoy::policies::random::Config{}},
      {"least request", envoy::policies::least_request::Config{}}};
  return all;
}

State state_of(const Setting& setting, const envoy::policies::Config& policy, config::EnvoyProfile profile) {
  Cluster cluster;
  cluster.lb_policy = policy;
  cluster.common_lb_config.healthy_panic_threshold = config::Percent{setting.panic_threshold};
  cluster.common_lb_config.locality_config_specifier = setting.localities;
  const envoy::PrioritySetOptions options{.own_locality = support::zone("a"), .profile = profile};
  const auto local = envoy::make_priority_set(support::assignment(setting.local_cluster), options);
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(support::assignment(setting.groups), options),
                        {.profile = profile, .local_cluster = setting.local_cluster.empty() ? nullptr : &local});
}

// Child, host and list; a pick without a host has a cell of its own.
using Cell = std::tuple<std::uint32_t, std::uint32_t, envoy::Availability>;
using Counts = std::map<Cell, std::uint64_t>;
constexpr Cell no_host{~0U, ~0U, envoy::Availability::all};

Cell cell_of(const std::optional<envoy::Pick>& pick) {
  return pick ? Cell{pick->child, pick->host.value, pick->availability} : no_host;
}

// The p-value of the counts against the exact shares; 0 if a list that is never picked from was.
double p_value(Counts counts, const ClusterState& state) {
  std::map<Cell, double> shares;
  double found = 0.0;
  for (const envoy::HostShare& row : envoy::exact_shares(state).hosts) {
    shares[{row.child, row.host.value, row.availability}] += row.share;
    found += row.share;
  }
  CHECK(found < 1.0 + 1e-12);
  shares[no_host] = found > 1.0 - 1e-12 ? 0.0 : 1.0 - found;
  std::vector<std::uint64_t> observed;
  std::vector<double> expected;
  for (const auto& [cell, share] : shares) {
    observed.push_back(counts[cell]);
    expected.push_back(share);
    counts.erase(cell);
  }
  return counts.empty() ? support::g_test(observed, expected) : 0.0;
}

// Of every `stride` picks one is counted.
Counts picks_of_one_client(const State& state, std::uint64_t seed, int picks, int stride = 1) {
  support::Draws draws(seed);
  LoadBalancer balancer(state, draws);
  Counts counts;
  for (int pick = 0; pick < picks * stride; ++pick) {
    const auto chosen = balancer.choose(draws);
    if (pick % stride == 0) {
      ++counts[cell_of(chosen)];
    }
  }
  return counts;
}

Counts first_picks_of_many_clients(const State& state, std::uint64_t seed, int clients) {
  support::Draws draws(seed);
  Counts counts;
  for (int client = 0; client < clients; ++client) {
    LoadBalancer balancer(state, draws);
    ++counts[cell_of(balancer.choose(draws))];
  }
  return counts;
}

// All tests of this file together raise a false alarm once in a million.
constexpr double alpha = 1e-6 / 130;

}  // namespace

TEST_CASE("a client's picks follow the exact shares") {
  std::uint64_t seed = 1;
  for (const auto profile : {config::EnvoyProfile::current, config::EnvoyProfile::seed}) {
    for (const Setting& setting : settings()) {
      for (const auto& [name, policy] : policies()) {
        INFO(setting.name << ", " << name << (profile == config::EnvoyProfile::seed ? ", seed profile" : ""));
        const State state = state_of(setting, policy, profile);
        // The seed's least request uses a host as often in a row as it weighs: picks far apart are independent.
        const bool runs = profile == config::EnvoyProfile::seed && name == "least request";
        CHECK(p_value(picks_of_one_client(state, seed++, runs ? 4000 : 40000, runs ? 101 : 1), *state) > alpha);
      }
    }
  }
}

TEST_CASE("the first picks of many clients follow the exact shares") {
  std::uint64_t seed = 1000;
  for (const Setting& setting : settings()) {
    for (const auto& [name, policy] : policies()) {
      INFO(setting.name << ", " << name);
      const State state = state_of(setting, policy, config::EnvoyProfile::current);
      CHECK(p_value(first_picks_of_many_clients(state, seed++, 10000), *state) > alpha);
    }
  }
}

TEST_CASE("an aggregate's picks follow the exact shares") {
  std::uint64_t seed = 2000;
  Cluster cluster;
  cluster.aggregate_clusters = {"s", "p", "ghost", "s"};
  for (const auto& [name, policy] : policies()) {
    INFO(name);
    const State first = state_of(settings()[6], policy, config::EnvoyProfile::current);
    const State second = state_of(settings()[2], policy, config::EnvoyProfile::current);
    const State state = envoy::refresh_aggregate(cluster, std::vector<State>{second, first, nullptr, second}, {});
    CHECK(p_value(picks_of_one_client(state, seed++, 40000), *state) > alpha);
  }
}
