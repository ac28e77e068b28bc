#include "models/envoy/hash_balancer.hpp"

#include <catch2/catch.hpp>

#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::LocalityHostWeights;
using envoy::NormalizedHost;

namespace {

std::vector<NormalizedHost> normalized(const std::vector<support::Group>& groups, bool in_panic,
                                       bool locality_weighted) {
  const auto hosts = envoy::make_priority_set(support::assignment(groups), {});
  return envoy::normalized_hosts(hosts.host_sets[0], hosts.hosts, in_panic, locality_weighted);
}

}  // namespace

TEST_CASE("a hash chooses a priority, healthy or degraded") {
  const envoy::HealthyAndDegradedLoad load{{70, 0}, {0, 30}};
  CHECK(envoy::hash_priority(69, load) == config::Priority{0});
  CHECK(envoy::hash_priority(170, load) == config::Priority{1});
}

TEST_CASE("a locality without hosts keeps its part of the sum") {
  const std::vector<LocalityHostWeights> localities = {{1, {}}, {1, {1, 1}}};
  CHECK(envoy::normalized_weights(localities) == std::vector{0.25, 0.25});
}

TEST_CASE("a locality without weight is left out") {
  const std::vector<LocalityHostWeights> localities = {{0, {5}}, {3, {1, 3}}};
  CHECK(envoy::normalized_weights(localities) == std::vector{0.25, 0.75});
}

TEST_CASE("tables are built from healthy hosts, and from all of them in panic") {
  const std::vector<support::Group> groups = {{.zone = "a", .healthy = 1, .degraded = 1, .unhealthy = 2}};
  const auto healthy = normalized(groups, false, false);
  REQUIRE(healthy.size() == 1);
  CHECK(healthy[0].weight == 1.0);
  CHECK(normalized(groups, true, false).size() == 4);
}

TEST_CASE("with locality weights hosts stand in locality order, without them in configuration order") {
  const std::vector<support::Group> groups = {{.zone = "b", .healthy = 1, .weight = 1},
                                              {.zone = "a", .healthy = 2, .weight = 3}};
  const auto by_locality = normalized(groups, false, true);
  REQUIRE(by_locality.size() == 3);
  CHECK(by_locality[0].host == config::HostIndex{1});
  CHECK(by_locality[0].weight == 0.375);
  CHECK(by_locality[2].host == config::HostIndex{0});
  CHECK(by_locality[2].weight == 0.25);
  CHECK(normalized(groups, false, false)[0].host == config::HostIndex{0});
}
