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

using Refusal = std::optional<std::string>;

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

Refusal of_health_check(const json& config) {
  return refusal(health_check_of(flat(config)));
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
  throw std::invalid_argument("unknown part of a cluster in " + config.dump());
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

// The case expects a part of Envoy's message, or null where Envoy accepts the configuration.
void replay_config_reject(const json& input, Check& check) {
  const auto found = refusals.find(input.at("policy").get<std::string>());
  if (found == refusals.end()) {
    throw std::invalid_argument("unknown message " + input.at("policy").dump());
  }
  const Refusal refused = found->second(input.at("config"));
  check.whole_compared();
  const json& expected = check.expected();
  const bool as_expected =
      expected.is_null() ? !refused : refused && refused->find(expected.get<std::string>()) != refused->npos;
  if (!as_expected) {
    check.fail("expected " + expected.dump() + ", got " + (refused ? json(*refused) : json()).dump());
  }
}

}  // namespace spillway::conformance
