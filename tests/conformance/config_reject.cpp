#include <functional>
#include <map>
#include <optional>
#include <stdexcept>

#include "models/config/circuit_breakers.hpp"
#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"
#include "models/config/retry_policy.hpp"
#include "tests/conformance/check.hpp"
#include "tests/conformance/config_fields.hpp"

namespace spillway::conformance {

namespace {

using config::Refusal;

// Whole milliseconds out of protobuf's "1.5s".
std::int64_t milliseconds_of(const std::string& duration) {
  if (!duration.ends_with('s')) {
    throw std::invalid_argument("no duration: " + duration);
  }
  return static_cast<std::int64_t>(std::stod(duration) * 1000.0 + 0.5);
}

// The flat fields of config_fields.hpp: durations get their unit into the name.
json flat(const json& config) {
  json result = json::object();
  for (const auto& [field, value] : config.items()) {
    const bool is_time = value.is_string() && field != "name" && !field.ends_with("_ms");
    result[is_time ? field + "_ms" : field] = is_time ? json(milliseconds_of(value.get<std::string>())) : value;
  }
  return result;
}

Refusal of_outlier_detection(const json& config) {
  return refusal(outlier_detection_of(flat(config)));
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

// An Int64Range of proto JSON writes its numbers as such or as texts.
std::vector<config::StatusRange> read_ranges(const json& ranges) {
  const auto number = [](const json& value) {
    return value.is_string() ? std::stoll(value.get<std::string>()) : value.get<std::int64_t>();
  };
  std::vector<config::StatusRange> result;
  for (const json& range : ranges) {
    result.push_back({number(range.value("start", json(0))), number(range.value("end", json(0)))});
  }
  return result;
}

config::HttpHealthCheck read_http_health_check(const json& object) {
  config::HttpHealthCheck http;
  http.path = object.value("path", std::string());
  http.method = object.value("method", http.method);
  http.send = bytes_of_hex(object.value("send", json::object()).value("text", std::string()));
  for (const json& receive : object.value("receive", json::array())) {
    http.receive.push_back(bytes_of_hex(receive.value("text", std::string())));
  }
  http.response_buffer_size = object.value("response_buffer_size", http.response_buffer_size);
  http.expected_statuses = read_ranges(object.value("expected_statuses", json::array()));
  http.retriable_statuses = read_ranges(object.value("retriable_statuses", json::array()));
  return http;
}

json without_checker(json check) {
  for (const char* const checker : {"http_health_check", "tcp_health_check", "grpc_health_check"}) {
    check.erase(checker);
  }
  return check;
}

// An excerpt: what it does not speak of is well.
Refusal of_health_check(const json& config) {
  config::HealthCheck check = health_check_of(flat(without_checker(config)));
  if (config.contains("http_health_check")) {
    json http = {{"path", "/"}};
    http.update(config.at("http_health_check"));
    check.health_checker = read_http_health_check(http);
  }
  return refusal(check);
}

Refusal of_retry(const json& config) {
  const json fields = flat(config);
  config::RetryPolicy policy;
  for (const auto& [field, value] : fields.items()) {
    const std::chrono::milliseconds time{value.get<std::int64_t>()};
    if (field == "base_interval_ms") {
      policy.retry_back_off.base_interval = time;
    } else if (field == "max_interval_ms") {
      policy.retry_back_off.max_interval = time;
    } else {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  return refusal(policy);
}

// A cluster by what of it the case is about: {"health_checks": 2, "names": "none"}.
Refusal of_cluster(const json& config) {
  if (config.contains("outlier_detection")) {
    return of_outlier_detection(config.at("outlier_detection"));
  }
  if (config.contains("health_checks") && config.at("health_checks").is_number()) {
    const json names = config.at("names");
    std::vector<config::HealthCheck> checks(config.at("health_checks").get<std::size_t>(), health_check_of({}));
    for (std::size_t check = 0; check < checks.size() && names.is_array(); ++check) {
      checks[check].name = names.at(check).get<std::string>();
    }
    if (!names.is_array() && names != "none") {
      throw std::invalid_argument("unknown names " + names.dump());
    }
    return refusal(checks);
  }
  return policy_refusal("cluster", config);
}

// A HealthCheck in proto JSON.
config::HealthCheck read_health_check(const json& object) {
  config::HealthCheck check = health_check_of(flat(without_checker(object)));
  check.timeout = object.contains("timeout") ? check.timeout : std::nullopt;
  check.interval = object.contains("interval") ? check.interval : std::nullopt;
  check.unhealthy_threshold = object.contains("unhealthy_threshold") ? check.unhealthy_threshold : std::nullopt;
  check.healthy_threshold = object.contains("healthy_threshold") ? check.healthy_threshold : std::nullopt;
  if (object.contains("http_health_check")) {
    check.health_checker = read_http_health_check(object.at("http_health_check"));
  } else if (object.contains("tcp_health_check")) {
    check.health_checker = config::TcpHealthCheck{};
  } else {
    check.health_checker = config::GrpcHealthCheck{};
  }
  return check;
}

// One line a message.
const std::map<std::string, std::function<Refusal(const json&)>> refusals = {
    {"outlier_detection", of_outlier_detection},
    {"health_check", of_health_check},
    {"retry", of_retry},
    {"retry_policy", of_retry},
    {"cluster", of_cluster},
};

}  // namespace

Refusal health_refusal(const json& cluster) {
  if (cluster.contains("outlier_detection")) {
    if (auto refused = of_outlier_detection(cluster.at("outlier_detection"))) {
      return refused;
    }
  }
  std::vector<config::HealthCheck> checks;
  for (const json& check : cluster.value("health_checks", json::array())) {
    checks.push_back(read_health_check(check));
    if (auto refused = refusal(checks.back())) {
      return refused;
    }
  }
  return refusal(checks);
}

// The case expects a part of Envoy's message, or null where Envoy accepts the configuration.
void replay_config_reject(const json& input, Check& check) {
  const auto message = input.at("policy").get<std::string>();
  const auto found = refusals.find(message);
  const Refusal refused =
      found == refusals.end() ? policy_refusal(message, input.at("config")) : found->second(input.at("config"));
  check.whole_compared();
  const json& expected = check.expected();
  const bool as_expected =
      expected.is_null() ? !refused : refused && refused->text.find(expected.get<std::string>()) != std::string::npos;
  if (!as_expected) {
    check.fail("expected " + expected.dump() + ", got " + (refused ? json(refused->text) : json()).dump());
  }
}

}  // namespace spillway::conformance
