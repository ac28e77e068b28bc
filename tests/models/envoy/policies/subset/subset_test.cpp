#include "models/envoy/policies/subset/subset.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/routes/metadata_match.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/subset_example.hpp"

using namespace spillway;
namespace subset = envoy::policies::subset;
using namespace spillway::support::subset_example;

namespace {

std::shared_ptr<const envoy::ClusterState> state_of(const config::ClusterLoadAssignment& hosts,
                                                    const subset::Config& config,
                                                    const envoy::ClusterState* before = nullptr) {
  envoy::Cluster cluster;
  cluster.lb_policy = config;
  return envoy::refresh(cluster, before, envoy::make_priority_set(hosts, {}), {});
}

// The names of the hosts that a request with these criteria may reach.
std::string reached(const envoy::ClusterState& state, const std::optional<Pairs>& criteria) {
  const subset::Criteria asked = criteria ? subset::Criteria(structure(*criteria)) : subset::Criteria();
  std::string names;
  for (const auto& row : envoy::exact_shares(state, {.criteria = &asked}).hosts) {
    names += (names.empty() ? "" : " ") + (*state.hosts.endpoints)[row.host.value].address;
  }
  return names;
}

}  // namespace

TEST_CASE("the document's cluster makes its ten subsets and default subset") {
  const auto state = state_of(example_hosts(), example_config());
  CHECK(state->subsets->subsets.size() == 10);
  CHECK(reached(*state, Pairs{{"stage", "prod"}, {"type", "std"}}) == "e1 e2 e3 e4");
  CHECK(reached(*state, Pairs{{"stage", "prod"}, {"type", "bigmem"}}) == "e5 e6");
  CHECK(reached(*state, Pairs{{"stage", "dev"}, {"type", "std"}}) == "e7");
  CHECK(reached(*state, Pairs{{"stage", "prod"}, {"version", "1.0"}}) == "e1 e2 e5");
  CHECK(reached(*state, Pairs{{"stage", "prod"}, {"version", "1.1"}}) == "e3 e4 e6");
  CHECK(reached(*state, Pairs{{"stage", "dev"}, {"version", "1.2-pre"}}) == "e7");
  CHECK(reached(*state, Pairs{{"version", "1.0"}}) == "e1 e2 e5");
  CHECK(reached(*state, Pairs{{"version", "1.1"}}) == "e3 e4 e6");
  CHECK(reached(*state, Pairs{{"version", "1.2-pre"}}) == "e7");
  CHECK(reached(*state, Pairs{{"version", "1.0"}, {"xlarge", "true"}}) == "e1");
  CHECK(reached(*state, std::nullopt) == "e1 e2");
}

TEST_CASE("a subset goes with its last host and requests fall back") {
  auto hosts = example_hosts();
  const auto before = state_of(hosts, example_config());
  hosts.endpoints.front().lb_endpoints.pop_back();  // e7
  const auto after = state_of(hosts, example_config(), before.get());
  CHECK(after->subsets->subsets.size() == 7);
  CHECK(after->subsets->removed == 3);
  CHECK(reached(*after, Pairs{{"stage", "dev"}, {"type", "std"}}) == "e1 e2");
}

TEST_CASE("criteria of a weighted cluster overwrite those of its route key by key") {
  const auto route = structure({{"v", "1.0"}, {"stage", "prod"}});
  const auto cluster = structure({{"stage", "canary"}});
  CHECK(envoy::routes::merge_criteria({&route, &cluster}) == structure({{"v", "1.0"}, {"stage", "canary"}}));
  CHECK(envoy::routes::merge_criteria({nullptr, &route}) == route);
  CHECK_FALSE(envoy::routes::merge_criteria({nullptr, nullptr}).has_value());
}

TEST_CASE("values are compared whole and by kind") {
  config::ClusterLoadAssignment hosts;
  auto& endpoints = hosts.endpoints.emplace_back().lb_endpoints;
  config::Struct nested;
  nested.set("a", 1);
  endpoints.resize(3);
  endpoints[0].metadata.set("k", nested);
  endpoints[1].metadata.set("k", 1);
  endpoints[2].metadata.set("k", "1");
  for (std::size_t host = 0; host < 3; ++host) {
    endpoints[host].address = std::to_string(host);
  }
  subset::Config config;
  config.subset_selectors.emplace_back().keys = {"k"};
  const auto state = state_of(hosts, config);
  const auto found = [&](config::Value value) {
    config::Struct criteria;
    criteria.set("k", std::move(value));
    return state->subsets->directory.find({&criteria});
  };
  CHECK(found(nested)->value == 0);
  CHECK(found(1)->value == 1);
  CHECK(found("1")->value == 2);
  CHECK_FALSE(found(true));
}

