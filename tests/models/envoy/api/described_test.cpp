
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "models/documents/node_json.hpp"
#include "models/envoy/api/circuit_breakers.hpp"
#include "models/envoy/api/hash_policy.hpp"
#include "models/envoy/api/header_to_metadata.hpp"
#include "models/envoy/api/health_check.hpp"
#include "models/envoy/api/locality_lb_config.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/outlier_detection.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/api/retry_policy.hpp"

namespace spillway::messages {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
namespace policies = envoy::policies;
namespace routes = envoy::routes;

// What is read of what was written, written again.
template <class Shape>
json after_reading(const Shape& shape, const typename Shape::Value& value) {
  const documents::Node message = shape.write(value);
  typename Shape::Value again{};
  Diagnostics problems;
  REQUIRE(shape.read(message, again, "message", problems));
  REQUIRE(problems.empty());
  return json_of<json>(shape.write(again));
}

template <class T>
void check_round_trip(const T& value, const char* expected) {
  const json written = json_of<json>(write_message(value));
  CHECK(written == json::parse(expected));
  CHECK(after_reading(Message<T>{}, value) == written);
}

}  // namespace

TEST_CASE("a message is written with all that it says and read back as the same") {
  check_round_trip(
      config::CircuitBreakers{.thresholds = {{.priority = config::RoutingPriority::high,
                                              .max_connections = 7,
                                              .max_pending_requests = 8,
                                              .max_requests = 9,
                                              .max_retries = 1,
                                              .retry_budget = config::RetryBudget{config::Percent{12.5}, 4},
                                              .max_connection_pools = 2,
                                              .track_remaining = true}}},
      R"({"thresholds": [{"priority": "HIGH", "max_connections": 7, "max_pending_requests": 8,
                       "max_requests": 9, "max_retries": 1, "max_connection_pools": 2, "track_remaining": true,
                       "retry_budget": {"budget_percent": {"value": 12.5}, "min_retry_concurrency": 4}}]})");

  config::HealthCheck check;
  check.name = "live";
  check.timeout = 1500ms;
  check.interval = 1ns;
  check.unhealthy_threshold = 3;
  check.healthy_threshold = 2;
  check.health_checker = config::HttpHealthCheck{
      .host = "cart",
      .path = "/live",
      .method = "POST",
      .send = std::string("\x00\xff", 2),
      .receive = {"ok"},
      .response_buffer_size = 12,
      .expected_statuses = {{200, 300}},
      .service_name_matcher = config::ServiceNameMatcher{config::ServiceNameMatcher::Pattern::suffix, "art", true}};
  check_round_trip(check, R"({"name": "live", "timeout": "1.5s", "interval": "0.000000001s", "unhealthy_threshold": 3,
                       "healthy_threshold": 2, "initial_jitter": "0s", "interval_jitter": "0s", "interval_jitter_percent": 0,
                       "no_traffic_interval": "60s",
                       "http_health_check": {"host": "cart", "path": "/live", "method": "POST",
                         "send": {"text": "00ff"}, "receive": [{"text": "6f6b"}], "response_buffer_size": 12,
                         "expected_statuses": [{"start": 200, "end": 300}],
                         "service_name_matcher": {"suffix": "art", "ignore_case": true}}})");
  // What Envoy refuses is reported when it is read, not when it is written.
  check.healthy_threshold = std::nullopt;
  config::HealthCheck again;
  Diagnostics problems;
  CHECK(Message<config::HealthCheck>{}.read(write_message(check), again, "message", problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == "SP139");
  CHECK(problems[0].label == "HealthCheckValidationError.HealthyThreshold: value is required");
  check.health_checker = config::TcpHealthCheck{"a", {}};
  CHECK(json_of<json>(write_message(check)).at("tcp_health_check") == json::parse(R"({"send": {"text": "61"}})"));
}

TEST_CASE("what says nothing is not written and what has a default is") {
  const json detection = json_of<json>(write_message(config::OutlierDetection{}));
  CHECK_FALSE(detection.contains("max_ejection_time"));  // Envoy's depends on base_ejection_time
  CHECK(detection.at("consecutive_gateway_failure") == 5);
  CHECK(detection.at("enforcing_local_origin_success_rate") == 100);
  CHECK(json_of<json>(write_message(config::CircuitBreakers{})) == json::object());
  CHECK(json_of<json>(write_message(SettingsOf<policies::round_robin::Policy>{})) == json::object());
}

