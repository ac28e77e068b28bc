#include <functional>
#include <map>
#include <stdexcept>

#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"
#include "models/config/retry_policy.hpp"
#include "models/envoy/api/health_check.hpp"
#include "models/envoy/api/outlier_detection.hpp"
#include "models/envoy/api/retry_policy.hpp"
#include "tests/conformance/check.hpp"
#include "tests/conformance/config_fields.hpp"
#include "tests/conformance/messages.hpp"

namespace spillway::conformance {

namespace {

using config::Refusal;

// What its description refuses, or the model.
template <class T>
Refusal of_message(const json& message) {
  const ReadMessage<T> read = read_refusable<T>(message);
  return read.refused ? read.refused : refusal(read.message);
}

// An excerpt: what it does not speak of is well.
Refusal of_health_check(const json& config) {
  return of_message<config::HealthCheck>(whole_health_check(config));
}

Refusal of_retry(const json& config) {
  return of_message<config::RetryPolicy>({{"retry_back_off", config}});
}

// A cluster by what of it the case is about: {"health_checks": 2, "names": "none"}.
Refusal of_cluster(const json& config) {
  if (config.contains("outlier_detection")) {
    return of_message<config::OutlierDetection>(config.at("outlier_detection"));
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

// One line a message.
const std::map<std::string, std::function<Refusal(const json&)>> refusals = {
    {"outlier_detection", of_message<config::OutlierDetection>},
    {"health_check", of_health_check},
    {"retry", of_retry},
    {"retry_policy", of_retry},
    {"cluster", of_cluster},
};

}  // namespace

// The case expects a part of Envoy's message, or null where Envoy accepts the configuration.
void replay_config_reject(const json& input, Check& check) {
  const auto message = input.at("policy").get<std::string>();
  const auto found = refusals.find(message);
  check.refusal(found == refusals.end() ? policy_refusal(message, input.at("config"))
                                        : found->second(input.at("config")));
}

}  // namespace spillway::conformance