TEST_CASE("a list of fallbacks is weighted by the chance that those before it find no host") {
  auto hosts = example_hosts();
  subset::Config config = example_config();
  config.fallback_policy = subset::FallbackPolicy::no_fallback;
  config.metadata_fallback_policy = subset::MetadataFallbackPolicy::fallback_list;
  const auto state = state_of(hosts, config);
  config::Struct criteria;
  config::Value::List list;
  list.emplace_back(structure({{"version", "none"}}));
  list.emplace_back(structure({{"version", "1.2-pre"}}));
  criteria.set("fallback_list", std::move(list));
  const subset::Criteria asked(criteria);
  const auto exact = envoy::exact_shares(*state, {.criteria = &asked});
  REQUIRE(exact.hosts.size() == 1);
  CHECK(exact.hosts.front().share == Approx(1.0));
}

TEST_CASE("subsets balance by any policy: with ring hash inside, a key keeps its host") {
  subset::Config config = example_config();
  config.subset_lb_policy = envoy::policies::ChildPolicy({envoy::policies::ring_hash::Config{}});
  const auto state = state_of(example_hosts(), config);
  support::Draws draw(9);
  envoy::LoadBalancer balancer(state, draw);
  CHECK(draw.used() == 0);
  const subset::Criteria criteria(structure({{"version", "1.1"}}));
  envoy::RequestContext context;
  context.criteria = &criteria;
  for (int key = 0; key < 50; ++key) {
    context.hash = draw();
    const auto pick = balancer.choose(draw, context);
    REQUIRE(pick);
    CHECK(std::set<std::uint32_t>{2, 3, 5}.contains(pick->host.value));
    CHECK(balancer.choose(draw, context) == pick);
  }
}

TEST_CASE("a subset under the zone's smallest cluster size loses zone routing") {
  auto hosts = example_hosts();
  hosts.endpoints.front().locality = {"", "a", ""};
  config::LocalityLbEndpoints other = hosts.endpoints.front();
  other.locality = {"", "b", ""};
  for (auto& endpoint : other.lb_endpoints) {
    endpoint.address += "b";
  }
  hosts.endpoints.push_back(other);
  const auto local = envoy::make_priority_set(hosts, {.own_locality = {"", "a", ""}});
  envoy::Cluster cluster;
  cluster.lb_policy = example_config();
  const auto state = envoy::refresh(cluster, nullptr, envoy::make_priority_set(hosts, {.own_locality = {"", "a", ""}}),
                                    {.local_cluster = &local});
  const auto& parts = *state->subsets;
  const subset::Criteria large(structure({{"stage", "prod"}, {"type", "std"}}));
  const subset::Criteria small(structure({{"stage", "dev"}, {"type", "std"}}));
  const auto zone_state = [&](const subset::Criteria& criteria) {
    return parts.subsets[parts.directory.find({&*criteria.requested()})->value].state->zone_routing.state;
  };
  CHECK(zone_state(large) == envoy::ZoneState::direct);
  CHECK(zone_state(small) == envoy::ZoneState::none);
}

// docs/behaviour/envoy-before-pick.md 11: with allow_redundant_keys the selector with the most keys that are all asked
// for decides, the first among equals.
TEST_CASE("redundant keys are left out where the configuration allows them") {
  subset::Config config = example_config();
  const Pairs redundant = {{"stage", "prod"}, {"type", "bigmem"}, {"user", "7"}};
  CHECK(reached(*state_of(example_hosts(), config), redundant) == "e1 e2");  // the default subset
  config.allow_redundant_keys = true;
  const auto state = state_of(example_hosts(), config);
  CHECK(reached(*state, redundant) == "e5 e6");
  CHECK(reached(*state, Pairs{{"user", "7"}, {"version", "1.1"}}) == "e3 e4 e6");
  // Two selectors have two of the three keys: the first of them.
  CHECK(reached(*state, Pairs{{"stage", "prod"}, {"type", "bigmem"}, {"version", "1.0"}}) == "e5 e6");
  CHECK(reached(*state, Pairs{{"version", "1.0"}, {"xlarge", "true"}}) == "e1");
  CHECK(reached(*state, Pairs{{"user", "7"}}) == "e1 e2");
}

