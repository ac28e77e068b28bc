#include "models/kuma/mesh_circuit_breaker.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "models/config/circuit_breakers.hpp"
#include "models/config/common_lb_config.hpp"
#include "models/kuma/decimal.hpp"
#include "models/kuma/merge_fields.hpp"
#include "models/kuma/policy_checks.hpp"
#include "models/kuma/target_ref_validation.hpp"

namespace spillway::kuma {

namespace {

void merge_limits(ConnectionLimits& limits, const ConnectionLimits& patch) {
  replace(limits.maxConnections, patch.maxConnections);
  replace(limits.maxConnectionPools, patch.maxConnectionPools);
  replace(limits.maxPendingRequests, patch.maxPendingRequests);
  replace(limits.maxRetries, patch.maxRetries);
  replace(limits.maxRequests, patch.maxRequests);
}

void merge_consecutive(ConsecutiveDetector& detector, const ConsecutiveDetector& patch) {
  replace(detector.consecutive, patch.consecutive);
}

void merge_success_rate(SuccessRateDetector& detector, const SuccessRateDetector& patch) {
  replace(detector.minimumHosts, patch.minimumHosts);
  replace(detector.requestVolume, patch.requestVolume);
  replace(detector.standardDeviationFactor, patch.standardDeviationFactor);
}

void merge_failure_percentage(FailurePercentageDetector& detector, const FailurePercentageDetector& patch) {
  replace(detector.minimumHosts, patch.minimumHosts);
  replace(detector.requestVolume, patch.requestVolume);
  replace(detector.threshold, patch.threshold);
}

void merge_detectors(Detectors& detectors, const Detectors& patch) {
  merge(detectors.totalFailures, patch.totalFailures, merge_consecutive);
  merge(detectors.gatewayFailures, patch.gatewayFailures, merge_consecutive);
  merge(detectors.localOriginFailures, patch.localOriginFailures, merge_consecutive);
  merge(detectors.successRate, patch.successRate, merge_success_rate);
  merge(detectors.failurePercentage, patch.failurePercentage, merge_failure_percentage);
}

void merge_outlier_detection(OutlierDetection& detection, const OutlierDetection& patch) {
  replace(detection.disabled, patch.disabled);
  replace(detection.interval, patch.interval);
  replace(detection.baseEjectionTime, patch.baseEjectionTime);
  replace(detection.maxEjectionPercent, patch.maxEjectionPercent);
  replace(detection.splitExternalAndLocalErrors, patch.splitExternalAndLocalErrors);
  merge(detection.detectors, patch.detectors, merge_detectors);
  replace(detection.healthyPanicThreshold, patch.healthyPanicThreshold);
}

config::CircuitBreakerThresholds& default_thresholds(config::CircuitBreakers& breakers) {
  for (config::CircuitBreakerThresholds& thresholds : breakers.thresholds) {
    if (thresholds.priority == config::RoutingPriority::default_priority) {
      return thresholds;
    }
  }
  return breakers.thresholds.emplace_back();
}

void set_limits(const ConnectionLimits& limits, config::CircuitBreakerThresholds& thresholds) {
  replace(thresholds.max_connections, limits.maxConnections);
  replace(thresholds.max_connection_pools, limits.maxConnectionPools);
  replace(thresholds.max_pending_requests, limits.maxPendingRequests);
  replace(thresholds.max_retries, limits.maxRetries);
  replace(thresholds.max_requests, limits.maxRequests);
}

template <class Value>
void set(Value& value, const std::optional<Value>& given) {
  value = given.value_or(value);
}

void set_consecutive(const std::optional<ConsecutiveDetector>& detector, std::uint32_t& consecutive,
                     std::uint32_t& enforcing) {
  const bool counts = detector && detector->consecutive;
  enforcing = counts ? 100 : 0;
  if (counts) {
    consecutive = *detector->consecutive;
  }
}

// Returns the number times 1000, truncated as in Kuma. The small addend keeps exact thousandths from being truncated by
// the double's rounding.
std::uint32_t thousandths(const IntOrString& number) {
  const auto decimal = parse_decimal(number);
  return decimal ? static_cast<std::uint32_t>(std::floor(decimal->value * 1000.0 + 1e-6)) : 0;
}

config::OutlierDetection envoys(const OutlierDetection& conf) {
  config::OutlierDetection envoy;
  set(envoy.interval, conf.interval);
  set(envoy.base_ejection_time, conf.baseEjectionTime);
  set(envoy.max_ejection_percent, conf.maxEjectionPercent);
  set(envoy.split_external_local_origin_errors, conf.splitExternalAndLocalErrors);
  const Detectors detectors = conf.detectors.value_or(Detectors{});
  set_consecutive(detectors.totalFailures, envoy.consecutive_5xx, envoy.enforcing_consecutive_5xx);
  set_consecutive(detectors.gatewayFailures, envoy.consecutive_gateway_failure,
                  envoy.enforcing_consecutive_gateway_failure);
  set_consecutive(detectors.localOriginFailures, envoy.consecutive_local_origin_failure,
                  envoy.enforcing_consecutive_local_origin_failure);
  envoy.enforcing_success_rate = envoy.enforcing_local_origin_success_rate = detectors.successRate ? 100 : 0;
  if (detectors.successRate) {
    set(envoy.success_rate_minimum_hosts, detectors.successRate->minimumHosts);
    set(envoy.success_rate_request_volume, detectors.successRate->requestVolume);
    if (detectors.successRate->standardDeviationFactor) {
      envoy.success_rate_stdev_factor = thousandths(*detectors.successRate->standardDeviationFactor);
    }
  }
  envoy.enforcing_failure_percentage = envoy.enforcing_failure_percentage_local_origin =
      detectors.failurePercentage ? 100 : 0;
  if (detectors.failurePercentage) {
    set(envoy.failure_percentage_minimum_hosts, detectors.failurePercentage->minimumHosts);
    set(envoy.failure_percentage_request_volume, detectors.failurePercentage->requestVolume);
    set(envoy.failure_percentage_threshold, detectors.failurePercentage->threshold);
  }
  return envoy;
}

void check_limits(const ConnectionLimits& limits, const std::string& path, std::vector<Violation>& violations) {
  check_above_zero(limits.maxConnections, path + ".maxConnections", violations);
  check_above_zero(limits.maxConnectionPools, path + ".maxConnectionPools", violations);
  check_above_zero(limits.maxPendingRequests, path + ".maxPendingRequests", violations);
  check_above_zero(limits.maxRetries, path + ".maxRetries", violations);
  check_above_zero(limits.maxRequests, path + ".maxRequests", violations);
}

void check_consecutive(const std::optional<ConsecutiveDetector>& detector, const std::string& path,
                       std::vector<Violation>& violations) {
  if (detector) {
    check_above_zero(detector->consecutive, path + ".consecutive", violations);
  }
}

void check_success_rate(const SuccessRateDetector& detector, const std::string& path,
                        std::vector<Violation>& violations) {
  check_above_zero(detector.minimumHosts, path + ".minimumHosts", violations);
  check_above_zero(detector.requestVolume, path + ".requestVolume", violations);
  if (detector.standardDeviationFactor) {
    const auto factor = parse_decimal(*detector.standardDeviationFactor);
    if (!factor) {
      violations.push_back({path + ".standardDeviationFactor", "invalid number"});
    } else if (factor->sign <= 0) {
      violations.push_back({path + ".standardDeviationFactor", "must be greater than 0"});
    }
  }
}

void check_detectors(const std::optional<Detectors>& detectors, const std::string& path,
                     std::vector<Violation>& violations) {
  if (!detectors) {
    violations.push_back({path, "must be defined"});
    return;
  }
  if (*detectors == Detectors{}) {
    violations.push_back({path,
                          "must have at least one defined: totalFailures, gatewayFailures, localOriginFailures, "
                          "successRate, failurePercentage"});
    return;
  }
  check_consecutive(detectors->totalFailures, path + ".totalFailures", violations);
  check_consecutive(detectors->gatewayFailures, path + ".gatewayFailures", violations);
  check_consecutive(detectors->localOriginFailures, path + ".localOriginFailures", violations);
  if (detectors->successRate) {
    check_success_rate(*detectors->successRate, path + ".successRate", violations);
  }
  if (detectors->failurePercentage) {
    const std::string failures = path + ".failurePercentage";
    check_above_zero(detectors->failurePercentage->minimumHosts, failures + ".minimumHosts", violations);
    check_above_zero(detectors->failurePercentage->requestVolume, failures + ".requestVolume", violations);
    check_percentage(detectors->failurePercentage->threshold, failures + ".threshold", violations);
  }
}

void check_outlier_detection(const OutlierDetection& detection, const std::string& path,
                             std::vector<Violation>& violations) {
  check_positive(detection.interval, path + ".interval", violations);
  check_positive(detection.baseEjectionTime, path + ".baseEjectionTime", violations);
  check_percentage(detection.maxEjectionPercent, path + ".maxEjectionPercent", violations);
  check_percentage(detection.healthyPanicThreshold, path + ".healthyPanicThreshold", violations);
  check_detectors(detection.detectors, path + ".detectors", violations);
}

void check_breaker_conf(const CircuitBreakerConf& conf, const std::string& path, std::vector<Violation>& violations) {
  if (!conf.connectionLimits && !conf.outlierDetection) {
    violations.push_back({path, "at least one of: 'connectionLimits' or 'outlierDetection' should be configured"});
    return;
  }
  if (conf.connectionLimits) {
    check_limits(*conf.connectionLimits, path + ".connectionLimits", violations);
  }
  if (conf.outlierDetection) {
    check_outlier_detection(*conf.outlierDetection, path + ".outlierDetection", violations);
  }
}

}  // namespace

void merge_patch(CircuitBreakerConf& conf, const CircuitBreakerConf& patch) {
  merge(conf.connectionLimits, patch.connectionLimits, merge_limits);
  merge(conf.outlierDetection, patch.outlierDetection, merge_outlier_detection);
}

void apply(const CircuitBreakerConf& conf, CircuitBreakerTarget cluster) {
  config::CircuitBreakerThresholds& thresholds = default_thresholds(cluster.circuit_breakers);
  thresholds.track_remaining = true;
  if (conf.connectionLimits) {
    set_limits(*conf.connectionLimits, thresholds);
  }
  if (!conf.outlierDetection || conf.outlierDetection->disabled.value_or(false)) {
    return;
  }
  cluster.outlier_detection = envoys(*conf.outlierDetection);
  if (const auto& panic = conf.outlierDetection->healthyPanicThreshold) {
    cluster.common_lb_config.healthy_panic_threshold = percent_of(*panic);
  }
}

CircuitBreakerConf default_circuit_breaker() {
  CircuitBreakerConf conf;
  conf.connectionLimits =
      ConnectionLimits{.maxConnections = 1024U, .maxPendingRequests = 1024U, .maxRetries = 3U, .maxRequests = 1024U};
  return conf;
}

std::vector<Violation> validate(const MeshCircuitBreaker& policy, const InboundCircuitBreaker& inbound,
                                config::KumaProfile profile) {
  constexpr std::array<std::string_view, 1> from_kinds = {"Mesh"};
  const bool head = profile == config::KumaProfile::head;
  const bool to = policy.to && !policy.to->empty();
  const bool from = !head && !inbound.from.empty();
  const bool rules = !inbound.rules.empty();
  const TargetKinds kinds{.profile = profile, .inbound = rules || from};
  Violations violations;
  check_top_target(policy.targetRef, kinds, violations);
  if (!to && !from && !rules) {
    violations.push_back({"spec", head ? "at least one of 'to' or 'rules' has to be defined"
                                       : "at least one of 'from', 'to' or 'rules' has to be defined"});
  }
  if (!head && rules && (to || from)) {
    violations.push_back({"spec", "fields 'to' and 'from' must be empty when 'rules' is defined"});
  }
  // Kuma names the path of a rule `from`.
  for (std::size_t index = 0; index < inbound.rules.size(); ++index) {
    check_breaker_conf(inbound.rules[index].default_, at("spec", "rules", index) + ".default", violations);
  }
  for (std::size_t index = 0; from && index < inbound.from.size(); ++index) {
    const std::string path = at("spec", "from", index);
    validate_target_ref(inbound.from[index].targetRef.value_or(TargetRef{}), path + ".targetRef",
                        {.supported_kinds = from_kinds, .profile = profile}, violations);
    check_breaker_conf(inbound.from[index].default_, path + ".default", violations);
  }
  check_to_items(policy, kinds, violations, check_breaker_conf);
  return violations;
}

}  // namespace spillway::kuma
