#include "models/kuma/mesh_circuit_breaker.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/config/circuit_breakers.hpp"
#include "models/config/common_lb_config.hpp"
#include "models/kuma/policy_confs.hpp"
#include "models/kuma/validation.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using config::KumaProfile;
using Violations = std::vector<kuma::Violation>;

namespace {

struct Cluster {
  config::CircuitBreakers circuit_breakers;
  std::optional<config::OutlierDetection> outlier_detection;
  config::CommonLbConfig common_lb_config;
};

Cluster applied(const kuma::CircuitBreakerConf& conf) {
  Cluster cluster;
  kuma::apply(conf, {cluster.circuit_breakers, cluster.outlier_detection, cluster.common_lb_config});
  return cluster;
}

kuma::CircuitBreakerConf detecting(kuma::Detectors detectors) {
  kuma::CircuitBreakerConf conf;
  conf.outlierDetection.emplace().detectors = std::move(detectors);
  return conf;
}

kuma::MeshCircuitBreaker policy(kuma::CircuitBreakerConf conf, kuma::TargetRef to = {.kind = "Mesh"}) {
  kuma::MeshCircuitBreaker result{.name = "p"};
  result.to.emplace().push_back({std::move(to), std::move(conf)});
  return result;
}

Violations violations(kuma::CircuitBreakerConf conf) {
  return kuma::validate(policy(std::move(conf)), {}, KumaProfile::release_2_14);
}

// Of what a policy says beside `to`, which it does not have.
Violations inbound_violations(const kuma::InboundCircuitBreaker& inbound,
                              KumaProfile profile = KumaProfile::release_2_14) {
  return kuma::validate({.name = "p"}, inbound, profile);
}

kuma::TargetedItem<kuma::CircuitBreakerConf> from_item(const std::string& kind, kuma::CircuitBreakerConf conf) {
  return {kuma::TargetRef{.kind = kind}, std::move(conf)};
}

}  // namespace

TEST_CASE("connection limits go to the thresholds of the default priority, and nothing else changes") {
  const Cluster cluster = applied(kuma::default_circuit_breaker());
  REQUIRE(cluster.circuit_breakers.thresholds.size() == 1);
  const auto& thresholds = cluster.circuit_breakers.thresholds[0];
  CHECK(thresholds.priority == config::RoutingPriority::default_priority);
  CHECK(thresholds.max_connections == 1024U);
  CHECK(thresholds.max_pending_requests == 1024U);
  CHECK(thresholds.max_requests == 1024U);
  CHECK(thresholds.max_retries == 3U);
  CHECK_FALSE(thresholds.max_connection_pools);
  CHECK(thresholds.track_remaining);
  CHECK_FALSE(cluster.outlier_detection);
}

TEST_CASE("each connection limit has a field of its own at Envoy") {
  kuma::CircuitBreakerConf conf;
  conf.connectionLimits = kuma::ConnectionLimits{1U, 2U, 3U, 4U, 5U};
  const Cluster cluster = applied(conf);
  REQUIRE(cluster.circuit_breakers.thresholds.size() == 1);
  const auto& thresholds = cluster.circuit_breakers.thresholds[0];
  CHECK(thresholds.max_connections == 1U);
  CHECK(thresholds.max_connection_pools == 2U);
  CHECK(thresholds.max_pending_requests == 3U);
  CHECK(thresholds.max_retries == 4U);
  CHECK(thresholds.max_requests == 5U);
}

