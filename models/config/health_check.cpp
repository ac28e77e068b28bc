#include "models/config/health_check.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <unordered_set>

namespace spillway::config {

namespace {

Refusal refusal_of_times(const HealthCheck& config) {
  for (const auto& [field, duration] : {std::pair{"timeout", config.timeout}, std::pair{"interval", config.interval}}) {
    if (!duration) {
      return out_of_bounds("HealthCheck", field, "value is required");
    }
    if (duration->count() <= 0) {
      return out_of_bounds("HealthCheck", field, "value must be greater than 0s");
    }
  }
  for (const auto& [field, threshold] : {std::pair{"unhealthy_threshold", config.unhealthy_threshold},
                                         std::pair{"healthy_threshold", config.healthy_threshold}}) {
    if (!threshold) {
      return out_of_bounds("HealthCheck", field, "value is required");
    }
  }
  const std::array positive = {
      std::pair{"no_traffic_interval", std::optional(config.no_traffic_interval)},
      std::pair{"no_traffic_healthy_interval", config.no_traffic_healthy_interval},
      std::pair{"unhealthy_interval", config.unhealthy_interval},
      std::pair{"unhealthy_edge_interval", config.unhealthy_edge_interval},
      std::pair{"healthy_edge_interval", config.healthy_edge_interval},
  };
  for (const auto& [field, duration] : positive) {
    if (duration && duration->count() <= 0) {
      return out_of_bounds("HealthCheck", field, "value must be greater than 0s");
    }
  }
  return std::nullopt;
}

// Checks one range. `field`: path of the range, i.e. the list and its position in the check.
Refusal refusal_of_range(const StatusRange& range, const std::string& type, const std::string& field) {
  const std::string front = "Invalid http " + type + " status range: expecting ";
  if (range.start >= range.end) {
    return Reason{
        front + "start < end, but found start=" + std::to_string(range.start) + " and end=" + std::to_string(range.end),
        {field + ".start", field + ".end"}};
  }
  if (range.start < 100) {
    return Reason{front + "start >= 100, but found start=" + std::to_string(range.start), {field + ".start"}};
  }
  if (range.end > 600) {
    return Reason{front + "end <= 600, but found end=" + std::to_string(range.end), {field + ".end"}};
  }
  return std::nullopt;
}

Refusal refusal_of_ranges(const std::vector<StatusRange>& ranges, const std::string& type) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (auto refused = refusal_of_range(ranges[i], type, type + "_statuses." + std::to_string(i))) {
      return refused;
    }
  }
  return std::nullopt;
}

// Wraps the reason in Envoy's words for an embedded message.
Refusal embedded(Reason reason) {
  reason.text =
      "HealthCheckValidationError.HttpHealthCheck: embedded message failed validation | caused by " + reason.text;
  return reason;
}

Refusal refusal_of_http(const HttpHealthCheck& http) {
  constexpr std::array without_payload = {"GET", "HEAD", "DELETE", "TRACE"};
  if (http.path.empty()) {
    return embedded(out_of_bounds("HttpHealthCheck", "path", "value length must be at least 1 characters"));
  }
  if (http.method == "CONNECT") {
    return embedded(out_of_bounds("HttpHealthCheck", "method", "value must not be in list [6]"));
  }
  for (const char* const method : without_payload) {
    if (!http.send.empty() && http.method == method) {
      return Reason{"HTTP health check cannot specify a request payload with method '" + http.method + "'.",
                    {"method"}};
    }
  }
  if (auto refused = refusal_of_ranges(http.expected_statuses, "expected")) {
    return refused;
  }
  if (auto refused = refusal_of_ranges(http.retriable_statuses, "retriable")) {
    return refused;
  }
  std::size_t expected = 0;
  for (const std::string& bytes : http.receive) {
    expected += bytes.size();
  }
  if (http.response_buffer_size != 0 && expected > http.response_buffer_size) {
    return Reason{"The expected response length '" + std::to_string(expected) +
                      "' is over than http health response buffer size '" + std::to_string(http.response_buffer_size) +
                      "'",
                  {"response_buffer_size"}};
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

Refusal refusal(const HealthCheck& config) {
  if (auto refused = refusal_of_times(config)) {
    return refused;
  }
  const auto* const http = std::get_if<HttpHealthCheck>(&config.health_checker);
  return http == nullptr ? std::nullopt : within("http_health_check", refusal_of_http(*http));
}

Refusal refusal(std::span<const HealthCheck> health_checks) {
  std::unordered_set<std::string_view> names;
  for (std::size_t index = 0; index < health_checks.size(); ++index) {
    const HealthCheck& check = health_checks[index];
    const std::string at = std::to_string(index);
    if (health_checks.size() > 1 && check.name.empty()) {
      return Reason{"health check at index " + at +
                        " is missing a name; all health checks must have a name when multiple health checks are "
                        "configured",
                    {at + ".name"}};
    }
    if (health_checks.size() > 1 && !names.insert(check.name).second) {
      return Reason{"duplicate health check name '" + check.name + "' at index " + at +
                        "; all health check names must be unique within a cluster",
                    {at + ".name"}};
    }
    if (auto refused = within(at, refusal(check))) {
      return refused;
    }
  }
  return std::nullopt;
}

}  // namespace spillway::config
