#include "reports/envoy/cluster_health.hpp"

#include <array>
#include <string>
#include <variant>

namespace spillway::reports::envoy_export {
namespace {

std::string hexadecimal(const std::string& bytes) {
  static constexpr std::array<char, 17> digits = {"0123456789abcdef"};
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += {digits[value >> 4U], digits[value & 15U]};
  }
  return text;
}

Json payload_json(const std::string& bytes) {
  return {{"text", hexadecimal(bytes)}};
}

Json payloads_json(const std::vector<std::string>& payloads) {
  Json array = Json::array();
  for (const std::string& payload : payloads) {
    array.push_back(payload_json(payload));
  }
  return array;
}

Json status_ranges_json(const std::vector<config::StatusRange>& ranges) {
  Json array = Json::array();
  for (const config::StatusRange& range : ranges) {
    array.push_back({{"start", range.start}, {"end", range.end}});
  }
  return array;
}

void add_checker(Json& json, const config::HttpHealthCheck& http) {
  Json body = {{"path", http.path}, {"method", http.method}, {"response_buffer_size", http.response_buffer_size}};
  if (!http.host.empty()) {
    body["host"] = http.host;
  }
  if (!http.send.empty()) {
    body["send"] = payload_json(http.send);
  }
  if (!http.receive.empty()) {
    body["receive"] = payloads_json(http.receive);
  }
  if (!http.expected_statuses.empty()) {
    body["expected_statuses"] = status_ranges_json(http.expected_statuses);
  }
  if (!http.retriable_statuses.empty()) {
    body["retriable_statuses"] = status_ranges_json(http.retriable_statuses);
  }
  if (http.service_name_matcher) {
    static constexpr std::array<const char*, 4> patterns = {"exact", "prefix", "suffix", "contains"};
    body["service_name_matcher"] = {
        {patterns[static_cast<std::size_t>(http.service_name_matcher->pattern)], http.service_name_matcher->text},
        {"ignore_case", http.service_name_matcher->ignore_case}};
  }
  json["http_health_check"] = std::move(body);
}

void add_checker(Json& json, const config::TcpHealthCheck& tcp) {
  Json body = Json::object();
  if (!tcp.send.empty()) {
    body["send"] = payload_json(tcp.send);
  }
  if (!tcp.receive.empty()) {
    body["receive"] = payloads_json(tcp.receive);
  }
  json["tcp_health_check"] = std::move(body);
}

void add_checker(Json& json, const config::GrpcHealthCheck& grpc) {
  json["grpc_health_check"] = {{"service_name", grpc.service_name}, {"authority", grpc.authority}};
}

void add_duration(Json& json, const char* name, const std::optional<std::chrono::nanoseconds>& time) {
  if (time) {
    json[name] = duration_json(*time);
  }
}

template <class Number>
void add_number(Json& json, const char* name, const std::optional<Number>& number) {
  if (number) {
    json[name] = *number;
  }
}

Json thresholds_json(const std::vector<config::CircuitBreakerThresholds>& all) {
  Json array = Json::array();
  for (const config::CircuitBreakerThresholds& thresholds : all) {
    Json json = {{"priority", thresholds.priority == config::RoutingPriority::high ? "HIGH" : "DEFAULT"}};
    add_number(json, "max_connections", thresholds.max_connections);
    add_number(json, "max_pending_requests", thresholds.max_pending_requests);
    add_number(json, "max_requests", thresholds.max_requests);
    add_number(json, "max_retries", thresholds.max_retries);
    add_number(json, "max_connection_pools", thresholds.max_connection_pools);
    if (thresholds.track_remaining) {
      json["track_remaining"] = true;
    }
    if (thresholds.retry_budget) {
      Json budget = Json::object();
      if (thresholds.retry_budget->budget_percent) {
        budget["budget_percent"] = percent_json(*thresholds.retry_budget->budget_percent);
      }
      add_number(budget, "min_retry_concurrency", thresholds.retry_budget->min_retry_concurrency);
      json["retry_budget"] = std::move(budget);
    }
    array.push_back(std::move(json));
  }
  return array;
}

Json status_rule_json(std::size_t start, std::size_t end) {
  return {{"http_response_headers_match",
           {{"headers", Json::array({{{"name", ":status"}, {"range_match", {{"start", start}, {"end", end}}}}})}}}};
}

// By ranges of statuses; or_match wants at least two rules, so that ranges without a status stand beside a lonely one.
Json error_matcher_json(const config::ErrorStatuses& statuses) {
  Json rules = Json::array();
  for (std::size_t start = 0; start < statuses.size();) {
    std::size_t end = start;
    while (end < statuses.size() && statuses.test(end)) {
      ++end;
    }
    if (end > start) {
      rules.push_back(status_rule_json(start, end));
    }
    start = end + 1;
  }
  while (rules.size() < 2) {
    rules.push_back(status_rule_json(0, 0));
  }
  return {{"or_match", {{"rules", std::move(rules)}}}};
}

}  // namespace