TEST_CASE("a later circuit breaker says what it says, and leaves the rest as it was") {
  kuma::CircuitBreakerConf all;
  all.connectionLimits = kuma::ConnectionLimits{1U, 2U, 3U, 4U, 5U};
  kuma::OutlierDetection& detection = all.outlierDetection.emplace();
  detection = {.disabled = false,
               .interval = 1s,
               .baseEjectionTime = 2s,
               .maxEjectionPercent = 3U,
               .splitExternalAndLocalErrors = true,
               .detectors = kuma::Detectors{.totalFailures = kuma::ConsecutiveDetector{1U},
                                            .gatewayFailures = kuma::ConsecutiveDetector{2U},
                                            .localOriginFailures = kuma::ConsecutiveDetector{3U},
                                            .successRate = kuma::SuccessRateDetector{1U, 2U, 3},
                                            .failurePercentage = kuma::FailurePercentageDetector{1U, 2U, 3U}},
               .healthyPanicThreshold = kuma::IntOrString(4)};
  kuma::CircuitBreakerConf merged;
  kuma::merge_patch(merged, all);
  CHECK(merged == all);
  kuma::merge_patch(merged, {});
  CHECK(merged == all);
  kuma::CircuitBreakerConf other;
  other.connectionLimits = kuma::ConnectionLimits{6U, 7U, 8U, 9U, 10U};
  other.outlierDetection = kuma::OutlierDetection{
      .disabled = true,
      .interval = 5s,
      .baseEjectionTime = 6s,
      .maxEjectionPercent = 7U,
      .splitExternalAndLocalErrors = false,
      .detectors = kuma::Detectors{.totalFailures = kuma::ConsecutiveDetector{4U},
                                   .gatewayFailures = kuma::ConsecutiveDetector{5U},
                                   .localOriginFailures = kuma::ConsecutiveDetector{6U},
                                   .successRate = kuma::SuccessRateDetector{4U, 5U, 6},
                                   .failurePercentage = kuma::FailurePercentageDetector{4U, 5U, 6U}},
      .healthyPanicThreshold = kuma::IntOrString(8)};
  kuma::merge_patch(merged, other);
  CHECK(merged == other);
}

TEST_CASE("a detector that is written ejects every time, one that is not never does") {
  const Cluster cluster = applied(detecting(
      {.totalFailures = kuma::ConsecutiveDetector{.consecutive = 7U}, .gatewayFailures = kuma::ConsecutiveDetector{}}));
  REQUIRE(cluster.outlier_detection);
  const config::OutlierDetection& detection = *cluster.outlier_detection;
  CHECK(detection.enforcing_consecutive_5xx == 100);
  CHECK(detection.consecutive_5xx == 7);
  CHECK(detection.enforcing_consecutive_gateway_failure == 0);  // without a number
  CHECK(detection.enforcing_consecutive_local_origin_failure == 0);
  CHECK(detection.enforcing_success_rate == 0);
  CHECK(detection.enforcing_local_origin_success_rate == 0);
  CHECK(detection.enforcing_failure_percentage == 0);
  CHECK(detection.interval == 10s);  // Envoy's own
  CHECK(detection.base_ejection_time == 30s);
  CHECK(detection.max_ejection_percent == 10);
}

TEST_CASE("every number of outlier detection reaches Envoy's field") {
  kuma::CircuitBreakerConf conf = detecting({.totalFailures = {},
                                             .gatewayFailures = kuma::ConsecutiveDetector{.consecutive = 2U},
                                             .localOriginFailures = kuma::ConsecutiveDetector{.consecutive = 3U},
                                             .successRate = kuma::SuccessRateDetector{4U, 5U, kuma::IntOrString("1.9")},
                                             .failurePercentage = kuma::FailurePercentageDetector{6U, 7U, 8U}});
  conf.outlierDetection->interval = 5s;
  conf.outlierDetection->baseEjectionTime = 20s;
  conf.outlierDetection->maxEjectionPercent = 50U;
  conf.outlierDetection->splitExternalAndLocalErrors = true;
  conf.outlierDetection->healthyPanicThreshold = kuma::IntOrString("12.5");
  const Cluster cluster = applied(conf);
  REQUIRE(cluster.outlier_detection);
  const config::OutlierDetection& detection = *cluster.outlier_detection;
  CHECK(detection.interval == 5s);
  CHECK(detection.base_ejection_time == 20s);
  CHECK(detection.max_ejection_percent == 50);
  CHECK(detection.split_external_local_origin_errors);
  CHECK(detection.enforcing_consecutive_gateway_failure == 100);
  CHECK(detection.consecutive_gateway_failure == 2);
  CHECK(detection.enforcing_consecutive_local_origin_failure == 100);
  CHECK(detection.consecutive_local_origin_failure == 3);
  CHECK(detection.enforcing_success_rate == 100);
  CHECK(detection.success_rate_minimum_hosts == 4);
  CHECK(detection.success_rate_request_volume == 5);
  CHECK(detection.success_rate_stdev_factor == 1900);
  CHECK(detection.enforcing_failure_percentage == 100);
  CHECK(detection.enforcing_failure_percentage_local_origin == 100);
  CHECK(detection.failure_percentage_minimum_hosts == 6);
  CHECK(detection.failure_percentage_request_volume == 7);
  CHECK(detection.failure_percentage_threshold == 8);
  CHECK(cluster.common_lb_config.healthy_panic_threshold == config::Percent{12.5});
}

