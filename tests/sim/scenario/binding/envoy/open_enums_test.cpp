// Numbers of enums that have no name, and long texts. Envoy does not validate typed balancing policies and takes any
// number in them; what it then does was asked of a live Envoy 1.40.0.
#include <catch2/catch.hpp>
#include <string>

#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/policy_config.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario::open_enums {
namespace {

namespace policies = envoy::policies;

Reading read_policy(const std::string& policy, const std::string& fields, const std::string& zone = "z") {
  const std::string text =
      "name: c\nload_balancing_policy: { policies: [{ typed_extension_config: { name: p, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.load_balancing_policies." +
      policy + ", " + fields +
      " } } }] }\nload_assignment: { cluster_name: c, endpoints: [{ locality: { zone: " + zone +
      " }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }\n";
  return read_envoy_texts({{"cluster.yaml", text}}, {});
}

template <class Config>
Config config_of(const std::string& policy, const std::string& fields) {
  const Reading reading = read_policy(policy, fields);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return std::get<Config>(reading.scenario->services.at(0).cluster.lb_policy);
}

std::string first_code(const std::string& policy, const std::string& fields) {
  const Reading reading = read_policy(policy, fields);
  return reading.diagnostics.empty() ? "" : reading.diagnostics.front().code;
}

const std::string within =
    "subset_lb_policy: { policies: [{ typed_extension_config: { name: q, typed_config: { \"@type\": "
    "type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random } } }] }, ";

}  // namespace

TEST_CASE("numbers of enums without a name act as Envoy takes them", "[envoy]") {
  using policies::subset::FallbackPolicy;
  using policies::subset::MetadataFallbackPolicy;
  using policies::subset::SelectorFallbackPolicy;
  CHECK_FALSE(config_of<policies::ring_hash::Config>("ring_hash.v3.RingHash", "hash_function: 9").hash_function);
  CHECK_FALSE(config_of<policies::ring_hash::Config>("ring_hash.v3.RingHash", "hash_function: -3").hash_function);
  const auto subsets = config_of<policies::subset::Config>(
      "subset.v3.Subset", within +
                              "fallback_policy: 9, metadata_fallback_policy: 9, subset_selectors: [{ keys: [v], "
                              "fallback_policy: 9 }]");
  CHECK(subsets.fallback_policy == FallbackPolicy::default_subset);
  CHECK(subsets.metadata_fallback_policy == MetadataFallbackPolicy::metadata_no_fallback);
  REQUIRE(subsets.subset_selectors.size() == 1);
  CHECK(subsets.subset_selectors[0].fallback_policy == SelectorFallbackPolicy::no_fallback);
}

TEST_CASE("numbers with which Envoy picks no host or ends are not simulated, and words are checked", "[envoy]") {
  CHECK(first_code("least_request.v3.LeastRequest", "selection_method: 7") == "SP302");
  CHECK(first_code("round_robin.v3.RoundRobin",
                   "locality_lb_config: { zone_aware_lb_config: { locality_basis: 9 } }") == "SP302");
  CHECK(first_code("ring_hash.v3.RingHash", "hash_function: NO_HASH") == "SP025");
  CHECK(first_code("ring_hash.v3.RingHash", "hash_function: 3000000000") == "SP022");
}

TEST_CASE("names of zones and other texts may be long", "[envoy]") {
  const std::string zone(5'000, 'z');
  const Reading reading = read_policy("random.v3.Random", "locality_lb_config: {}", zone);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK(reading.scenario);
}

}  // namespace spillway::scenario::open_enums