TEST_CASE("a list stands for each of its elements only where list_as_any says so") {
  config::ClusterLoadAssignment hosts;
  auto& endpoints = hosts.endpoints.emplace_back().lb_endpoints;
  endpoints.push_back({.address = "both"});
  endpoints.back().metadata.set("v", config::Value::List{"1", "2"});
  endpoints.push_back({.address = "two", .metadata = structure({{"v", "2"}})});
  endpoints.push_back({.address = "none"});
  subset::Config config;
  config.subset_selectors.emplace_back().keys = {"v"};
  config.fallback_policy = subset::FallbackPolicy::default_subset;
  config.default_subset = structure({{"v", "1"}});
  config.list_as_any = true;
  const auto state = state_of(hosts, config);
  CHECK(reached(*state, Pairs{{"v", "1"}}) == "both");
  CHECK(reached(*state, Pairs{{"v", "2"}}) == "both two");
  CHECK(reached(*state, std::nullopt) == "both");
  CHECK(reached(*state, Pairs{{"v", "3"}}) == "both");
  config.list_as_any = false;
  CHECK(reached(*state_of(hosts, config), Pairs{{"v", "2"}}) == "two");
  CHECK(reached(*state_of(hosts, config), Pairs{{"v", "1"}}).empty());
}

TEST_CASE("a selector's own fallback decides for requests of its keys, and only for those") {
  using Policy = subset::SelectorFallbackPolicy;
  const auto reaches = [](Policy policy, const std::optional<Pairs>& criteria) {
    subset::Config config = example_config();
    config.subset_selectors = {{.keys = {"stage", "version"}, .fallback_policy = policy}, {.keys = {"stage"}}};
    if (policy == Policy::keys_subset) {
      config.subset_selectors[0].fallback_keys_subset = {"stage"};
    }
    return reached(*state_of(example_hosts(), config), criteria);
  };
  const Pairs unknown = {{"stage", "prod"}, {"version", "9"}};
  CHECK(reaches(Policy::not_defined, unknown) == "e1 e2");
  CHECK(reaches(Policy::no_fallback, unknown).empty());
  CHECK(reaches(Policy::any_endpoint, unknown) == "e1 e2 e3 e4 e5 e6 e7");
  CHECK(reaches(Policy::default_subset, unknown) == "e1 e2");
  CHECK(reaches(Policy::keys_subset, unknown) == "e1 e2 e3 e4 e5 e6");
  CHECK(reaches(Policy::keys_subset, Pairs{{"stage", "none"}, {"version", "9"}}) == "e1 e2");
  CHECK(reaches(Policy::no_fallback, Pairs{{"stage", "none"}}) == "e1 e2");
  CHECK(reaches(Policy::no_fallback, Pairs{{"stage", "prod"}, {"type", "std"}}) == "e1 e2");
  CHECK(reaches(Policy::no_fallback, std::nullopt) == "e1 e2");
}

TEST_CASE("in panic mode any host will do where the fallback has none") {
  subset::Config config = example_config();
  config.default_subset = structure({{"stage", "nowhere"}});
  CHECK(reached(*state_of(example_hosts(), config), Pairs{{"version", "9"}}).empty());
  config.panic_mode_any = true;
  CHECK(reached(*state_of(example_hosts(), config), Pairs{{"version", "9"}}) == "e1 e2 e3 e4 e5 e6 e7");
  config.default_subset = structure({{"stage", "dev"}});
  CHECK(reached(*state_of(example_hosts(), config), Pairs{{"version", "9"}}) == "e7");
}

TEST_CASE("weights of localities are scaled to the part of their hosts that a subset has, rounded to the nearest") {
  CHECK(subset::scaled_locality_weight(10, 1, 4) == 3);  // 2.5 rounds away from zero
  CHECK(subset::scaled_locality_weight(10, 1, 5) == 2);
  CHECK(subset::scaled_locality_weight(10, 1, 21) == 0);
  CHECK(subset::scaled_locality_weight(10, 1, 20) == 1);
  CHECK(subset::scaled_locality_weight(10, 4, 4) == 10);
  CHECK(subset::scaled_locality_weight(10, 0, 0) == 0);
}

TEST_CASE("Envoy's refusals of a selector's fallback are in its words") {
  using Policy = subset::SelectorFallbackPolicy;
  const auto reason = [](Policy policy, std::vector<std::string> fallback) {
    return refusal(
        subset::Selector{.keys = {"b", "a"}, .fallback_policy = policy, .fallback_keys_subset = std::move(fallback)});
  };
  CHECK_FALSE(reason(Policy::not_defined, {}).has_value());
  CHECK(reason(Policy::any_endpoint, {"a"}) == "fallback_keys_subset can be set only for KEYS_SUBSET fallback_policy");
  CHECK(reason(Policy::keys_subset, {}) == "fallback_keys_subset cannot be empty");
  CHECK_FALSE(reason(Policy::keys_subset, {"a"}).has_value());
  CHECK_FALSE(reason(Policy::keys_subset, {"b", "b"}).has_value());
  CHECK(reason(Policy::keys_subset, {"c"}) == "fallback_keys_subset must be a subset of selector keys");
  CHECK(reason(Policy::keys_subset, {"a", "b"}) == "fallback_keys_subset cannot be equal to keys");
}