TEST_CASE("disabled outlier detection leaves the panic threshold alone too") {
  kuma::CircuitBreakerConf conf = detecting({.totalFailures = kuma::ConsecutiveDetector{.consecutive = 1U}});
  conf.outlierDetection->disabled = true;
  conf.outlierDetection->healthyPanicThreshold = 1;
  const Cluster cluster = applied(conf);
  CHECK_FALSE(cluster.outlier_detection);
  CHECK(cluster.common_lb_config.healthy_panic_threshold == config::Percent{50.0});
}

TEST_CASE("the conf of a destination is merged out of all policies that reach it, the specific one last") {
  kuma::CircuitBreakerConf mesh_wide = kuma::default_circuit_breaker();
  kuma::CircuitBreakerConf special;
  special.connectionLimits.emplace().maxRequests = 1U;
  special.outlierDetection.emplace().interval = 3s;
  const kuma::PolicySet<kuma::CircuitBreakerConf> set(
      {policy(special, {.kind = "MeshService", .labels = kuma::Tags{{"app", "b"}}}), policy(mesh_wide)});
  const kuma::Client client{.name = "c", .zone = "zone-1"};
  const auto found = set.of_resource(client, {.kind = "MeshService", .name = "b", .labels = {{"app", "b"}}},
                                     KumaProfile::release_2_14);
  REQUIRE(found);
  CHECK(found->origins == std::vector<kuma::RuleOrigin>{{1, 0}, {0, 0}});
  CHECK(found->conf.connectionLimits->maxRequests == 1U);
  CHECK(found->conf.connectionLimits->maxConnections == 1024U);
  CHECK(found->conf.outlierDetection->interval == 3s);
  const auto other = set.of_tag(client, "other", KumaProfile::release_2_14);
  REQUIRE(other);
  CHECK(other->conf == mesh_wide);
}

TEST_CASE("a circuit breaker is refused in Kuma's words") {
  const std::string at = "spec.to[0].default";
  CHECK(violations({}) ==
        Violations{{at, "at least one of: 'connectionLimits' or 'outlierDetection' should be configured"}});
  kuma::CircuitBreakerConf limits;
  limits.connectionLimits.emplace().maxRetries = 0U;
  CHECK(violations(limits) == Violations{{at + ".connectionLimits.maxRetries", "must be greater than 0"}});
  kuma::CircuitBreakerConf nothing;
  nothing.outlierDetection.emplace();
  CHECK(violations(nothing) == Violations{{at + ".outlierDetection.detectors", "must be defined"}});
  CHECK(violations(detecting({})) ==
        Violations{{at + ".outlierDetection.detectors",
                    "must have at least one defined: totalFailures, gatewayFailures, localOriginFailures, successRate, "
                    "failurePercentage"}});
  kuma::CircuitBreakerConf numbers = detecting({.successRate = kuma::SuccessRateDetector{0U, {}, 0}});
  numbers.outlierDetection->interval = 0s;
  numbers.outlierDetection->maxEjectionPercent = 101U;
  numbers.outlierDetection->healthyPanicThreshold = kuma::IntOrString("x");
  const std::string detection = at + ".outlierDetection";
  CHECK(violations(numbers) ==
        Violations{{detection + ".interval", "must be greater than zero when defined"},
                   {detection + ".maxEjectionPercent", "must be in inclusive range [0, 100]"},
                   {detection + ".healthyPanicThreshold", "string must be a valid number"},
                   {detection + ".detectors.successRate.minimumHosts", "must be greater than 0"},
                   {detection + ".detectors.successRate.standardDeviationFactor", "must be greater than 0"}});
  CHECK(violations(detecting({.failurePercentage = kuma::FailurePercentageDetector{0U, 0U, 101U}})) ==
        Violations{{detection + ".detectors.failurePercentage.minimumHosts", "must be greater than 0"},
                   {detection + ".detectors.failurePercentage.requestVolume", "must be greater than 0"},
                   {detection + ".detectors.failurePercentage.threshold", "must be in inclusive range [0, 100]"}});
  CHECK(kuma::validate(policy(kuma::default_circuit_breaker(), {.kind = "MeshHTTPRoute", .name = "r"}), {},
                       KumaProfile::release_2_14) ==
        Violations{{"spec.to[0].targetRef.kind", "value 'MeshHTTPRoute' is not supported"}});
}

