// Every policy's configuration arrives in the struct of its model, from a cluster's own fields and as a typed policy.
#include <catch2/catch.hpp>

#include "models/envoy/policies/policy_config.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;
namespace policies = spillway::envoy::policies;

namespace {

Scenario read_cluster(const std::string& rest) {
  const std::string text = "name: c\n" + rest;
  const Reading reading = read_envoy_texts({{"c.yaml", text}});
  INFO(text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return *reading.scenario;
}

policies::Config policy_of(const std::string& rest) {
  return read_cluster(rest).services[0].cluster.lb_policy;
}

std::string typed(const std::string& name, const std::string& config) {
  return "{ policies: [{ typed_extension_config: { name: first-of-nobody, typed_config: { '@type': "
         "type.googleapis.com/xds.type.v3.TypedStruct, type_url: x/none.of.Envoys } } },"
         " { typed_extension_config: { name: x, typed_config: { '@type': "
         "type.googleapis.com/envoy.extensions.load_balancing_policies." +
         name + (config.empty() ? "" : ", " + config) + " } } }] }";
}

policies::Config typed_policy(const std::string& name, const std::string& config) {
  return policy_of("load_balancing_policy: " + typed(name, config) + "\n");
}

template <class Config>
const Config& as(const policies::Config& config) {
  REQUIRE(std::holds_alternative<Config>(config));
  return std::get<Config>(config);
}

}  // namespace

TEST_CASE("A policy of a cluster's own fields is read with all its settings", "[envoy]") {
  const std::string slow =
      "slow_start_config: { slow_start_window: 30s, aggression: { default_value: 2.5, runtime_key: k }, "
      "min_weight_percent: { value: 5 } }";
  const config::SlowStartConfig slow_start{30s, 2.5, config::Percent{5.0}};
  CHECK(as<policies::round_robin::Config>(policy_of("round_robin_lb_config: { " + slow + " }\n")) ==
        policies::round_robin::Config{slow_start});
  CHECK(as<policies::least_request::Config>(policy_of(
            "lb_policy: LEAST_REQUEST\nleast_request_lb_config: { choice_count: 5, active_request_bias: "
            "{ default_value: 0.5, runtime_key: k }, " +
            slow + " }\n")) == policies::least_request::Config{
                                   .choice_count = 5, .active_request_bias = 0.5, .slow_start_config = slow_start});
  const std::string hashing =
      "type: STRICT_DNS\ncommon_lb_config: { consistent_hashing_lb_config: { use_hostname_for_hashing: true, "
      "hash_balance_factor: 150 } }\n";
  const policies::ConsistentHashingLbConfig bounded{.use_hostname_for_hashing = true, .hash_balance_factor = 150};
  CHECK(as<policies::ring_hash::Config>(policy_of(hashing +
                                                  "lb_policy: RING_HASH\nring_hash_lb_config: { minimum_ring_size: 7, "
                                                  "maximum_ring_size: 9, hash_function: MURMUR_HASH_2 }\n")) ==
        policies::ring_hash::Config{policies::ring_hash::HashFunction::murmur_hash_2, 7, 9, bounded});
  CHECK(
      as<policies::maglev::Config>(policy_of(hashing + "lb_policy: MAGLEV\nmaglev_lb_config: { table_size: 11 }\n")) ==
      policies::maglev::Config{11, bounded});
  CHECK(as<policies::maglev::Config>(policy_of("lb_policy: MAGLEV\n")) == policies::maglev::Config{});
  CHECK_FALSE(as<policies::ring_hash::Config>(policy_of("lb_policy: RING_HASH\n")).hash_function.has_value());
}

TEST_CASE("Subsets hold the policy of the cluster within them", "[envoy]") {
  namespace subset = policies::subset;
  const auto config = as<subset::Config>(
      policy_of("lb_policy: RANDOM\nlb_subset_config:\n"
                "  fallback_policy: DEFAULT_SUBSET\n"
                "  default_subset: { stage: prod, number: 1, nothing: null }\n"
                "  subset_selectors: [{ keys: [a, b], fallback_policy: KEYS_SUBSET, fallback_keys_subset: [a] },"
                " { keys: [a], single_host_per_subset: true }]\n"
                "  locality_weight_aware: true\n  scale_locality_weight: true\n  panic_mode_any: true\n"
                "  list_as_any: true\n  metadata_fallback_policy: FALLBACK_LIST\n"
                "common_lb_config: { locality_weighted_lb_config: {} }\n"));
  CHECK(config.fallback_policy == subset::FallbackPolicy::default_subset);
  REQUIRE(config.default_subset.size() == 3);
  CHECK(*config.default_subset.find("number") == config::Value(1.0));
  CHECK(*config.default_subset.find("nothing") == config::Value());
  REQUIRE(config.subset_selectors.size() == 2);
  CHECK(config.subset_selectors[0] ==
        subset::Selector{{"a", "b"}, false, subset::SelectorFallbackPolicy::keys_subset, {"a"}});
  CHECK(config.subset_selectors[1] == subset::Selector{{"a"}, true});
  CHECK(config.locality_weight_aware);
  CHECK(config.scale_locality_weight);
  CHECK(config.panic_mode_any);
  CHECK(config.list_as_any);
  CHECK(config.metadata_fallback_policy == subset::MetadataFallbackPolicy::fallback_list);
  as<policies::random::Config>(config.subset_lb_policy.get().config);
  // Without selectors Envoy looks at none of it.
  as<policies::random::Config>(policy_of("lb_policy: RANDOM\nlb_subset_config: { fallback_policy: ANY_ENDPOINT }\n"));
}

TEST_CASE("A typed policy is read with all its settings and where it chooses localities", "[envoy]") {
  CHECK(as<policies::least_request::Config>(
            typed_policy("least_request.v3.LeastRequest", "choice_count: 1, selection_method: FULL_SCAN")) ==
        policies::least_request::Config{.choice_count = 1,
                                        .selection_method = policies::least_request::SelectionMethod::full_scan});
  const Scenario scenario = read_cluster(
      "load_balancing_policy: " +
      typed("ring_hash.v3.RingHash",
            "hash_function: XX_HASH, minimum_ring_size: 20, maximumRingSize: 30, consistent_hashing_lb_config: "
            "{ hash_balance_factor: 50, hash_policy: [{ header: { header_name: x-user, regex_rewrite: { pattern: "
            "{ regex: a }, substitution: b } }, terminal: true }, { cookie: { name: c, ttl: 60s, path: /p, attributes: "
            "[{ name: 'n', value: v }] } }, { connection_properties: { source_ip: true } }, { query_parameter: "
            "{ name: q } }, { filter_state: { key: k } }] }, locality_weighted_lb_config: {}") +
      "\n");
  const auto& cluster = scenario.services[0].cluster;
  CHECK(std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier));
  const auto& ring = as<policies::ring_hash::Config>(cluster.lb_policy);
  CHECK(ring.hash_function == policies::ring_hash::HashFunction::xx_hash);
  CHECK(ring.minimum_ring_size == 20);
  CHECK(ring.maximum_ring_size == 30);
  using namespace spillway::envoy::routes;
  const auto& hashing = ring.consistent_hashing_lb_config;
  CHECK(hashing.hash_balance_factor == 50);
  CHECK(hashing.hash_policy == std::vector<HashPolicy>{{HeaderHash{"x-user", RegexRewrite("a", "b")}, true},
                                                       {CookieHash{"c", 60, "/p", {{"n", "v"}}}},
                                                       {ConnectionPropertiesHash{true}},
                                                       {QueryParameterHash{"q"}},
                                                       {FilterStateHash{"k"}}});
  CHECK(as<policies::maglev::Config>(typed_policy("maglev.v3.Maglev", "table_size: \"5000077\"")).table_size ==
        5000077);
  const auto weighted = as<policies::client_side_weighted_round_robin::Config>(
      typed_policy("client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
                   "blackout_period: 1s, weight_expiration_period: 2s, weight_update_period: 3s, "
                   "error_utilization_penalty: -1, metric_names_for_computing_utilization: [named_metrics.x]"));
  CHECK(weighted == policies::client_side_weighted_round_robin::Config{1s, 2s, 3s, -1.0, {"named_metrics.x"}});
}

