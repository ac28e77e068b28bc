#include <catch2/catch.hpp>

#include "models/envoy/cluster.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/retry_priority.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::Availability;
using envoy::Cluster;
using envoy::LoadBalancer;
using support::Draws;
using support::Group;
using support::Script;

namespace {

using State = std::shared_ptr<const envoy::ClusterState>;

State child(const std::vector<Group>& groups, const Cluster& cluster = {},
            const envoy::ClusterState* previous = nullptr) {
  return envoy::refresh(cluster, previous, envoy::make_priority_set(support::assignment(groups), {}), {});
}

Cluster aggregate_of(std::vector<std::string> names) {
  Cluster cluster;
  cluster.aggregate_clusters = std::move(names);
  return cluster;
}

State aggregate(const std::vector<std::string>& names, const std::vector<State>& children) {
  return envoy::refresh_aggregate(aggregate_of(names), children, {});
}

}  // namespace

TEST_CASE("an aggregate adds one draw in front of its child's, and each child has a seed") {
  const State state = aggregate({"primary", "secondary"}, {child({{.healthy = 2}}), child({{.healthy = 2}})});
  Draws draws(1);
  LoadBalancer balancer(state, draws);
  CHECK(draws.used() == 2);
  REQUIRE(balancer.choose(draws));
  CHECK(draws.used() == 4);
}

TEST_CASE("a child panics by its own priorities although the aggregate does not") {
  // 35 % go to the primary, which alone is at 25 % of its hosts: all four of them are used.
  const State state =
      aggregate({"primary", "secondary"}, {child({{.healthy = 1, .unhealthy = 3}}), child({{.healthy = 4}})});
  CHECK(state->priorities.load.healthy == std::vector<std::uint32_t>{35, 65});
  CHECK(state->priorities.panic == std::vector{false, false});
  Script draws({0, 0, 0, 0, 35, 0});
  LoadBalancer balancer(state, draws);
  const auto primary = balancer.choose(draws);
  CHECK(primary == envoy::Pick{config::HostIndex{0}, config::Priority{0}, Availability::all, 0});
  const auto secondary = balancer.choose(draws);
  CHECK(secondary == envoy::Pick{config::HostIndex{0}, config::Priority{0}, Availability::healthy, 1});
}

TEST_CASE("requests to a level are in panic where its child panics by its own threshold and gets requests") {
  // 1 of 4 are 25 %, below the child's threshold of 40 %; its 35 % of the requests go to all four.
  Cluster forty;
  forty.common_lb_config.healthy_panic_threshold = config::Percent{40.0};
  const State primary = child({{.healthy = 1, .unhealthy = 3}}, forty);
  const State state = aggregate({"primary", "secondary"}, {primary, child({{.healthy = 4}})});
  CHECK(envoy::sends_in_panic(*state, 0));
  CHECK(envoy::threshold_of_panic(*state, 0) == 40);
  CHECK_FALSE(envoy::sends_in_panic(*state, 1));
  CHECK_FALSE(envoy::sends_in_panic(*state, 2));
  CHECK(envoy::sends_in_panic(*primary, 0));
  CHECK(envoy::threshold_of_panic(*primary, 0) == 40);
  // A threshold of 20 % is met, and nothing is sent to a child that is gone.
  Cluster twenty;
  twenty.common_lb_config.healthy_panic_threshold = config::Percent{20.0};
  CHECK_FALSE(envoy::sends_in_panic(
      *aggregate({"primary", "secondary"}, {child({{.healthy = 1, .unhealthy = 3}}, twenty), child({{.healthy = 4}})}),
      0));
  const State failed_over = aggregate({"primary", "secondary"}, {child({{.unhealthy = 4}}), child({{.healthy = 4}})});
  CHECK(failed_over->children[0]->priorities.panic[0]);
  CHECK_FALSE(envoy::sends_in_panic(*failed_over, 0));
}

TEST_CASE("children that nobody knows, that have no hosts or that are aggregates add no level") {
  const State nested = aggregate({"primary"}, {child({{.healthy = 1}})});
  const State state =
      aggregate({"ghost", "empty", "nested", "last"}, {nullptr, child({}), nested, child({{.healthy = 1}})});
  CHECK(state->levels == std::vector{envoy::AggregateLevel{3, config::Priority{0}}});
  Draws draws(1);
  LoadBalancer balancer(state, draws);
  CHECK(balancer.choose(draws)->child == 3);

  LoadBalancer nothing(aggregate({"nested"}, {nested}), draws);
  const std::size_t before = draws.used();
  CHECK_FALSE(nothing.choose(draws).has_value());
  CHECK(draws.used() == before);
}

TEST_CASE("a child listed twice has two levels and one balancer") {
  const State twice = child({{.healthy = 2, .unhealthy = 8}});
  const State state = aggregate({"p", "s", "p"}, {twice, child({{.healthy = 2, .unhealthy = 8}}), twice});
  CHECK(state->levels.size() == 3);
  Script draws({});
  LoadBalancer balancer(state, draws);
  CHECK(draws.used() == 2);
  Script first({0});
  Script last({99});
  CHECK(balancer.choose(first)->host.value == 0);
  CHECK(balancer.choose(last)->child == 2);
  CHECK(balancer.choose(first)->host.value == 2);
}

TEST_CASE("an aggregate's retry priority works on its levels") {
  const State state = aggregate({"primary", "secondary"}, {child({{.healthy = 2}}), child({{.healthy = 2}})});
  Draws draws(1);
  LoadBalancer balancer(state, draws);
  envoy::PreviousPriorities retry(1);
  const auto pick = balancer.choose(draws);
  REQUIRE(pick);
  retry.on_host_attempted(*envoy::level_of(state->levels, {pick->child, pick->priority}));
  envoy::RequestContext context;
  context.priority_load = &retry.priority_load(state->priorities.availability, state->priorities.load);
  CHECK(balancer.choose(draws, context)->child == 1);
}

TEST_CASE("an aggregate's update reaches the children that changed, with their cursors kept") {
  const Cluster cluster;
  const State primary = child({{.healthy = 3}});
  Script draws({});
  LoadBalancer balancer(aggregate({"primary"}, {primary}), draws);
  CHECK(balancer.choose(draws)->host.value == 0);
  balancer.update(aggregate({"primary"}, {child({{.healthy = 2, .unhealthy = 1}}, cluster, primary.get())}), draws);
  CHECK(balancer.choose(draws)->host.value == 1);
}

TEST_CASE("requests in flight of an aggregate are numbered child after child") {
  const State first = child({{.healthy = 3}});
  const State state = aggregate({"a", "ghost", "b", "a"}, {first, nullptr, child({{.healthy = 2}}), first});
  CHECK(state->first_host_of_child == std::vector<std::uint32_t>{0, 3, 3, 0});
}
