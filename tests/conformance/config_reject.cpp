#include <stdexcept>
#include <vector>

#include "models/config/circuit_breakers.hpp"
#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"
#include "models/config/retry_policy.hpp"
#include "tests/conformance/check.hpp"
#include "tests/conformance/config_fields.hpp"
#include "tests/conformance/refusals.hpp"

namespace spillway::conformance {

namespace {

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

// An excerpt: what it does not speak of is well.
Refusal of_health_check(const json& config) {
  return refusal(health_check_of(flat(config)));
}

Refusal of_retry(const json& config) {
  const json& back_off = config.contains("retry_back_off") ? config.at("retry_back_off") : config;
  config::RetryPolicy policy;
  for (const auto& [field, value] : flat(back_off).items()) {
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

config::CircuitBreakerThresholds thresholds_of(const json& fields) {
  config::CircuitBreakerThresholds thresholds;
  const auto number = [&](const char* field, std::optional<std::uint32_t>& value) {
    if (fields.contains(field)) {
      value = fields.at(field).get<std::uint32_t>();
    }
  };
  number("max_connections", thresholds.max_connections);
  number("max_pending_requests", thresholds.max_pending_requests);
  number("max_requests", thresholds.max_requests);
  number("max_retries", thresholds.max_retries);
  number("max_connection_pools", thresholds.max_connection_pools);
  if (fields.contains("retry_budget")) {
    const json& budget = fields.at("retry_budget");
    thresholds.retry_budget.emplace();
    number("min_retry_concurrency", thresholds.retry_budget->min_retry_concurrency);
    if (budget.contains("budget_percent")) {
      thresholds.retry_budget->budget_percent = config::Percent{budget.at("budget_percent").at("value").get<double>()};
    }
  }
  return thresholds;
}

Refusal of_circuit_breakers(const json& config) {
  config::CircuitBreakers breakers;
  for (const json& thresholds : config.value("thresholds", json::array())) {
    breakers.thresholds.push_back(thresholds_of(thresholds));
  }
  for (const json& thresholds : config.value("per_host_thresholds", json::array())) {
    breakers.per_host_thresholds.push_back(thresholds_of(thresholds));
  }
  return refusal(breakers);
}

// As a case counts them, {"health_checks": 2, "names": "none"}, or verbatim.
Refusal of_health_checks(const json& cluster) {
  const json& given = cluster.at("health_checks");
  std::vector<config::HealthCheck> checks;
  if (given.is_array()) {
    for (const json& check : given) {
      checks.push_back(verbatim_health_check_of(flat(check)));
    }
    return refusal(checks);
  }
  const json& names = cluster.at("names");
  checks.assign(given.get<std::size_t>(), health_check_of(json::object()));
  if (!names.is_array() && names != "none") {
    throw std::invalid_argument("unknown names " + names.dump());
  }
  for (std::size_t check = 0; check < checks.size() && names.is_array(); ++check) {
    checks[check].name = names.at(check).get<std::string>();
  }
  return refusal(checks);
}

}  // namespace

const Refusals& health_refusals() {
  // One line a message.
  static const Refusals refusals = {
      {"outlier_detection", of_outlier_detection},  //
      {"health_check", of_health_check},            //
      {"retry", of_retry},                          //
      {"retry_policy", of_retry},                   //
      {"circuit_breakers", of_circuit_breakers},    //
      {"cluster", health_refusal_of_cluster},
  };
  return refusals;
}

Refusal health_refusal_of_cluster(const json& cluster) {
  if (cluster.contains("health_checks")) {
    if (auto refused = of_health_checks(cluster)) {
      return refused;
    }
  }
  if (cluster.contains("circuit_breakers")) {
    if (auto refused = of_circuit_breakers(cluster.at("circuit_breakers"))) {
      return refused;
    }
  }
  return cluster.contains("outlier_detection") ? of_outlier_detection(cluster.at("outlier_detection")) : std::nullopt;
}

// The case expects a part of Envoy's message, or null where Envoy accepts the configuration.
void replay_config_reject(const json& input, Check& check) {
  const auto message = input.at("policy").get<std::string>();
  bool known = false;
  Refusal refused;
  for (const Refusals* const refusals : {&policy_refusals(), &health_refusals()}) {
    if (const auto found = refusals->find(message); found != refusals->end()) {
      known = true;
      refused = refused ? refused : found->second(input.at("config"));
    }
  }
  if (!known) {
    throw std::invalid_argument("unknown message " + message);
  }
  check.whole_compared();
  const json& expected = check.expected();
  const bool as_expected =
      expected.is_null() ? !refused : refused && refused->find(expected.get<std::string>()) != std::string::npos;
  if (!as_expected) {
    check.fail("expected " + expected.dump() + ", got " + (refused ? json(*refused) : json()).dump());
  }
}

}  // namespace spillway::conformance
