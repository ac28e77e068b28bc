#include <catch2/catch.hpp>

#include "models/envoy/cluster.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/retry_priority.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::Availability;
using envoy::Cluster;
using envoy::ClusterState;
using envoy::LoadBalancer;
using envoy::PriorityChoice;
using envoy::RequestContext;
using support::assignment;
using support::Draws;
using support::Group;
using support::Script;

namespace {

using State = std::shared_ptr<const ClusterState>;
using Hosts = std::vector<std::uint32_t>;

State balanced_state(const std::vector<Group>& groups, const Cluster& cluster = {},
                     const ClusterState* previous = nullptr, const envoy::ProxyContext& proxy = {},
                     const config::Locality& own = {}) {
  return envoy::refresh(cluster, previous,
                        envoy::make_priority_set(assignment(groups), {.own_locality = own, .profile = proxy.profile}),
                        proxy);
}

Cluster locality_weighted() {
  Cluster cluster;
  cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  return cluster;
}

Hosts picks(LoadBalancer& balancer, std::size_t count) {
  Script draws({});
  Hosts hosts;
  for (std::size_t pick = 0; pick < count; ++pick) {
    hosts.push_back(balancer.choose(draws)->host.value);
  }
  return hosts;
}

template <class Draw>
LoadBalancer balancer_of(const State& state, Draw draw) {
  return LoadBalancer(state, draw);
}

}  // namespace

TEST_CASE("a round robin client draws its seed once and then one number a pick") {
  Draws draws(1);
  LoadBalancer balancer(balanced_state({{.healthy = 3}}), draws);
  CHECK(draws.used() == 1);
  REQUIRE(balancer.choose(draws));
  CHECK(draws.used() == 2);
}

TEST_CASE("a locality-weighted client draws a seed for each priority before the policy's") {
  const std::vector<Group> groups = {{.priority = 0, .zone = "a", .healthy = 1, .weight = 1},
                                     {.priority = 2, .zone = "a", .healthy = 1, .weight = 1}};
  Draws draws(1);
  LoadBalancer balancer(balanced_state(groups, locality_weighted()), draws);
  CHECK(draws.used() == 4);

  Draws random_draws(1);
  Cluster random = locality_weighted();
  random.lb_policy = envoy::policies::random::Config{};
  LoadBalancer random_balancer(balanced_state(groups, random), random_draws);
  CHECK(random_draws.used() == 3);
}

TEST_CASE("an update draws a locality seed for each changed priority, and nothing else") {
  const std::vector<Group> before = {{.priority = 0, .zone = "a", .healthy = 2, .weight = 1},
                                     {.priority = 1, .zone = "a", .healthy = 2, .weight = 1}};
  std::vector<Group> after = before;
  after[1] = {.priority = 1, .zone = "a", .healthy = 1, .unhealthy = 1, .weight = 1};
  const Cluster cluster = locality_weighted();
  const State first = balanced_state(before, cluster);
  Draws draws(1);
  LoadBalancer balancer(first, draws);
  const std::size_t at_start = draws.used();
  balancer.update(balanced_state(after, cluster, first.get()), draws);
  CHECK(draws.used() == at_start + 1);
}

TEST_CASE("a locality-weighted client takes localities in the turns of its seed") {
  const State state = balanced_state(
      {{.zone = "a", .healthy = 1, .weight = 1}, {.zone = "b", .healthy = 1, .weight = 2}}, locality_weighted());
  LoadBalancer seed_0 = balancer_of(state, Script({0, 0}));
  CHECK(picks(seed_0, 6) == Hosts{1, 0, 1, 1, 0, 1});
  LoadBalancer seed_1 = balancer_of(state, Script({1, 0}));
  CHECK(picks(seed_1, 6) == Hosts{0, 1, 1, 0, 1, 1});
}

TEST_CASE("localities without a weight are met only if nobody else can be") {
  const std::vector<Group> both = {{.zone = "a", .healthy = 2}, {.zone = "b", .healthy = 1, .weight = 1}};
  LoadBalancer weighted = balancer_of(balanced_state(both, locality_weighted()), Draws(1));
  CHECK(picks(weighted, 3) == Hosts{2, 2, 2});
  const std::vector<Group> alone = {{.zone = "a", .healthy = 2}};
  LoadBalancer flat = balancer_of(balanced_state(alone, locality_weighted()), Script({0, 0}));
  CHECK(picks(flat, 3) == Hosts{0, 1, 0});
}