TEST_CASE("A typed policy holds the one within it", "[envoy]") {
  const std::string maglev = typed("maglev.v3.Maglev", "table_size: 7, locality_weighted_lb_config: {}");
  const Scenario scenario = read_cluster(
      "load_balancing_policy: " +
      typed("override_host.v3.OverrideHost",
            "override_host_sources: [{ header: x-host }, { metadata: { key: envoy.lb, path: [{ key: host }] } }], "
            "fallback_policy: " +
                typed("subset.v3.Subset",
                      "subset_selectors: [{ keys: [v] }], allow_redundant_keys: true, "
                      "subset_lb_policy: " +
                          maglev)) +
      "\n");
  const auto& cluster = scenario.services[0].cluster;
  CHECK(std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier));
  const auto& outer = as<policies::override_host::Config>(cluster.lb_policy);
  CHECK(outer.override_host_sources ==
        std::vector<policies::override_host::OverrideHostSource>{{"x-host"}, {"", "host"}});
  const auto& subsets = as<policies::subset::Config>(outer.fallback_policy.get().config);
  CHECK(subsets.allow_redundant_keys);
  CHECK(as<policies::maglev::Config>(subsets.subset_lb_policy.get().config).table_size == 7);
}

TEST_CASE("Endpoints of a document keep metadata and say whether they are checked", "[envoy]") {
  const Scenario scenario = read_cluster(
      "load_assignment: { cluster_name: c, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { "
      "address: 10.0.0.1, port_value: 80 } }, health_check_config: { disable_active_health_check: true, port_value: 81 "
      "} "
      "}, metadata: { filter_metadata: { envoy.lb: { version: 1.0, old: 1, text: \"1\", list: [a, null, { b: true }] "
      "}, "
      "other: { x: y } } } }] }] }\n");
  const config::LbEndpoint& endpoint = scenario.services[0].load_assignment.endpoints[0].lb_endpoints[0];
  CHECK(endpoint.disable_active_health_check);
  config::Struct inner;
  inner.set("b", true);
  config::Struct expected;
  expected.set("version", 1);
  expected.set("old", 1.0);
  expected.set("text", "1");
  expected.set("list", config::Value::List{"a", {}, inner});
  CHECK(endpoint.metadata == expected);
}

TEST_CASE("Endpoints of a scenario say metadata in either form with addresses and names", "[scenario]") {
  const Scenario scenario = test::accepted(test::scenario_with(
      "",
      "      - { id: one, zone: zone-1, address: '[2001:db8::1]:80', hostname: host-1, metadata: { version: \"1.0\" } "
      "}\n"
      "      - { count: 2, zone: zone-1, metadata: { filter_metadata: { envoy.lb: { version: \"1.0\" } } }, "
      "health_check_config: { disable_active_health_check: true } }\n"));
  const auto& first = scenario.services[0].load_assignment.endpoints[0].lb_endpoints[0];
  CHECK(first.address == "[2001:db8::1]:80");
  CHECK(first.hostname == "host-1");
  CHECK_FALSE(first.disable_active_health_check);
  CHECK(scenario.endpoints[0].id == "one");
  const auto& second = scenario.services[0].load_assignment.endpoints[1].lb_endpoints[0];
  CHECK(second.address == "backend-2");
  CHECK(second.metadata == first.metadata);
  CHECK(second.metadata.size() == 1);
  CHECK(second.disable_active_health_check);
}
