// What steps say they have added is what the hosts inside them got, whatever leads to these.
#include "models/envoy/share_trace.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/policies/override_host/override_host.hpp"
#include "tests/support/hosts.hpp"
#include "tests/support/subset_example.hpp"

using namespace spillway;
using envoy::Cluster;
using envoy::ClusterState;
using envoy::ShareStep;
using support::Group;
using Kind = ShareStep::Kind;

namespace {

std::shared_ptr<const ClusterState> traced_state(const std::vector<Group>& groups, envoy::policies::Config policy = {},
                                                 const config::LocalityConfigSpecifier& localities = {},
                                                 const envoy::PrioritySet* local = nullptr) {
  Cluster cluster;
  cluster.lb_policy = std::move(policy);
  cluster.common_lb_config.locality_config_specifier = localities;
  const auto hosts = envoy::make_priority_set(support::assignment(groups), {.own_locality = support::zone("a")});
  return envoy::refresh(cluster, nullptr, hosts, {.local_cluster = local});
}

// The shares of the hosts in the step at `position` and in those inside it.
double inside(const std::vector<ShareStep>& steps, std::size_t position) {
  double sum = 0.0;
  std::size_t step = position;
  do {
    for (const auto& [host, share] : steps[step].hosts) {
      sum += share;
    }
    ++step;
  } while (step < steps.size() && steps[step].depth > steps[position].depth);
  return sum;
}

void check_sums(const ClusterState& state, const envoy::RequestClass& requests, double expected) {
  envoy::ShareTrace trace;
  const envoy::ExactShares shares = envoy::exact_shares(state, requests, &trace);
  double found = 0.0;
  for (const envoy::HostShare& row : shares.hosts) {
    found += row.share;
  }
  CHECK(found == Approx(expected));
  double of_roots = 0.0;
  const auto& steps = trace.steps();
  for (std::size_t position = 0; position < steps.size(); ++position) {
    INFO("step " << position << " of kind " << static_cast<int>(steps[position].kind));
    CHECK(steps[position].added == Approx(inside(steps, position)).margin(1e-12));
    CHECK(steps[position].added <= steps[position].probability + 1e-12);
    of_roots += steps[position].depth == 0 ? steps[position].added : 0.0;
  }
  CHECK(of_roots == Approx(expected));
}

const std::vector<Group> three_zones = {{.zone = "a", .healthy = 1, .weight = 1},
                                        {.zone = "b", .healthy = 2, .weight = 2},
                                        {.zone = "c", .healthy = 1, .weight = 5}};

}  // namespace

TEST_CASE("steps of plain clusters add what their hosts get") {
  check_sums(*traced_state({{.healthy = 3}}), {}, 1.0);
  check_sums(*traced_state({{.priority = 0, .healthy = 2, .unhealthy = 2}, {.priority = 1, .healthy = 3}}), {}, 1.0);
  check_sums(*traced_state({{.healthy = 1, .degraded = 1, .unhealthy = 1}}), {}, 1.0);
  check_sums(*traced_state({{.healthy = 3, .host_weights = {1, 2, 5}}}, envoy::policies::least_request::Config{}), {},
             1.0);
  check_sums(*traced_state({}), {}, 0.0);
}

TEST_CASE("steps over weighted localities add what their hosts get") {
  check_sums(*traced_state(three_zones, {}, config::LocalityWeightedLbConfig{}), {}, 1.0);
  check_sums(*traced_state({three_zones.front()}, {}, config::LocalityWeightedLbConfig{}), {}, 1.0);
}