TEST_CASE("in panic all hosts of the priority are used, whatever their health and localities") {
  const State state = balanced_state(
      {{.zone = "b", .healthy = 1, .unhealthy = 2, .weight = 1}, {.zone = "a", .unhealthy = 1, .weight = 9}},
      locality_weighted());
  Script draws({});
  LoadBalancer balancer(state, draws);
  CHECK(balancer.choose(draws)->availability == Availability::all);
  CHECK(picks(balancer, 4) == Hosts{1, 2, 3, 0});
}

// By hand: in total panic each priority has 50 % of the hosts; once P1 is whole, P0 has 1.4 * 25 % = 35 %.
TEST_CASE("a priority whose panic another one ends takes its localities in turn") {
  const auto groups = [](std::uint32_t healthy) {
    return std::vector<Group>{{.zone = "a", .healthy = 1, .unhealthy = 3, .weight = 1},
                              {.priority = 1, .zone = "b", .healthy = healthy, .unhealthy = 4 - healthy, .weight = 2}};
  };
  const State panicked = balanced_state(groups(1), locality_weighted());
  Script draws({});
  LoadBalancer balancer(panicked, draws);
  CHECK(balancer.choose(draws)->availability == Availability::all);
  balancer.update(balanced_state(groups(4), locality_weighted(), panicked.get()), draws);
  Script next({34, 35});
  CHECK(balancer.choose(next) == envoy::Pick{{0}, config::Priority{0}, Availability::healthy});
  CHECK(balancer.choose(next)->priority == config::Priority{1});
}

TEST_CASE("with fail_traffic_on_panic a priority in panic has no host, another one still has") {
  Cluster cluster;
  cluster.common_lb_config.locality_config_specifier = config::ZoneAwareLbConfig{.fail_traffic_on_panic = true};
  // Documented as 5 % and 65 % of hosts: loads 8 and 92, only the first priority panics.
  const State state = balanced_state(
      {{.priority = 0, .healthy = 1, .unhealthy = 19}, {.priority = 1, .healthy = 13, .unhealthy = 7}}, cluster);
  LoadBalancer balancer = balancer_of(state, Draws(1));
  Script draws({7, 8});
  CHECK_FALSE(balancer.choose(draws).has_value());
  CHECK(balancer.choose(draws)->priority == config::Priority{1});
}

TEST_CASE("without any host there is no pick") {
  LoadBalancer empty = balancer_of(balanced_state({}), Draws(1));
  Draws draws(1);
  CHECK_FALSE(empty.choose(draws).has_value());
  LoadBalancer nothing;
  CHECK_FALSE(nothing.choose(draws).has_value());
}

TEST_CASE("a cursor is kept when hosts change, and found again when its list comes back") {
  const std::vector<Group> all = {{.zone = "a", .healthy = 3}};
  const std::vector<Group> none = {{.zone = "a", .unhealthy = 3}};
  const State first = balanced_state(all);
  Script draws({});
  LoadBalancer balancer(first, draws);
  CHECK(picks(balancer, 2) == Hosts{0, 1});
  const State second = balanced_state(none, {}, first.get());
  balancer.update(second, draws);
  CHECK(picks(balancer, 1) == Hosts{0});  // the list of all hosts has its own cursor
  balancer.update(balanced_state(all, {}, second.get()), draws);
  CHECK(picks(balancer, 2) == Hosts{2, 0});
}

TEST_CASE("a weighted schedule starts again from the same seed when its priority changes") {
  const auto weighted = [](std::uint32_t unhealthy) {
    return std::vector<Group>{{.healthy = 2, .unhealthy = unhealthy, .host_weights = {1, 2}}};
  };
  const State first = balanced_state(weighted(0));
  Script draws({1});
  LoadBalancer balancer(first, draws);
  CHECK(picks(balancer, 4) == Hosts{0, 1, 1, 0});
  balancer.update(balanced_state(weighted(0), {}, first.get()), draws);
  CHECK(picks(balancer, 2) == Hosts{1, 1});
  balancer.update(balanced_state(weighted(1), {}, first.get()), draws);
  CHECK(picks(balancer, 3) == Hosts{0, 1, 1});
}

TEST_CASE("a client may go back to a state of another chain") {
  const State shared = balanced_state({{.healthy = 3, .host_weights = {1, 2, 3}}});
  const State own = balanced_state({{.healthy = 1, .unhealthy = 2, .host_weights = {1, 2, 3}}}, {}, shared.get());
  const State other = balanced_state({{.healthy = 2, .host_weights = {5, 1}}}, {}, shared.get());
  Draws draws(3);
  LoadBalancer balancer(own, draws);
  balancer.update(other, draws);
  for (const std::uint32_t host : picks(balancer, 20)) {
    CHECK(host < 2);
  }
  balancer.update(shared, draws);
  CHECK(picks(balancer, 20).size() == 20);
}