// meshcircuitbreaker/api/v1alpha1/validator.go of v2.14.3 and of head.
TEST_CASE("a circuit breaker without anything is refused, by each version in its words") {
  CHECK(inbound_violations({}) == Violations{{"spec", "at least one of 'from', 'to' or 'rules' has to be defined"}});
  CHECK(inbound_violations({}, KumaProfile::head) ==
        Violations{{"spec", "at least one of 'to' or 'rules' has to be defined"}});
  kuma::MeshCircuitBreaker empty_list{.name = "p"};
  empty_list.to.emplace();
  CHECK(kuma::validate(empty_list, {}, KumaProfile::release_2_14) ==
        Violations{{"spec", "at least one of 'from', 'to' or 'rules' has to be defined"}});
}

TEST_CASE("rules of a circuit breaker stand alone in 2.14 and beside `to` in head") {
  const kuma::InboundCircuitBreaker rules{.rules = {{kuma::default_circuit_breaker()}}};
  const auto with_to = policy(kuma::default_circuit_breaker());
  const Violations mixed = {{"spec", "fields 'to' and 'from' must be empty when 'rules' is defined"}};
  CHECK(inbound_violations(rules).empty());
  CHECK(kuma::validate(with_to, rules, KumaProfile::release_2_14) == mixed);
  CHECK(kuma::validate(with_to, rules, KumaProfile::head).empty());
  kuma::InboundCircuitBreaker both = rules;
  both.from = {from_item("Mesh", kuma::default_circuit_breaker())};
  CHECK(inbound_violations(both) == mixed);
}

TEST_CASE("what a circuit breaker says of incoming requests is checked as what it says of outgoing ones is") {
  kuma::CircuitBreakerConf none;
  none.connectionLimits.emplace().maxConnections = 0U;
  CHECK(inbound_violations({.rules = {{none}}}) ==
        Violations{{"spec.rules[0].default.connectionLimits.maxConnections", "must be greater than 0"}});
  CHECK(inbound_violations({.from = {from_item("Mesh", {})}}) ==
        Violations{{"spec.from[0].default",
                    "at least one of: 'connectionLimits' or 'outlierDetection' should be configured"}});
  CHECK(inbound_violations({.from = {from_item("MeshService", kuma::default_circuit_breaker())}}) ==
        Violations{{"spec.from[0].targetRef.kind", "value 'MeshService' is not supported"}});
}

TEST_CASE("head has no `from`: a circuit breaker of that alone says nothing there") {
  CHECK(inbound_violations({.from = {from_item("MeshService", {})}}, KumaProfile::head) ==
        Violations{{"spec", "at least one of 'to' or 'rules' has to be defined"}});
}

TEST_CASE("a dataplane's port may be named by what is about incoming requests alone") {
  kuma::MeshCircuitBreaker of_port{.name = "p",
                                   .targetRef = kuma::TargetRef{.kind = "Dataplane", .sectionName = "http"}};
  const kuma::InboundCircuitBreaker rules{.rules = {{kuma::default_circuit_breaker()}}};
  for (const KumaProfile profile : {KumaProfile::release_2_14, KumaProfile::head}) {
    CHECK(kuma::validate(of_port, rules, profile).empty());
  }
  CHECK(
      kuma::validate(of_port, {.from = {from_item("Mesh", kuma::default_circuit_breaker())}}, KumaProfile::release_2_14)
          .empty());
  of_port.to.emplace().push_back({kuma::TargetRef{.kind = "Mesh"}, kuma::default_circuit_breaker()});
  CHECK(kuma::validate(of_port, {}, KumaProfile::head) ==
        Violations{{"spec.targetRef.sectionName", "can only be used with inbound policies"}});
}