TEST_CASE("steps over zones add what their hosts get, and less where no traffic goes to a cluster in panic") {
  const auto local = envoy::make_priority_set(
      support::assignment({{.zone = "a", .healthy = 2}, {.zone = "b", .healthy = 2}, {.zone = "c", .healthy = 1}}),
      {.own_locality = support::zone("a")});
  const config::ZoneAwareLbConfig half{.routing_enabled = config::Percent{50.0}, .min_cluster_size = 1};
  check_sums(*traced_state(three_zones, {}, half, &local), {}, 1.0);
  // Most of the proxies themselves are unhealthy: the half of the picks that asks for zones finds nobody.
  const auto panicking = envoy::make_priority_set(
      support::assignment({{.zone = "a", .healthy = 1, .unhealthy = 2}, {.zone = "b", .healthy = 1, .unhealthy = 2}}),
      {.own_locality = support::zone("a")});
  check_sums(*traced_state(three_zones, {}, half, &panicking), {}, 1.0);
  config::ZoneAwareLbConfig failing = half;
  failing.fail_traffic_on_panic = true;
  check_sums(*traced_state(three_zones, {}, failing, &panicking), {}, 0.5);
  // A level in panic, of 8 % of the requests.
  check_sums(
      *traced_state({{.priority = 0, .healthy = 1, .unhealthy = 19}, {.priority = 1, .healthy = 13, .unhealthy = 7}},
                    {}, failing),
      {}, 0.92);
}

TEST_CASE("steps through hash tables add what their hosts get, for each hash and for all of them") {
  const std::vector<Group> groups = {{.priority = 0, .healthy = 2, .unhealthy = 2}, {.priority = 1, .healthy = 3}};
  const std::vector<envoy::WeightedHash> keys = {{7, 3.0}, {99, 1.0}, {1234567, 4.0}};
  for (const auto& policy : std::vector<envoy::policies::Config>{envoy::policies::ring_hash::Config{},
                                                                 envoy::policies::maglev::Config{.table_size = 101}}) {
    check_sums(*traced_state(groups, policy), {}, 1.0);
    check_sums(*traced_state(groups, policy), {.hashes = keys}, 1.0);
    check_sums(*traced_state({}, policy), {}, 0.0);
    check_sums(*traced_state({}, policy), {.hashes = keys}, 0.0);
  }
}

TEST_CASE("steps through subsets add what their hosts get, and nothing where requests find no subset") {
  using namespace support::subset_example;
  namespace subset = envoy::policies::subset;
  const auto state_of = [](const subset::Config& config) {
    Cluster cluster;
    cluster.lb_policy = config;
    return envoy::refresh(cluster, nullptr, envoy::make_priority_set(example_hosts(), {}), {});
  };
  const subset::Criteria known(structure({{"version", "1.1"}}));
  const subset::Criteria unknown(structure({{"version", "2"}}));
  subset::Config config = example_config();
  check_sums(*state_of(config), {.criteria = &known}, 1.0);
  check_sums(*state_of(config), {.criteria = &unknown}, 1.0);
  check_sums(*state_of(config), {}, 1.0);
  config.subset_selectors[2].single_host_per_subset = true;
  check_sums(*state_of(config), {.criteria = &known}, 1.0);
  config.fallback_policy = subset::FallbackPolicy::no_fallback;
  check_sums(*state_of(config), {.criteria = &unknown}, 0.0);
  check_sums(*state_of(config), {}, 0.0);
}

TEST_CASE("steps through named hosts and the levels of an aggregate add what their hosts get") {
  namespace override_host = envoy::policies::override_host;
  override_host::Config config;
  config.override_host_sources = {{.header = "x-hosts"}};
  config.fallback_policy = envoy::policies::ChildPolicy({envoy::policies::round_robin::Config{}});
  const auto state = traced_state({{.healthy = 2, .unhealthy = 1}}, config);
  const override_host::OverrideHosts named(config.override_host_sources, {.headers = {{"x-hosts", "1"}}});
  check_sums(*state, {.override_hosts = &named}, 1.0);
  check_sums(*state, {}, 1.0);

  Cluster cluster;
  cluster.aggregate_clusters = {"primary", "secondary"};
  const std::vector<std::shared_ptr<const ClusterState>> children = {traced_state({{.healthy = 5, .unhealthy = 5}}),
                                                                     traced_state({{.healthy = 3}})};
  check_sums(*envoy::refresh_aggregate(cluster, children, {}), {}, 1.0);
}
