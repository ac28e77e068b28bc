#include "sim/scenario/pasted/backend_traffic_policy.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <tuple>

#include "models/documents/parse.hpp"

using spillway::Diagnostics;
using spillway::scenario::pasted::gateway_settings;
using spillway::scenario::pasted::GatewaySettings;
using spillway::scenario::pasted::Json;
using spillway::scenario::pasted::merged_spec;

namespace {

spillway::documents::Node spec_of(const std::string& text) {
  spillway::Sources sources{{"policy.yaml", text}};
  Diagnostics problems;
  auto parsed = spillway::documents::parse_documents(sources, 0, problems);
  REQUIRE(parsed);
  return parsed->items.front();
}

GatewaySettings settings_of(const std::string& text) {
  Diagnostics problems;
  const auto spec = spec_of(text);
  GatewaySettings settings = gateway_settings(&spec, 0, problems);
  CHECK(problems.empty());
  return settings;
}

const Json& typed_config(const GatewaySettings& settings) {
  return settings.cluster.at("load_balancing_policy")["policies"][0]["typed_extension_config"]["typed_config"];
}

}  // namespace

// internal/xds/translator/testdata/out/xds-ir/circuit-breaker.clusters.yaml of Envoy Gateway
TEST_CASE("Circuit breakers of Envoy Gateway are those of its golden file") {
  const GatewaySettings settings = settings_of(
      "circuitBreaker:\n  maxConnections: 1\n  maxPendingRequests: 1\n  maxParallelRequests: 1\n"
      "  maxParallelRetries: 2\n  maxRequestsPerConnection: 10\n  perEndpoint: { maxConnections: 1 }\n"
      "  retryBudget: { percent: { numerator: 10, denominator: 100 }, minRetryConcurrency: 1 }\n");
  CHECK(settings.cluster.at("circuit_breakers") ==
        Json::parse(R"({"thresholds": [{"max_retries": 2, "max_connections": 1, "max_pending_requests": 1,
                        "max_requests": 1, "retry_budget": {"min_retry_concurrency": 1,
                        "budget_percent": {"value": 10.0}}}], "per_host_thresholds": [{"max_connections": 1}]})"));
  CHECK(settings.cluster.at("ignore_health_on_host_removal") == true);
}

TEST_CASE(
    "Without a policy Envoy Gateway has least request by locality weights, 1,024 retries at once and no retry policy") {
  Diagnostics problems;
  const GatewaySettings settings = gateway_settings(nullptr, 0, problems);
  CHECK(typed_config(settings).at("@type").get<std::string>().ends_with("least_request.v3.LeastRequest"));
  CHECK(typed_config(settings).at("locality_lb_config").contains("locality_weighted_lb_config"));
  CHECK(settings.cluster.at("circuit_breakers")["thresholds"][0]["max_retries"] == 1024);
  CHECK_FALSE(settings.action.contains("retry_policy"));
  CHECK_FALSE(settings.cluster.contains("outlier_detection"));
  CHECK_FALSE(settings.by_zone());
}

TEST_CASE("An empty `retry`, `passive` and `active` have the defaults of the CRD and of the translator") {
  const GatewaySettings settings = settings_of("retry: {}\nhealthCheck: { passive: {}, active: { type: TCP } }\n");
  const Json& retries = settings.action.at("retry_policy");
  CHECK(retries.at("num_retries") == 2);
  CHECK(retries.at("retriable_status_codes") == Json::array({503}));
  CHECK(retries.at("retry_on") == "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes");
  CHECK(retries.at("host_selection_retry_max_attempts") == 5);
  const Json& detection = settings.cluster.at("outlier_detection");
  CHECK(detection.at("consecutive_5xx") == 5);
  CHECK(detection.at("interval") == "3s");
  CHECK_FALSE(detection.contains("enforcing_success_rate"));  // Envoy's own: enforced
  const Json& check = settings.cluster.at("health_checks")[0];
  CHECK(check.at("unhealthy_threshold") == 3);
  CHECK(check.contains("tcp_health_check"));
}

TEST_CASE("`retryOn` without status codes retries none by its code") {
  const GatewaySettings settings =
      settings_of("retry: { retryOn: { triggers: [5xx, reset] }, numAttemptsPerPriority: 3 }\n");
  const Json& retries = settings.action.at("retry_policy");
  CHECK(retries.at("retry_on") == "5xx,reset");
  CHECK_FALSE(retries.contains("retriable_status_codes"));
  CHECK(retries.at("retry_priority")["typed_config"]["update_frequency"] == 3);
}

