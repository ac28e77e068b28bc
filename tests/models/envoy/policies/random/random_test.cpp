#include "models/envoy/policies/random/random.hpp"

#include <catch2/catch.hpp>

#include "models/envoy/cluster.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::LoadBalancer;

TEST_CASE("one draw chooses the priority and the host") {
  envoy::Cluster cluster;
  cluster.lb_policy = envoy::policies::random::Config{};
  const auto state = envoy::refresh(
      cluster, nullptr,
      envoy::make_priority_set(
          support::assignment({{.priority = 0, .healthy = 2, .unhealthy = 2}, {.priority = 1, .healthy = 7}}), {}),
      {});
  support::Script draws({65, 170});
  LoadBalancer balancer(state, draws);
  CHECK(draws.used() == 0);
  CHECK(balancer.choose(draws)->host.value == 1);            // 65 % 2 of priority 0
  CHECK(balancer.choose(draws)->host.value == 4 + 170 % 7);  // 170 % 100 is beyond the load of 70
  CHECK(draws.used() == 2);
}
