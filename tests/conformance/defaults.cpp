#include <functional>
#include <map>
#include <stdexcept>

#include "models/config/common_lb_config.hpp"
#include "models/config/health_check.hpp"
#include "models/config/retry_policy.hpp"
#include "models/config/slow_start.hpp"
#include "models/envoy/policies/least_request/least_request.hpp"
#include "models/health/circuit_breaker.hpp"
#include "tests/conformance/check.hpp"
#include "tests/conformance/config_fields.hpp"

namespace spillway::conformance {

namespace {

std::int64_t milliseconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

// As a case names the longest time out, which depends on the base.
json outlier_detection() {
  json fields = fields_of(config::OutlierDetection{});
  const auto least = milliseconds_of(effective_max_ejection_time(config::OutlierDetection{}));
  const std::chrono::nanoseconds more = std::chrono::milliseconds{least + 1};
  if (effective_max_ejection_time(config::OutlierDetection{.base_ejection_time = more}) != more) {
    throw std::runtime_error("the longest time out does not follow the base");
  }
  fields["max_ejection_time_ms"] = "max(" + std::to_string(least) + ", base_ejection_time_ms)";
  return fields;
}

json health_check() {
  const config::HealthCheck config{.interval = std::chrono::milliseconds{1}};
  const config::CheckIntervals intervals(config);
  const config::HttpHealthCheck http;
  return {{"no_traffic_interval_ms", milliseconds_of(intervals.no_traffic_interval)},
          {"no_traffic_healthy_interval_ms", milliseconds_of(intervals.no_traffic_healthy_interval)},
          {"no_traffic_healthy_interval",
           intervals.no_traffic_healthy_interval == intervals.no_traffic_interval ? "no_traffic_interval" : "another"},
          {"initial_jitter_ms", milliseconds_of(config.initial_jitter)},
          {"interval_jitter_ms", milliseconds_of(config.interval_jitter)},
          {"interval_jitter_percent", config.interval_jitter_percent},
          {"response_buffer_size", http.response_buffer_size},
          {"method", http.method},
          {"unhealthy_interval", intervals.unhealthy_interval == intervals.interval ? "interval" : "another"},
          {"unhealthy_edge_interval",
           intervals.unhealthy_edge_interval == intervals.unhealthy_interval ? "unhealthy_interval" : "another"},
          {"healthy_edge_interval", intervals.healthy_edge_interval == intervals.interval ? "interval" : "another"}};
}

json circuit_breakers() {
  using health::Resource;
  const health::CircuitBreaker breaker({}, config::RoutingPriority::default_priority);
  const auto pools = breaker.max(Resource::connection_pools);
  return {{"max_connections", breaker.max(Resource::connections)},
          {"max_pending_requests", breaker.max(Resource::pending_requests)},
          {"max_requests", breaker.max(Resource::requests)},
          {"max_retries", breaker.max(Resource::retries)},
          {"max_connection_pools", pools == 4294967295 ? json("unlimited") : json(pools)},
          {"retry_budget_percent", health::default_budget_percent},
          {"min_retry_concurrency", health::default_min_retry_concurrency}};
}

json retry() {
  const config::RetryPolicy policy;
  return {{"num_retries", policy.num_retries},
          {"host_selection_retry_max_attempts", policy.host_selection_retry_max_attempts},
          {"base_interval_ms", effective_base_interval(policy.retry_back_off).count()},
          {"max_interval_multiplier", effective_max_interval(policy.retry_back_off).count() /
                                          effective_base_interval(policy.retry_back_off).count()},
          {"rate_limited_max_interval_ms", milliseconds_of(policy.rate_limited_max_interval)}};
}

json slow_start() {
  const config::SlowStartConfig config;
  return {{"window_ms", milliseconds_of(config.slow_start_window)},
          {"aggression", config.aggression},
          {"min_weight_percent", config.min_weight_percent.value}};
}

json least_request() {
  namespace policy = envoy::policies::least_request;
  const policy::Config config;
  return {
      {"choice_count", config.choice_count},
      {"choice_count_min", policy::min_choice_count},
      {"active_request_bias", config.active_request_bias},
      {"selection_method", config.selection_method == policy::SelectionMethod::n_choices ? "N_CHOICES" : "FULL_SCAN"}};
}

json common_lb() {
  const config::CommonLbConfig config;
  const config::ZoneAwareLbConfig zone;
  return {{"healthy_panic_threshold", config.healthy_panic_threshold.value},
          {"overprovisioning_factor", config::ClusterLoadAssignment{}.overprovisioning_factor},
          {"zone_routing_enabled_percent", zone.routing_enabled.value},
          {"zone_min_cluster_size", zone.min_cluster_size},
          {"update_merge_window_ms", milliseconds_of(config.update_merge_window)}};
}

// One line a message.
const std::map<std::string, std::function<json()>> defaults = {
    {"outlier_detection", outlier_detection},  //
    {"health_check", health_check},            //
    {"circuit_breakers", circuit_breakers},    //
    {"retry", retry},                          //
    {"slow_start", slow_start},                //
    {"least_request", least_request},          //
    {"common_lb", common_lb},
};

}  // namespace

void replay_defaults(const json& input, Check& check) {
  const auto found = defaults.find(input.get<std::string>());
  const json fields = found == defaults.end() ? policy_defaults(input.get<std::string>()) : found->second();
  // Of the two defaults that Envoy has for it, the code's counts.
  check.documentation("error_utilization_penalty_doc_default");
  for (const auto& [field, value] : check.expected().items()) {
    if (fields.contains(field)) {
      check.equal(field, fields.at(field));
    }
  }
}

}  // namespace spillway::conformance
