#include "models/config/health_check.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <unordered_set>

namespace spillway::config {

namespace {

std::string health_check_refusal(const char* field, const char* reason) {
  return std::string("HealthCheckValidationError.") + field + ": " + reason;
}

std::optional<std::string> refusal_of_times(const HealthCheck& config) {
  for (const auto& [field, duration] : {std::pair{"Timeout", config.timeout}, std::pair{"Interval", config.interval}}) {
    if (!duration) {
      return health_check_refusal(field, "value is required");
    }
    if (duration->count() <= 0) {
      return health_check_refusal(field, "value must be greater than 0s");
    }
  }
  for (const auto& [field, threshold] : {std::pair{"UnhealthyThreshold", config.unhealthy_threshold},
                                         std::pair{"HealthyThreshold", config.healthy_threshold}}) {
    if (!threshold) {
      return health_check_refusal(field, "value is required");
    }
  }
  const std::array positive = {
      std::pair{"NoTrafficInterval", std::optional(config.no_traffic_interval)},
      std::pair{"NoTrafficHealthyInterval", config.no_traffic_healthy_interval},
      std::pair{"UnhealthyInterval", config.unhealthy_interval},
      std::pair{"UnhealthyEdgeInterval", config.unhealthy_edge_interval},
      std::pair{"HealthyEdgeInterval", config.healthy_edge_interval},
  };
  for (const auto& [field, duration] : positive) {
    if (duration && duration->count() <= 0) {
      return health_check_refusal(field, "value must be greater than 0s");
    }
  }
  return std::nullopt;
}

std::optional<std::string> refusal_of_range(const StatusRange& range, const std::string& type) {
  const std::string front = "Invalid http " + type + " status range: expecting ";
  if (range.start >= range.end) {
    return front + "start < end, but found start=" + std::to_string(range.start) +
           " and end=" + std::to_string(range.end);
  }
  if (range.start < 100) {
    return front + "start >= 100, but found start=" + std::to_string(range.start);
  }
  if (range.end > 600) {
    return front + "end <= 600, but found end=" + std::to_string(range.end);
  }
  return std::nullopt;
}

std::optional<std::string> refusal_of_http(const HttpHealthCheck& http) {
  constexpr std::array without_payload = {"GET", "HEAD", "DELETE", "TRACE"};
  if (http.path.empty()) {
    return "HealthCheckValidationError.HttpHealthCheck: embedded message failed validation | caused by "
           "HttpHealthCheckValidationError.Path: value length must be at least 1 characters";
  }
  if (http.method == "CONNECT") {
    return "HealthCheckValidationError.HttpHealthCheck: embedded message failed validation | caused by "
           "HttpHealthCheckValidationError.Method: value must not be in list [6]";
  }
  for (const char* const method : without_payload) {
    if (!http.send.empty() && http.method == method) {
      return "HTTP health check cannot specify a request payload with method '" + http.method + "'.";
    }
  }
  for (const StatusRange& range : http.expected_statuses) {
    if (const auto reason = refusal_of_range(range, "expected")) {
      return reason;
    }
  }
  for (const StatusRange& range : http.retriable_statuses) {
    if (const auto reason = refusal_of_range(range, "retriable")) {
      return reason;
    }
  }
  std::size_t expected = 0;
  for (const std::string& bytes : http.receive) {
    expected += bytes.size();
  }
  if (http.response_buffer_size != 0 && expected > http.response_buffer_size) {
    return "The expected response length '" + std::to_string(expected) +
           "' is over than http health response buffer size '" + std::to_string(http.response_buffer_size) + "'";
  }
  return std::nullopt;
}

}  // namespace

CheckIntervals::CheckIntervals(const HealthCheck& config)
    : interval(config.interval.value_or(std::chrono::nanoseconds{0})),
      no_traffic_interval(config.no_traffic_interval),
      no_traffic_healthy_interval(config.no_traffic_healthy_interval.value_or(no_traffic_interval)),
      unhealthy_interval(config.unhealthy_interval.value_or(interval)),
      unhealthy_edge_interval(config.unhealthy_edge_interval.value_or(unhealthy_interval)),
      healthy_edge_interval(config.healthy_edge_interval.value_or(interval)) {}

std::optional<std::string> refusal(const HealthCheck& config) {
  if (const auto reason = refusal_of_times(config)) {
    return reason;
  }
  const auto* const http = std::get_if<HttpHealthCheck>(&config.health_checker);
  return http == nullptr ? std::nullopt : refusal_of_http(*http);
}

std::optional<std::string> refusal(std::span<const HealthCheck> health_checks) {
  std::unordered_set<std::string_view> names;
  for (std::size_t index = 0; index < health_checks.size(); ++index) {
    const HealthCheck& check = health_checks[index];
    const std::string at = std::to_string(index);
    if (health_checks.size() > 1 && check.name.empty()) {
      return "health check at index " + at +
             " is missing a name; all health checks must have a name when multiple health checks are configured";
    }
    if (health_checks.size() > 1 && !names.insert(check.name).second) {
      return "duplicate health check name '" + check.name + "' at index " + at +
             "; all health check names must be unique within a cluster";
    }
    if (const auto reason = refusal(check)) {
      return reason;
    }
  }
  return std::nullopt;
}

}  // namespace spillway::config
