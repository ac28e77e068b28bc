#include "models/envoy/policies/round_robin/round_robin.hpp"

#include <catch2/catch.hpp>

#include "models/envoy/cluster.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::LoadBalancer;
using support::Script;

namespace {

using Hosts = std::vector<std::uint32_t>;

Hosts picks(const std::vector<support::Group>& groups, std::uint64_t seed, std::size_t count,
            config::EnvoyProfile profile = config::EnvoyProfile::current) {
  Script draws({seed});
  LoadBalancer balancer(
      envoy::refresh({}, nullptr, envoy::make_priority_set(support::assignment(groups), {}), {.profile = profile}),
      draws);
  Hosts hosts;
  for (std::size_t pick = 0; pick < count; ++pick) {
    hosts.push_back(balancer.choose(draws)->host.value);
  }
  return hosts;
}

}  // namespace

TEST_CASE("hosts take turns in the order of the configuration, from the seed on") {
  CHECK(picks({{.healthy = 3}}, 0, 4) == Hosts{0, 1, 2, 0});
  CHECK(picks({{.healthy = 3}}, 5, 4) == Hosts{2, 0, 1, 2});
}

TEST_CASE("a cursor at the end of the 64 bits goes on at 0") {
  CHECK(picks({{.healthy = 3}}, ~std::uint64_t{0}, 3) == Hosts{0, 0, 1});
}

TEST_CASE("hosts of different weight follow the schedule of Envoy's tests") {
  CHECK(picks({{.healthy = 2, .host_weights = {1, 2}}}, 0, 6) == Hosts{1, 0, 1, 1, 0, 1});
  CHECK(picks({{.healthy = 2, .host_weights = {1, 2}}}, 1, 6) == Hosts{0, 1, 1, 0, 1, 1});
}

TEST_CASE("equal weights above one need no schedule today and one in the seed profile") {
  const std::vector<support::Group> groups = {{.healthy = 3, .host_weights = {2, 2, 2}}};
  // Two turns of the seed profile's schedule have passed when it starts with seed 2 of three hosts.
  CHECK(picks(groups, 2, 4) == Hosts{2, 0, 1, 2});
  CHECK(picks(groups, 5, 4, config::EnvoyProfile::seed) == Hosts{2, 0, 1, 2});
}
