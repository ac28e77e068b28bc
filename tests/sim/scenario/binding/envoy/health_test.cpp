// Active checks, breakers, outlier detection and original destinations arrive in the structs of their models, and the
// timeline says how endpoints fail.
#include <catch2/catch.hpp>

#include "models/envoy/cluster.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;

namespace {

envoy::Cluster checked_cluster(const std::string& rest) {
  const std::string text = "name: c\n" + rest;
  const Reading reading = read_envoy_texts({{"c.yaml", text}});
  INFO(text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return reading.scenario->services[0].cluster;
}

const std::string needed = "timeout: 0.5s, interval: 2s, unhealthy_threshold: 3, healthy_threshold: 4, ";

}  // namespace

TEST_CASE("A health check is read whole", "[envoy]") {
  const auto checks =
      checked_cluster("http2_protocol_options: {}\nhealth_checks: [{ name: one, " + needed +
                      "initial_jitter: 1s, interval_jitter: 3s, interval_jitter_percent: 10, "
                      "no_traffic_interval: 5s, no_traffic_healthy_interval: 6s, unhealthy_interval: 7s, "
                      "unhealthy_edge_interval: 8s, healthy_edge_interval: 9s, http_health_check: { host: h, "
                      "path: /check, method: POST, send: { text: '6A6b' }, receive: [{ binary: 'AGE=' }], "
                      "response_buffer_size: 7, expected_statuses: [{ start: 200, end: 300 }], "
                      "retriable_statuses: [{ start: 503, end: 504 }], service_name_matcher: { suffix: s, "
                      "ignore_case: true } } }, { name: two, " +
                      needed +
                      "tcp_health_check: { send: { text: '00' }, receive: [{ text: '01' }] } }, { name: three, " +
                      needed + "grpc_health_check: { service_name: s, authority: a } }]\n")
          .health_checks;
  REQUIRE(checks.size() == 3);
  const config::HealthCheck& one = checks[0];
  CHECK(one.name == "one");
  CHECK(one.timeout == 500ms);
  CHECK(one.interval == 2s);
  CHECK(one.unhealthy_threshold == 3);
  CHECK(one.healthy_threshold == 4);
  CHECK(one.initial_jitter == 1s);
  CHECK(one.interval_jitter == 3s);
  CHECK(one.interval_jitter_percent == 10);
  CHECK(one.no_traffic_interval == 5s);
  CHECK(one.no_traffic_healthy_interval == 6s);
  CHECK(one.unhealthy_interval == 7s);
  CHECK(one.unhealthy_edge_interval == 8s);
  CHECK(one.healthy_edge_interval == 9s);
  const auto& http = std::get<config::HttpHealthCheck>(one.health_checker);
  CHECK(http.host == "h");
  CHECK(http.path == "/check");
  CHECK(http.method == "POST");
  CHECK(http.send == "jk");
  CHECK(http.receive == std::vector<std::string>{std::string("\0a", 2)});
  CHECK(http.response_buffer_size == 7);
  REQUIRE(http.expected_statuses.size() == 1);
  CHECK(http.expected_statuses[0].end == 300);
  REQUIRE(http.retriable_statuses.size() == 1);
  CHECK(http.retriable_statuses[0].start == 503);
  REQUIRE(http.service_name_matcher.has_value());
  CHECK(http.service_name_matcher->pattern == config::ServiceNameMatcher::Pattern::suffix);
  CHECK(http.service_name_matcher->text == "s");
  CHECK(http.service_name_matcher->ignore_case);
  const auto& tcp = std::get<config::TcpHealthCheck>(checks[1].health_checker);
  CHECK(tcp.send == std::string(1, '\0'));
  CHECK(tcp.receive == std::vector<std::string>{"\x01"});
  CHECK(checks[1].no_traffic_interval == 60s);
  CHECK_FALSE(checks[1].unhealthy_interval.has_value());
  CHECK(std::get<config::GrpcHealthCheck>(checks[2].health_checker).service_name == "s");
  CHECK(std::get<config::GrpcHealthCheck>(checks[2].health_checker).authority == "a");
}

TEST_CASE("Circuit breakers are read whole", "[envoy]") {
  const auto breakers =
      checked_cluster(
          "circuit_breakers: { thresholds: [{ priority: HIGH, max_connections: 1, max_pending_requests: 2, "
          "max_requests: 3, max_retries: 4, max_connection_pools: 5, track_remaining: true, retry_budget: { "
          "budget_percent: { value: 12.5 }, min_retry_concurrency: 6 } }, {}], per_host_thresholds: [{ "
          "max_connections: 7 }] }\n")
          .circuit_breakers;
  REQUIRE(breakers.thresholds.size() == 2);
  const config::CircuitBreakerThresholds& high = breakers.thresholds[0];
  CHECK(high.priority == config::RoutingPriority::high);
  CHECK(high.max_connections == 1);
  CHECK(high.max_pending_requests == 2);
  CHECK(high.max_requests == 3);
  CHECK(high.max_retries == 4);
  CHECK(high.max_connection_pools == 5);
  REQUIRE(high.retry_budget.has_value());
  CHECK(high.retry_budget->budget_percent == config::Percent{12.5});
  CHECK(high.retry_budget->min_retry_concurrency == 6);
  CHECK_FALSE(breakers.thresholds[1].max_requests.has_value());
  REQUIRE(breakers.per_host_thresholds.size() == 1);
  CHECK(breakers.per_host_thresholds[0].max_connections == 7);
}

TEST_CASE("Outlier detection can judge connections apart", "[envoy]") {
  const auto detection = *checked_cluster(
                              "outlier_detection: { split_external_local_origin_errors: true, "
                              "consecutive_local_origin_failure: 1, enforcing_consecutive_local_origin_failure: "
                              "2, enforcing_local_origin_success_rate: 3, "
                              "enforcing_failure_percentage_local_origin: 4, "
                              "successful_active_health_check_uneject_host: false }\n")
                              .outlier_detection;
  CHECK(detection.split_external_local_origin_errors);
  CHECK(detection.consecutive_local_origin_failure == 1);
  CHECK(detection.enforcing_consecutive_local_origin_failure == 2);
  CHECK(detection.enforcing_local_origin_success_rate == 3);
  CHECK(detection.enforcing_failure_percentage_local_origin == 4);
  CHECK_FALSE(detection.successful_active_health_check_uneject_host);
  CHECK(checked_cluster("outlier_detection: {}\n").outlier_detection->successful_active_health_check_uneject_host);
}

TEST_CASE("A cluster says which hosts sessions may come back to and whether new hosts wait", "[envoy]") {
  const auto cluster = checked_cluster(
      "common_lb_config: { ignore_new_hosts_until_first_hc: true, override_host_status: { statuses: "
      "[DRAINING, HEALTHY] } }\n");
  CHECK(cluster.common_lb_config.ignore_new_hosts_until_first_hc);
  CHECK_FALSE(cluster.ignore_health_on_host_removal);
  CHECK(checked_cluster("ignore_health_on_host_removal: true\n").ignore_health_on_host_removal);
  CHECK(cluster.common_lb_config.override_host_status.has(config::HealthStatus::draining));
  CHECK(cluster.common_lb_config.override_host_status.has(config::HealthStatus::healthy));
  CHECK_FALSE(cluster.common_lb_config.override_host_status.has(config::HealthStatus::unknown));
  const auto by_default = checked_cluster("").common_lb_config.override_host_status;
  CHECK(by_default.has(config::HealthStatus::unknown));
  CHECK_FALSE(by_default.has(config::HealthStatus::draining));
}

TEST_CASE("A cluster of original destinations is read whole", "[envoy]") {
  const auto config =
      checked_cluster(
          "type: ORIGINAL_DST\nlb_policy: CLUSTER_PROVIDED\ncleanup_interval: 1.5s\noriginal_dst_lb_config: { "
          "use_http_header: true, http_header_name: x-dst, upstream_port_override: 81, metadata_key: { key: "
          "envoy.lb, path: [{ key: dst }] } }\n")
          .original_dst;
  REQUIRE(config.has_value());
  CHECK(*config == envoy::policies::original_dst::Config{true, "x-dst", true, static_cast<std::uint16_t>(81), 1500ms});
  const auto plain = checked_cluster(
      "type: ORIGINAL_DST\nload_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: { "
      "'@type': x/envoy.extensions.load_balancing_policies.cluster_provided.v3.ClusterProvided } } }] }\n");
  CHECK(plain.original_dst == envoy::policies::original_dst::Config{});
  CHECK_FALSE(checked_cluster("").original_dst.has_value());
}

TEST_CASE("The timeline says how endpoints fail and what they answer to checks", "[scenario]") {
  const auto changes =
      test::accepted(test::scenario_with("timeline:\n"
                                         "  - { at: 1s, zone: zone-1, fails: 50% }\n"
                                         "  - { at: 2s, zone: zone-1, fails: 50%, fails_with: 429 }\n"
                                         "  - { at: 3s, zone: zone-1, fails: 50%, fails_with: reset }\n"
                                         "  - { at: 4s, fails: 50%, fails_with: connect_failure }\n"
                                         "  - { at: 5s, fails: 50%, fails_with: no_answer }\n"
                                         "  - { at: 6s, zone: zone-2, answers_checks: degraded }\n"
                                         "  - { at: 7s, answers_checks: immediate_health_check_fail }\n"))
          .changes;
  REQUIRE(changes.size() == 7);
  const auto fails = [&](std::size_t i) { return std::get<Fails>(changes[i].effect); };
  CHECK(fails(0).failure == Failure::status);
  CHECK(fails(0).status == 503);
  CHECK(fails(0).hosts.size() == 10);
  CHECK(fails(1).status == 429);
  CHECK(fails(2).failure == Failure::reset);
  CHECK(fails(3).failure == Failure::connect_failure);
  CHECK(fails(4).failure == Failure::no_answer);
  const auto answers = [&](std::size_t i) { return std::get<AnswersChecks>(changes[i].effect); };
  CHECK(answers(5).answer == CheckAnswer::degraded);
  CHECK(answers(5).hosts.size() == 10);
  CHECK(answers(6).answer == CheckAnswer::immediate_health_check_fail);
  CHECK(answers(6).hosts.size() == 20);
}