TEST_CASE("a retry priority's loads replace the cluster's own") {
  const State state = balanced_state({{.priority = 0, .healthy = 2}, {.priority = 1, .healthy = 2}});
  Draws draws(1);
  LoadBalancer balancer(state, draws);
  envoy::PreviousPriorities retry(1);
  retry.on_host_attempted(config::Priority{0});
  RequestContext context;
  context.priority_load = &retry.priority_load(state->priorities.availability, state->priorities.load);
  for (int pick = 0; pick < 20; ++pick) {
    CHECK(balancer.choose(draws, context)->priority == config::Priority{1});
  }
}

TEST_CASE("a rejected host is picked again as often as the request allows, and the last pick stands") {
  const State state = balanced_state({{.healthy = 3}});
  Script draws({0});
  LoadBalancer balancer(state, draws);
  const RequestContext context{.host_selection_retry_count = 2};
  Script picking({});
  const auto not_the_first = [](const envoy::Pick& pick) { return pick.host.value == 0; };
  CHECK(balancer.choose(picking, context, not_the_first)->host.value == 1);
  CHECK(picking.used() == 2);
  const auto none_of_them = [](const envoy::Pick&) { return true; };
  CHECK(balancer.choose(picking, context, none_of_them)->host.value == 1);
  CHECK(picking.used() == 5);
}

TEST_CASE("a degraded pick under zone routing goes to the zone of the healthy hosts, and may find nobody") {
  const auto local = envoy::make_priority_set(assignment({{.zone = "a", .healthy = 2}, {.zone = "b", .healthy = 2}}),
                                              {.own_locality = support::zone("a")});
  // Healthy load 60, degraded load 40; the proxy's own zone has no degraded hosts.
  const State state = balanced_state(
      {{.zone = "a", .healthy = 3, .unhealthy = 3}, {.zone = "b", .healthy = 3, .degraded = 4, .unhealthy = 1}}, {},
      nullptr, {.local_cluster = &local}, support::zone("a"));
  REQUIRE(state->zone_routing.state == envoy::ZoneState::direct);
  LoadBalancer balancer = balancer_of(state, Draws(1));
  Script draws({59, 60});
  CHECK(balancer.choose(draws).has_value());
  CHECK_FALSE(balancer.choose(draws).has_value());
}

TEST_CASE("a local cluster in panic switches zone routing off for the pick") {
  const auto local =
      envoy::make_priority_set(assignment({{.zone = "a", .healthy = 1, .unhealthy = 3}, {.zone = "b", .unhealthy = 1}}),
                               {.own_locality = support::zone("a")});
  const std::vector<Group> groups = {{.zone = "a", .healthy = 3}, {.zone = "b", .healthy = 3}};
  Cluster failing;
  failing.common_lb_config.locality_config_specifier = config::ZoneAwareLbConfig{.fail_traffic_on_panic = true};
  Script draws({});
  LoadBalancer flat(balanced_state(groups, {}, nullptr, {.local_cluster = &local}, support::zone("a")), draws);
  CHECK(picks(flat, 6) == Hosts{0, 1, 2, 3, 4, 5});
  LoadBalancer none(balanced_state(groups, failing, nullptr, {.local_cluster = &local}, support::zone("a")), draws);
  CHECK_FALSE(none.choose(draws).has_value());
}

TEST_CASE("zone routing concerns priority 0 only") {
  const auto local = envoy::make_priority_set(assignment({{.zone = "a", .healthy = 2}, {.zone = "b", .healthy = 2}}),
                                              {.own_locality = support::zone("a")});
  const State state = balanced_state({{.priority = 0, .zone = "a", .unhealthy = 1},
                                      {.priority = 1, .zone = "a", .healthy = 4},
                                      {.priority = 1, .zone = "b", .healthy = 4}},
                                     {}, nullptr, {.local_cluster = &local}, support::zone("a"));
  Script draws({});
  LoadBalancer balancer(state, draws);
  CHECK(picks(balancer, 5) == Hosts{1, 2, 3, 4, 5});
}

TEST_CASE("the steps of a pick can be asked for") {
  const State state = balanced_state({{.priority = 0, .healthy = 1, .degraded = 1, .unhealthy = 1}});
  Script draws({0, 99});
  LoadBalancer balancer(state, draws);
  const envoy::SourceChoice chosen = balancer.choose_source(draws);
  CHECK(chosen.choice == PriorityChoice{config::Priority{0}, Availability::degraded});
  REQUIRE(chosen.source);
  CHECK(state->sources.describe(*chosen.source).list == envoy::HostSources::List::degraded);
}
