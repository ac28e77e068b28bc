// Proxies that have found out the same share a state as long as anybody keeps it.
#include "sim/run/eds/own_states.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "models/envoy/cluster_state.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;

TEST_CASE("who saw the same before and has found out the same shares a state, and nobody else does") {
  const scenario::Scenario scenario = support::one_service({4});
  const run::Flows flows(scenario);
  run::Upstreams upstreams(scenario, flows);
  run::OwnStates states(upstreams);
  const run::FlowIndex flow = flows.all().front();
  const run::Upstreams::State reported = upstreams.member_state(flow, 0);
  std::vector<envoy::HostFlags> one(4);
  one[1].set(envoy::HostFlag::failed_outlier_check);
  std::vector<envoy::HostFlags> other(4);
  other[2].set(envoy::HostFlag::failed_outlier_check);

  run::Upstreams::State first = states.state_with(flow, 0, reported, {.flags = one});
  CHECK(states.state_with(flow, 0, reported, {.flags = one}) == first);
  CHECK(states.state_with(flow, 0, reported, {.flags = other}) != first);
  // The same flags after another state may be another state: loads of priorities carry over.
  CHECK(states.state_with(flow, 0, first, {.flags = one}) != first);
  const std::vector<std::uint32_t> weights{1, 2, 3, 4};
  CHECK(states.state_with(flow, 0, reported, {.flags = one, .weights = weights}) != first);
  CHECK(first->hosts.hosts[1].flags.has(envoy::HostFlag::failed_outlier_check));

  // What proxies are told changes: nothing that was known holds any more.
  upstreams.tell(scenario::EdsHealth{.service = config::ServiceIndex{0},
                                     .hosts = {{config::HostIndex{3}, config::HealthStatus::unhealthy}}});
  CHECK(states.state_with(flow, 0, reported, {.flags = one}) != first);
}
