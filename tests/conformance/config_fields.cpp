#include "tests/conformance/config_fields.hpp"

#include <cmath>
#include <string>

#include "models/documents/node_json.hpp"
#include "models/envoy/api/health_check.hpp"
#include "models/envoy/api/outlier_detection.hpp"
#include "tests/conformance/messages.hpp"

namespace spillway::conformance {

using nlohmann::json;

namespace {

constexpr std::string_view unit = "_ms";
constexpr std::int64_t in_second = 1000;

// {"interval_ms": 500} as protobuf's JSON has it: {"interval": "0.5s"}.
json message_of(const json& fields) {
  json message = json::object();
  for (const auto& [field, value] : fields.items()) {
    if (field.ends_with(unit)) {
      const auto time = value.get<std::int64_t>();
      const std::string fraction = std::to_string(in_second + time % in_second).substr(1);
      message[field.substr(0, field.size() - unit.size())] = std::to_string(time / in_second) + "." + fraction + "s";
    } else {
      message[field] = value;
    }
  }
  return message;
}

// The other way.
json fields_of_message(const json& message) {
  json fields = json::object();
  for (const auto& [field, value] : message.items()) {
    if (value.is_string()) {
      fields[field + std::string(unit)] = std::llround(std::stod(value.get<std::string>()) * in_second);
    } else {
      fields[field] = value;
    }
  }
  return fields;
}

}  // namespace

config::OutlierDetection outlier_detection_of(const json& fields) {
  return read_message<config::OutlierDetection>(message_of(fields));
}

json fields_of(const config::OutlierDetection& config) {
  config::OutlierDetection whole = config;
  whole.max_ejection_time = effective_max_ejection_time(config);
  return fields_of_message(json_of<json>(messages::write_message(whole)));
}

json whole_health_check(const json& message) {
  json whole = {{"timeout", "1s"}, {"interval", "1s"}, {"unhealthy_threshold", 1}, {"healthy_threshold", 1}};
  if (!message.contains("tcp_health_check") && !message.contains("grpc_health_check")) {
    whole["http_health_check"] = {{"path", "/"}};
  }
  whole.merge_patch(message);
  return whole;
}

config::HealthCheck health_check_of(const json& fields) {
  return read_message<config::HealthCheck>(whole_health_check(message_of(fields)));
}

}  // namespace spillway::conformance
