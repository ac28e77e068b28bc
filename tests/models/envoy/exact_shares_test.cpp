#include "models/envoy/exact_shares.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::Availability;
using envoy::Cluster;
using envoy::ClusterState;
using support::Group;

namespace {

std::shared_ptr<const ClusterState> state_of(const std::vector<Group>& groups, const Cluster& cluster = {},
                                             const envoy::ProxyContext& proxy = {}, const config::Locality& own = {}) {
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(support::assignment(groups), {.own_locality = own}),
                        proxy);
}

// By host, whatever the list.
std::vector<double> shares(const ClusterState& state) {
  std::vector<double> result(state.hosts.hosts.size(), 0.0);
  for (const envoy::HostShare& row : envoy::exact_shares(state).hosts) {
    result[row.host.value] += row.share;
  }
  return result;
}

void check_shares(const std::vector<double>& actual, const std::vector<double>& percent) {
  REQUIRE(actual.size() == percent.size());
  for (std::size_t host = 0; host < actual.size(); ++host) {
    CHECK(actual[host] * 100.0 == Approx(percent[host]).margin(1e-9));
  }
}

Cluster random_cluster() {
  Cluster cluster;
  cluster.lb_policy = envoy::policies::random::Config{};
  return cluster;
}

}  // namespace

TEST_CASE("half of priority 0 healthy: 70 % stay there, spread over the healthy hosts") {
  check_shares(shares(*state_of({{.priority = 0, .healthy = 2, .unhealthy = 2}, {.priority = 1, .healthy = 3}})),
               {35, 35, 0, 0, 10, 10, 10});
}

TEST_CASE("rows say the priority and the list") {
  const auto rows = envoy::exact_shares(*state_of({{.healthy = 1, .degraded = 1, .unhealthy = 1}})).hosts;
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].availability == Availability::healthy);
  CHECK(rows[1].availability == Availability::degraded);
  CHECK(rows[0].share == Approx(0.5));  // 46 of 92, normalized
}

TEST_CASE("a degraded level in panic: all of its hosts are used") {
  // The documented row 5/0/95 of twenty hosts.
  const auto rows = envoy::exact_shares(*state_of({{.healthy = 1, .unhealthy = 19}})).hosts;
  REQUIRE(rows.size() == 20);
  for (const envoy::HostShare& row : rows) {
    CHECK(row.availability == Availability::all);
    CHECK(row.share == Approx(0.05));
  }
}

TEST_CASE("random shares its draw with the priority choice") {
  // docs/behaviour/envoy-before-pick.md 5: load 77 over five hosts and load 23 over two.
  std::vector<Group> groups = {{.priority = 0, .healthy = 5, .unhealthy = 4}, {.priority = 1, .healthy = 2}};
  check_shares(shares(*state_of(groups, random_cluster())), {16, 16, 15, 15, 15, 0, 0, 0, 0, 11, 12});
}

TEST_CASE("random with 25 hosts at a load of 35 gives ten of them twice what the others get") {
  const auto result = shares(
      *state_of({{.priority = 0, .healthy = 25, .unhealthy = 75}, {.priority = 1, .healthy = 1}}, random_cluster()));
  std::vector<double> expected(101, 0.0);
  std::fill_n(expected.begin(), 10, 2.0);
  std::fill_n(expected.begin() + 10, 15, 1.0);
  expected[100] = 65.0;
  check_shares(result, expected);
}

TEST_CASE("random does not look at weights, round robin follows them") {
  const std::vector<Group> groups = {{.healthy = 3, .host_weights = {1, 2, 5}}};
  check_shares(shares(*state_of(groups)), {12.5, 25, 62.5});
  check_shares(shares(*state_of(groups, random_cluster())), {100.0 / 3, 100.0 / 3, 100.0 / 3});
}

TEST_CASE("locality weights are adjusted by availability, in doubles") {
  Cluster cluster;
  cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  const auto result = shares(*state_of(
      {{.zone = "x", .healthy = 69, .unhealthy = 31, .weight = 1}, {.zone = "y", .healthy = 100, .weight = 2}},
      cluster));
  const double x = std::accumulate(result.begin(), result.begin() + 100, 0.0);
  CHECK(x == Approx(0.966 / 2.966).epsilon(1e-12));
}

TEST_CASE("zone routing is the mixture of its integers") {
  // Local 40/40/20, upstream 1/2/1: 6250 of 10000 stay, the rest divides 1000 to 500.
  const auto local = envoy::make_priority_set(
      support::assignment({{.zone = "a", .healthy = 2}, {.zone = "b", .healthy = 2}, {.zone = "c", .healthy = 1}}),
      {.own_locality = support::zone("a")});
  Cluster cluster;
  cluster.common_lb_config.locality_config_specifier =
      config::ZoneAwareLbConfig{.routing_enabled = config::Percent{50.0}, .min_cluster_size = 1};
  const auto state = state_of({{.zone = "a", .healthy = 1}, {.zone = "b", .healthy = 2}, {.zone = "c", .healthy = 1}},
                              cluster, {.local_cluster = &local}, support::zone("a"));
  // Half of the picks are routed by zone, the other half goes to the flat list of four hosts.
  check_shares(shares(*state), {12.5 + 31.25, 12.5 + 6.25, 12.5 + 6.25, 12.5 + 6.25});
}

TEST_CASE("requests that find no host leave the sum below one") {
  Cluster cluster;
  cluster.common_lb_config.locality_config_specifier = config::ZoneAwareLbConfig{.fail_traffic_on_panic = true};
  const auto result = shares(*state_of(
      {{.priority = 0, .healthy = 1, .unhealthy = 19}, {.priority = 1, .healthy = 13, .unhealthy = 7}}, cluster));
  CHECK(std::accumulate(result.begin(), result.end(), 0.0) == Approx(0.92));
}

TEST_CASE("what had to be assumed is named") {
  Cluster least_request;
  least_request.lb_policy = envoy::policies::least_request::Config{};
  const auto state = state_of({{.healthy = 2}}, least_request);
  CHECK(envoy::exact_shares(*state).basis == "no request in flight");
  const std::vector<std::uint32_t> active = {0, 3};
  CHECK(envoy::exact_shares(*state, active).basis == "requests in flight frozen");
  CHECK(envoy::exact_shares(*state_of({{.healthy = 2, .host_weights = {1, 2}}})).basis.empty());

  // A schedule of the seed profile starts with the heaviest, so that only its mean follows the weights.
  Cluster weighted;
  weighted.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  const auto seed =
      state_of({{.zone = "x", .healthy = 1, .weight = 1}}, weighted, {.profile = config::EnvoyProfile::seed});
  CHECK(envoy::exact_shares(*seed).basis == "the mean over a schedule's turns");
}

TEST_CASE("a child of an aggregate draws anew, so that random is even within it") {
  Cluster cluster;
  cluster.aggregate_clusters = {"primary", "secondary"};
  const std::vector<std::shared_ptr<const ClusterState>> children = {
      state_of({{.healthy = 5, .unhealthy = 5}}, random_cluster()), state_of({{.healthy = 3}}, random_cluster())};
  const auto rows = envoy::exact_shares(*envoy::refresh_aggregate(cluster, children, {})).hosts;
  REQUIRE(rows.size() == 8);
  CHECK(rows.front().share == Approx(0.14));
  CHECK(rows.back().share == Approx(0.10));
  CHECK(rows.back().child == 1);
}
