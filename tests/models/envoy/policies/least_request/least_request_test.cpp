#include "models/envoy/policies/least_request/least_request.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::LoadBalancer;
using envoy::policies::least_request::Config;
using envoy::policies::least_request::scheduled_weight;
using envoy::policies::least_request::SelectionMethod;

namespace {

using Active = std::vector<std::uint32_t>;

std::shared_ptr<const envoy::ClusterState> state_of(const std::vector<support::Group>& groups, const Config& config) {
  envoy::Cluster cluster;
  cluster.lb_policy = config;
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(support::assignment(groups), {}), {});
}

std::uint32_t pick(const Config& config, const Active& active, std::vector<std::uint64_t> script, std::size_t used) {
  support::Script seed({});
  LoadBalancer balancer(state_of({{.healthy = static_cast<std::uint32_t>(active.size())}}, config), seed);
  support::Script draws(std::move(script));
  const auto host = balancer.choose(draws, {.active_requests = active})->host.value;
  CHECK(draws.used() == used);
  return host;
}

std::vector<double> shares(const std::vector<support::Group>& groups, const Config& config, const Active& active) {
  std::vector<double> result(active.size(), 0.0);
  for (const auto& row : envoy::exact_shares(*state_of(groups, config), active).hosts) {
    result[row.host.value] += row.share;
  }
  return result;
}

}  // namespace

TEST_CASE("of two hosts drawn the one with fewer requests in flight is picked, the first of equals") {
  const Active active = {1, 2, 1};
  CHECK(pick({}, active, {0, 1, 0}, 3) == 0);
  CHECK(pick({}, active, {0, 1, 2}, 3) == 2);
  CHECK(pick({}, active, {0, 2, 0}, 3) == 2);
}

TEST_CASE("all draws are made, also with one host") {
  CHECK(pick({}, {5}, {0, 0, 0}, 3) == 0);
  CHECK(pick({.choice_count = 5}, {5, 5}, {0, 1, 1, 1, 1, 1}, 6) == 1);
}

TEST_CASE("the two hosts of the next pick are known before it, and the draws that are left") {
  support::Draws draws(4);
  LoadBalancer balancer(state_of({{.healthy = 9, .unhealthy = 2}}, {}), draws);
  for (int number = 0; number < 200; ++number) {
    Active active(11);
    for (std::uint32_t& count : active) {
      count = static_cast<std::uint32_t>(draws() % 3);
    }
    auto pair = balancer.next_pair(draws);
    REQUIRE(pair);
    const auto host = active[pair->second->value] < active[pair->first->value] ? *pair->second : *pair->first;
    REQUIRE(balancer.choose(draws, {.active_requests = active}) ==
            envoy::Pick{host, pair->priority, pair->availability, 0});
    REQUIRE(pair->after() == draws());
  }
}

TEST_CASE("the two hosts of the next pick are known in lists that lack a few hosts, or many") {
  const std::vector<std::vector<support::Group>> lists = {
      {{.unhealthy = 1}, {.healthy = 4}},
      {{.healthy = 3}, {.unhealthy = 2}, {.healthy = 1}, {.unhealthy = 1}, {.healthy = 6}},
      {{.unhealthy = 8}, {.healthy = 10}, {.unhealthy = 8}, {.healthy = 20}},  // sixteen
      {{.unhealthy = 8}, {.healthy = 10}, {.unhealthy = 9}, {.healthy = 20}},  // seventeen
      {{.priority = 1, .healthy = 2}, {.healthy = 9}},
  };
  for (const std::vector<support::Group>& groups : lists) {
    support::Draws draws(7);
    LoadBalancer balancer(state_of(groups, {}), draws);
    const Active idle(64);
    for (int number = 0; number < 500; ++number) {
      const auto pair = balancer.next_pair(draws);
      REQUIRE(pair);
      REQUIRE(balancer.choose(draws, {.active_requests = idle})->host == *pair->first);
    }
  }
}