TEST_CASE("Zones come from the policy or from the Service, and weights of zones from the policy") {
  const GatewaySettings empty =
      settings_of("loadBalancer: { type: RoundRobin, zoneAware: { preferLocal: { force: {} } } }\n");
  CHECK(empty.by_zone());
  CHECK(typed_config(empty).at("locality_lb_config")["zone_aware_lb_config"] ==
        Json::parse(R"({"min_cluster_size": 6, "force_local_zone": {"min_size": 1}})"));
  Diagnostics problems;
  CHECK(typed_config(gateway_settings(nullptr, 3, problems)).at("locality_lb_config")["zone_aware_lb_config"] ==
        Json::parse(R"({"min_cluster_size": 3, "force_local_zone": {"min_size": 3}})"));
  const GatewaySettings weighted = settings_of(
      "loadBalancer: { type: ConsistentHash, consistentHash: { type: Header, header: { name: x-user }, tableSize: 5011 "
      "},"
      " zoneAware: { weightedZones: [{ zone: a, weight: 7 }] } }\n");
  CHECK(weighted.zone_weights.at("a") == 7);
  CHECK(typed_config(weighted).at("table_size") == 5011);
  CHECK(typed_config(weighted).contains("locality_weighted_lb_config"));
  CHECK(weighted.action.at("hash_policy") == Json::parse(R"([{"header": {"header_name": "x-user"}}])"));
}

TEST_CASE("A balancer below `endpointOverride` has no settings") {
  const GatewaySettings settings = settings_of(
      "loadBalancer: { type: RoundRobin, slowStart: { window: 1m }, endpointOverride: { extractFrom: [{ header: x-to "
      "}] } }\n");
  CHECK(typed_config(settings).at("override_host_sources") == Json::parse(R"([{"header": "x-to"}])"));
  const Json& below =
      typed_config(settings).at("fallback_policy")["policies"][0]["typed_extension_config"]["typed_config"];
  CHECK(below.size() == 1);
}

TEST_CASE("Unknown keys and values of another kind of a BackendTrafficPolicy have their lines") {
  for (const auto& [text, code, line] : {std::tuple{"circuitBreaker:\n  maxConection: 1\n", "SP020", 2},
                                         std::tuple{"retry:\n  numRetries: many\n", "SP022", 2},
                                         std::tuple{"timeout:\n  http:\n    requestTimeout: 5 seconds\n", "SP024", 3},
                                         std::tuple{"loadBalancer:\n  dynamicModule: { name: a }\n", "SP301", 2}}) {
    CAPTURE(text);
    Diagnostics problems;
    const auto spec = spec_of(text);
    static_cast<void>(gateway_settings(&spec, 0, problems));
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().code == code);
    CHECK(problems.front().where.line == static_cast<std::uint32_t>(line));
  }
}

TEST_CASE("A policy of a route that is merged keeps the gateway's other fields") {
  const auto merged = merged_spec(spec_of("retry: { numRetries: 5 }\ncircuitBreaker: { maxConnections: 7 }\n"),
                                  spec_of("circuitBreaker: { maxParallelRequests: 3 }\n"));
  Diagnostics problems;
  const GatewaySettings settings = gateway_settings(&merged, 0, problems);
  CHECK(settings.action.at("retry_policy")["num_retries"] == 5);
  CHECK(settings.cluster.at("circuit_breakers")["thresholds"][0]["max_connections"] == 7);
  CHECK(settings.cluster.at("circuit_breakers")["thresholds"][0]["max_requests"] == 3);
}

TEST_CASE("The delay of a fault of Envoy Gateway is that of Envoy's filter, and an abort is named") {
  const GatewaySettings part =
      settings_of("faultInjection: { delay: { fixedDelay: 5400ms, percentage: 80.5 }, abort: { httpStatus: 503 } }\n");
  CHECK(part.delay ==
        Json::parse(R"({"percentage": {"numerator": 805000, "denominator": "MILLION"}, "fixed_delay": "5.4s"})"));
  CHECK(part.left_out.size() == 1);
  const GatewaySettings all = settings_of("faultInjection: { delay: { fixedDelay: 1s } }\n");
  CHECK(all.delay == Json::parse(R"({"percentage": {"numerator": 100}, "fixed_delay": "1s"})"));
  CHECK(settings_of("retry: { numRetries: 1 }\n").delay.is_null());
}