Json outlier_detection_json(const config::OutlierDetection& detection) {
  Json json = {{"consecutive_5xx", detection.consecutive_5xx},
               {"interval", duration_json(detection.interval)},
               {"base_ejection_time", duration_json(detection.base_ejection_time)},
               {"max_ejection_time", duration_json(config::effective_max_ejection_time(detection))},
               {"max_ejection_time_jitter", duration_json(detection.max_ejection_time_jitter)},
               {"max_ejection_percent", detection.max_ejection_percent},
               {"enforcing_consecutive_5xx", detection.enforcing_consecutive_5xx},
               {"always_eject_one_host", detection.always_eject_one_host},
               {"successful_active_health_check_uneject_host", detection.successful_active_health_check_uneject_host},
               {"consecutive_gateway_failure", detection.consecutive_gateway_failure},
               {"enforcing_consecutive_gateway_failure", detection.enforcing_consecutive_gateway_failure},
               {"success_rate_minimum_hosts", detection.success_rate_minimum_hosts},
               {"success_rate_request_volume", detection.success_rate_request_volume},
               {"success_rate_stdev_factor", detection.success_rate_stdev_factor},
               {"enforcing_success_rate", detection.enforcing_success_rate},
               {"failure_percentage_threshold", detection.failure_percentage_threshold},
               {"failure_percentage_minimum_hosts", detection.failure_percentage_minimum_hosts},
               {"failure_percentage_request_volume", detection.failure_percentage_request_volume},
               {"enforcing_failure_percentage", detection.enforcing_failure_percentage}};
  if (detection.split_external_local_origin_errors) {
    json["split_external_local_origin_errors"] = true;
    json["consecutive_local_origin_failure"] = detection.consecutive_local_origin_failure;
    json["enforcing_consecutive_local_origin_failure"] = detection.enforcing_consecutive_local_origin_failure;
    json["enforcing_local_origin_success_rate"] = detection.enforcing_local_origin_success_rate;
    json["enforcing_failure_percentage_local_origin"] = detection.enforcing_failure_percentage_local_origin;
  }
  return json;
}

Json http_protocol_options_json(const envoy::Cluster& cluster) {
  constexpr const char* type = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
  Json options = Json::object();
  if (cluster.max_stream_duration > std::chrono::nanoseconds{0}) {
    options["common_http_protocol_options"] = {{"max_stream_duration", duration_json(cluster.max_stream_duration)}};
  }
  if (cluster.error_statuses) {
    options["outlier_detection"] = {{"error_matcher", error_matcher_json(*cluster.error_statuses)}};
  }
  if (options.empty()) {
    return options;
  }
  options["explicit_http_config"] = {{"http_protocol_options", Json::object()}};
  return {{type, any_json(type, std::move(options))}};
}

Json health_check_json(const config::HealthCheck& check) {
  Json json = Json::object();
  add_duration(json, "timeout", check.timeout);
  add_duration(json, "interval", check.interval);
  add_number(json, "unhealthy_threshold", check.unhealthy_threshold);
  add_number(json, "healthy_threshold", check.healthy_threshold);
  if (check.initial_jitter.count() != 0) {
    json["initial_jitter"] = duration_json(check.initial_jitter);
  }
  if (check.interval_jitter.count() != 0) {
    json["interval_jitter"] = duration_json(check.interval_jitter);
  }
  if (check.interval_jitter_percent != 0) {
    json["interval_jitter_percent"] = check.interval_jitter_percent;
  }
  json["no_traffic_interval"] = duration_json(check.no_traffic_interval);
  add_duration(json, "no_traffic_healthy_interval", check.no_traffic_healthy_interval);
  add_duration(json, "unhealthy_interval", check.unhealthy_interval);
  add_duration(json, "unhealthy_edge_interval", check.unhealthy_edge_interval);
  add_duration(json, "healthy_edge_interval", check.healthy_edge_interval);
  std::visit([&](const auto& checker) { add_checker(json, checker); }, check.health_checker);
  return json;
}

Json circuit_breakers_json(const config::CircuitBreakers& breakers) {
  Json json = Json::object();
  if (!breakers.thresholds.empty()) {
    json["thresholds"] = thresholds_json(breakers.thresholds);
  }
  if (!breakers.per_host_thresholds.empty()) {
    json["per_host_thresholds"] = thresholds_json(breakers.per_host_thresholds);
  }
  return json;
}

}  // namespace spillway::reports::envoy_export