TEST_CASE("the next pick's hosts are not known where it does not take the better of two of one list") {
  support::Draws draws(5);
  const auto known = [&](const std::vector<support::Group>& groups, const Config& config) {
    return LoadBalancer(state_of(groups, config), draws).next_pair(draws).has_value();
  };
  CHECK(known({{.healthy = 3}}, {}));
  CHECK_FALSE(known({{.healthy = 3}}, {.choice_count = 3}));
  CHECK_FALSE(known({{.healthy = 3}}, {.selection_method = SelectionMethod::full_scan}));
  CHECK_FALSE(known({{.healthy = 1, .unhealthy = 1}, {.priority = 1, .healthy = 2}}, {}));  // either priority
  CHECK_FALSE(LoadBalancer().next_pair(draws));
}

TEST_CASE("a full scan draws for each tie with the fewest so far") {
  const Config scan{.selection_method = SelectionMethod::full_scan};
  CHECK(pick(scan, {3, 1, 2}, {0}, 1) == 1);
  CHECK(pick(scan, {2, 2, 1}, {0, 1}, 2) == 2);     // a tie that is beaten later has cost its draw
  CHECK(pick(scan, {1, 1, 1}, {0, 2, 3}, 3) == 2);  // 2 % 2 == 0 takes the second, 3 % 3 == 0 the third
  CHECK(pick(scan, {1, 1, 1}, {0, 1, 1}, 3) == 0);
}

TEST_CASE("the bias says how strongly requests in flight lower a weight") {
  CHECK(scheduled_weight(6.0, 2, 1.0) == 2.0);
  CHECK(scheduled_weight(6.0, 2, 0.0) == 6.0);
  CHECK(scheduled_weight(6.0, 3, 0.5) == 3.0);
  CHECK(scheduled_weight(6.0, 2, -1.0) == 2.0);
  CHECK(scheduled_weight(6.0, 2, std::numeric_limits<double>::quiet_NaN()) == 2.0);
}

TEST_CASE("idle hosts share evenly, or by weight") {
  for (const double share : shares({{.healthy = 4}}, {}, {0, 0, 0, 0})) {
    CHECK(share == Approx(0.25));
  }
  const auto weighted = shares({{.healthy = 2, .host_weights = {1, 3}}}, {}, {0, 0});
  CHECK(weighted[1] == Approx(0.75));
}

TEST_CASE("frozen requests in flight: the chance that every choice is at least as busy") {
  // Two of four hosts idle: P(both choices are busy) = 1/4, split over the two busy ones.
  const auto result = shares({{.healthy = 4}}, {}, {0, 7, 0, 9});
  CHECK(result[0] == Approx(0.375));
  CHECK(result[2] == Approx(0.375));
  CHECK(result[1] == Approx(3.0 / 16.0));  // one choice busy at 7 or more, not both at 9
  CHECK(result[3] == Approx(1.0 / 16.0));
}

TEST_CASE("a full scan shares among the least busy only") {
  const auto result = shares({{.healthy = 3}}, {.selection_method = SelectionMethod::full_scan}, {1, 0, 0});
  CHECK(result == std::vector{0.0, 0.5, 0.5});
}

TEST_CASE("picks follow the closed form while the requests in flight are frozen") {
  const Active active = {0, 7, 0, 9, 7};
  std::uint64_t seed = 1;
  for (const Config& config :
       {Config{}, Config{.choice_count = 3}, Config{.selection_method = SelectionMethod::full_scan}}) {
    const std::vector<support::Group> groups = {{.healthy = 5}};
    support::Draws draws(seed++);
    LoadBalancer balancer(state_of(groups, config), draws);
    std::vector<std::uint64_t> counts(active.size(), 0);
    for (int request = 0; request < 100000; ++request) {
      ++counts[balancer.choose(draws, {.active_requests = active})->host.value];
    }
    CHECK(support::g_test(counts, shares(groups, config, active)) > 1e-6 / 3);
  }
}
