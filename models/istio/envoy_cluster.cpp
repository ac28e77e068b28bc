// Translates a cluster of istiod for the Envoy models.
#include <cstdint>
#include <optional>
#include <string>

#include "models/config/circuit_breakers.hpp"
#include "models/config/slow_start.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/policy_config.hpp"
#include "models/istio/cluster.hpp"

namespace spillway::istio {

namespace {

namespace policies = envoy::policies;

config::SlowStartConfig slow_start_of(const std::optional<SlowStart>& written) {
  config::SlowStartConfig config;
  if (written) {
    config.slow_start_window = written->window;
    config.aggression = written->aggression.value_or(config.aggression);
    config.min_weight_percent = config::Percent{written->min_weight_percent.value_or(config.min_weight_percent.value)};
  }
  return config;
}

policies::Config policy_of(const Cluster& cluster) {
  switch (cluster.lb_policy) {
    case LbPolicy::least_request: {
      policies::least_request::Config policy;
      policy.slow_start_config = slow_start_of(cluster.slow_start);
      return policy;
    }
    case LbPolicy::random:
      return policies::random::Config{};
    case LbPolicy::ring_hash: {
      policies::ring_hash::Config policy;
      policy.minimum_ring_size = cluster.minimum_ring_size.value_or(policy.minimum_ring_size);
      return policy;
    }
    case LbPolicy::maglev: {
      policies::maglev::Config policy;
      policy.table_size = cluster.table_size.value_or(policy.table_size);
      return policy;
    }
    case LbPolicy::round_robin:
    case LbPolicy::cluster_provided:
      break;
  }
  policies::round_robin::Config policy;
  policy.slow_start_config = slow_start_of(cluster.slow_start);
  return policy;
}

config::OutlierDetection outlier_of(const Ejections& written) {
  config::OutlierDetection config;
  config.enforcing_success_rate = 0;
  const auto set = [](auto& into, const auto& value) { into = value.value_or(into); };
  set(config.consecutive_5xx, written.consecutive_5xx);
  set(config.enforcing_consecutive_5xx, written.enforcing_consecutive_5xx);
  set(config.consecutive_gateway_failure, written.consecutive_gateway_failure);
  set(config.enforcing_consecutive_gateway_failure, written.enforcing_consecutive_gateway_failure);
  set(config.interval, written.interval);
  set(config.base_ejection_time, written.base_ejection_time);
  set(config.max_ejection_percent, written.max_ejection_percent);
  config.split_external_local_origin_errors = written.split_external_local_origin_errors;
  set(config.consecutive_local_origin_failure, written.consecutive_local_origin_failure);
  set(config.enforcing_consecutive_local_origin_failure, written.enforcing_consecutive_local_origin_failure);
  set(config.enforcing_local_origin_success_rate, written.enforcing_local_origin_success_rate);
  return config;
}

config::CircuitBreakers breakers_of(const CircuitBreakers& written) {
  config::CircuitBreakers breakers;
  config::CircuitBreakerThresholds& thresholds = breakers.thresholds.emplace_back();
  thresholds.max_connections = written.max_connections;
  thresholds.max_pending_requests = written.max_pending_requests;
  thresholds.max_requests = written.max_requests;
  thresholds.max_retries = written.max_retries;
  if (written.retry_budget) {
    thresholds.retry_budget = {config::Percent{written.retry_budget->percent},
                               written.retry_budget->min_retry_concurrency};
  }
  return breakers;
}

}  // namespace

envoy::Cluster to_envoy(const Cluster& cluster) {
  envoy::Cluster made;
  made.name = cluster.name;
  made.lb_policy = policy_of(cluster);
  if (cluster.healthy_panic_threshold) {
    made.common_lb_config.healthy_panic_threshold = config::Percent{*cluster.healthy_panic_threshold};
  }
  if (cluster.locality_weighted) {
    made.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  } else if (cluster.zone_aware) {
    config::ZoneAwareLbConfig zone_aware;
    zone_aware.routing_enabled = config::Percent{cluster.zone_aware->routing_disabled ? 0.0 : 100.0};
    zone_aware.min_cluster_size = cluster.zone_aware->min_cluster_size.value_or(zone_aware.min_cluster_size);
    made.common_lb_config.locality_config_specifier = zone_aware;
  }
  if (cluster.outlier_detection) {
    made.outlier_detection = outlier_of(*cluster.outlier_detection);
    made.error_statuses = cluster.outlier_detection->error_statuses;
  }
  made.circuit_breakers = breakers_of(cluster.circuit_breakers);
  made.http2 = cluster.upstream_protocol == UpstreamProtocol::http2;
  if (cluster.type == DiscoveryType::original_dst) {
    made.original_dst.emplace();
  }
  return made;
}

}  // namespace spillway::istio