TEST_CASE("typed policies are written with how they choose a locality") {
  Typed<policies::ring_hash::Policy> ring;
  ring.config.hash_function = policies::ring_hash::HashFunction::murmur_hash_2;
  ring.config.minimum_ring_size = 3;
  ring.config.consistent_hashing_lb_config = {
      .hash_balance_factor = 130,
      .hash_policy = {{routes::CookieHash{"user", 60, "/", {{"a", "b"}}}, true}, {routes::ConnectionPropertiesHash{}}}};
  ring.locality = config::LocalityWeightedLbConfig{};
  check_round_trip(ring, R"({"hash_function": "MURMUR_HASH_2", "minimum_ring_size": 3, "maximum_ring_size": 8388608,
    "consistent_hashing_lb_config": {"use_hostname_for_hashing": false, "hash_balance_factor": 130, "hash_policy": [
      {"cookie": {"name": "user", "ttl": "60s", "path": "/", "attributes": [{"name": "a", "value": "b"}]},
       "terminal": true},
      {"connection_properties": {"source_ip": true}, "terminal": false}]},
    "locality_weighted_lb_config": {}})");

  Typed<policies::least_request::Policy> least;
  least.config = {.choice_count = 5,
                  .active_request_bias = 0.5,
                  .selection_method = policies::least_request::SelectionMethod::full_scan,
                  .slow_start_config = {.slow_start_window = 30s}};
  least.locality = config::ZoneAwareLbConfig{.routing_enabled = config::Percent{50.0},
                                             .force_local_zone = config::ForceLocalZone{2},
                                             .locality_basis = config::LocalityBasis::healthy_hosts_weight};
  check_round_trip(least, R"({"choice_count": 5, "selection_method": "FULL_SCAN",
    "active_request_bias": {"default_value": 0.5, "runtime_key": "spillway.unset"},
    "slow_start_config": {"slow_start_window": "30s", "min_weight_percent": {"value": 10.0},
                          "aggression": {"default_value": 1.0, "runtime_key": "spillway.unset"}},
    "locality_lb_config": {"zone_aware_lb_config": {"routing_enabled": {"value": 50.0}, "min_cluster_size": 6,
      "fail_traffic_on_panic": false, "force_local_zone": {"min_size": 2},
      "locality_basis": "HEALTHY_HOSTS_WEIGHT"}}})");
}

TEST_CASE("subsets are written with what their metadata may be") {
  policies::subset::Config subsets;
  subsets.default_subset.set("stage", "prod");
  subsets.default_subset.set("ports", config::Value::List{1.0, true, "x"});
  subsets.subset_selectors = {{.keys = {"stage"}, .single_host_per_subset = true}};
  check_round_trip(SettingsOf<policies::subset::Policy>{subsets}, R"({"fallback_policy": "NO_FALLBACK",
    "default_subset": {"stage": "prod", "ports": [1.0, true, "x"]},
    "subset_selectors": [{"keys": ["stage"], "single_host_per_subset": true, "fallback_policy": "NOT_DEFINED"}],
    "locality_weight_aware": false, "scale_locality_weight": false, "panic_mode_any": false, "list_as_any": false,
    "metadata_fallback_policy": "METADATA_NO_FALLBACK"})");
}

TEST_CASE("a retry policy is written with its extensions") {
  config::RetryPolicy policy;
  policy.retry_on = config::parse_retry_on("5xx,reset");
  policy.per_try_timeout = 250ms;
  policy.previous_priorities_update_frequency = 2;
  config::Struct canary;
  canary.set("stage", "canary");
  policy.retry_host_predicate = {config::PreviousHosts{}, config::OmitHostMetadata{canary}};
  policy.retriable_status_codes = {503, 504};
  policy.retriable_headers = {"x-again"};
  policy.retry_back_off.max_interval = 1s;
  check_round_trip(policy, R"({"retry_on": "5xx,reset", "num_retries": 1, "per_try_timeout": "0.25s",
    "retry_priority": {"name": "envoy.retry_priorities.previous_priorities", "typed_config": {
      "@type": "type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig",
      "update_frequency": 2}},
    "retry_host_predicate": [
      {"name": "envoy.retry_host_predicates.previous_hosts", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"}},
      {"name": "envoy.retry_host_predicates.omit_host_metadata", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig",
        "metadata_match": {"filter_metadata": {"envoy.lb": {"stage": "canary"}}}}}],
    "host_selection_retry_max_attempts": 1, "retriable_status_codes": [503, 504],
    "retry_back_off": {"base_interval": "0.025s", "max_interval": "1s"},
    "retriable_headers": [{"name": "x-again", "present_match": true}]})");
}

TEST_CASE("a filter that makes metadata of headers is written with its rules") {
  routes::HeaderToMetadata filter;
  filter.request_rules = {{.header = "x-version",
                           .on_present = routes::HeaderToMetadata::KeyValuePair{
                               .metadata_namespace = "envoy.lb",
                               .key = "version",
                               .regex_value_rewrite = routes::RegexRewrite("^v(.*)$", "\\1"),
                               .base64 = true}}};
  check_round_trip(filter, R"({"request_rules": [{"header": "x-version", "remove": false, "on_header_present": {
    "metadata_namespace": "envoy.lb", "key": "version", "type": "STRING", "encode": "BASE64",
    "regex_value_rewrite": {"pattern": {"regex": "^v(.*)$"}, "substitution": "\\1"}}}]})");
}

TEST_CASE("a described message knows where its fields stand whichever way they are spelt") {
  documents::Node check;
  check.kind = documents::Kind::object;
  documents::Node name = grammar::Text{}.write("live");
  name.span = {0, 7, 3, 4};
  documents::Node threshold = grammar::Whole{}.write(3);
  threshold.span = {0, 8, 3, 1};
  check.members = {{"name", {}, name}, {"unhealthyThreshold", {}, threshold}};
  Described<config::HealthCheck> read;
  Diagnostics problems;
  REQUIRE(grammar::Record<Described<config::HealthCheck>>{}.read(check, read, "health check", problems));
  CHECK(read.unhealthy_threshold == 3);
  CHECK(read.source.place_of("unhealthy_threshold")->line == 8);
  CHECK_FALSE(read.source.place_of("timeout"));
  CHECK_FALSE(read.sound);  // it says not how to check
}

}  // namespace spillway::messages
