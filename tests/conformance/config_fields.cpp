#include "tests/conformance/config_fields.hpp"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace spillway::conformance {

using nlohmann::json;

namespace {

using std::chrono::nanoseconds;
template <class Config>
using Setters = std::map<std::string, std::function<void(Config&, const json&)>>;

nanoseconds milliseconds(const json& value) {
  return std::chrono::milliseconds{value.get<std::int64_t>()};
}

std::int64_t in_milliseconds(nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

template <class Config>
void set_fields(Config& config, const json& fields, const Setters<Config>& setters) {
  for (const auto& [field, value] : fields.items()) {
    const auto setter = setters.find(field);
    if (setter == setters.end()) {
      throw std::invalid_argument("unknown field " + field);
    }
    setter->second(config, value);
  }
}

template <class Config, class Member>
auto number(Member Config::* member) {
  return [member](Config& config, const json& value) { config.*member = value.get<Member>(); };
}

template <class Config, class Member>
auto number(std::optional<Member> Config::* member) {
  return [member](Config& config, const json& value) { config.*member = value.get<Member>(); };
}

template <class Config, class Member>
auto time(Member Config::* member) {
  return [member](Config& config, const json& value) { config.*member = milliseconds(value); };
}

using Outlier = config::OutlierDetection;
const std::map<std::string, std::uint32_t Outlier::*> outlier_numbers = {
    {"consecutive_5xx", &Outlier::consecutive_5xx},
    {"max_ejection_percent", &Outlier::max_ejection_percent},
    {"enforcing_consecutive_5xx", &Outlier::enforcing_consecutive_5xx},
    {"consecutive_gateway_failure", &Outlier::consecutive_gateway_failure},
    {"enforcing_consecutive_gateway_failure", &Outlier::enforcing_consecutive_gateway_failure},
    {"consecutive_local_origin_failure", &Outlier::consecutive_local_origin_failure},
    {"enforcing_consecutive_local_origin_failure", &Outlier::enforcing_consecutive_local_origin_failure},
    {"success_rate_minimum_hosts", &Outlier::success_rate_minimum_hosts},
    {"success_rate_request_volume", &Outlier::success_rate_request_volume},
    {"success_rate_stdev_factor", &Outlier::success_rate_stdev_factor},
    {"enforcing_success_rate", &Outlier::enforcing_success_rate},
    {"enforcing_local_origin_success_rate", &Outlier::enforcing_local_origin_success_rate},
    {"failure_percentage_threshold", &Outlier::failure_percentage_threshold},
    {"failure_percentage_minimum_hosts", &Outlier::failure_percentage_minimum_hosts},
    {"failure_percentage_request_volume", &Outlier::failure_percentage_request_volume},
    {"enforcing_failure_percentage", &Outlier::enforcing_failure_percentage},
    {"enforcing_failure_percentage_local_origin", &Outlier::enforcing_failure_percentage_local_origin},
};
const std::map<std::string, bool Outlier::*> outlier_flags = {
    {"always_eject_one_host", &Outlier::always_eject_one_host},
    {"split_external_local_origin_errors", &Outlier::split_external_local_origin_errors},
    {"successful_active_health_check_uneject_host", &Outlier::successful_active_health_check_uneject_host},
};
const std::map<std::string, nanoseconds Outlier::*> outlier_times = {
    {"interval_ms", &Outlier::interval},
    {"base_ejection_time_ms", &Outlier::base_ejection_time},
    {"max_ejection_time_jitter_ms", &Outlier::max_ejection_time_jitter},
};

std::vector<config::StatusRange> ranges_of(const json& value) {
  std::vector<config::StatusRange> ranges;
  for (const json& range : value) {
    ranges.push_back(range.is_array() ? config::StatusRange{range.at(0), range.at(1)}
                                      : config::StatusRange{range.at("start"), range.at("end")});
  }
  return ranges;
}

}  // namespace

config::OutlierDetection outlier_detection_of(const json& fields) {
  Setters<Outlier> setters = {{"max_ejection_time_ms", time(&Outlier::max_ejection_time)}};
  for (const auto& [name, member] : outlier_numbers) {
    setters[name] = number(member);
  }
  for (const auto& [name, member] : outlier_flags) {
    setters[name] = number(member);
  }
  for (const auto& [name, member] : outlier_times) {
    setters[name] = time(member);
  }
  Outlier config;
  set_fields(config, fields, setters);
  return config;
}

json fields_of(const config::OutlierDetection& config) {
  json result = {{"max_ejection_time_ms", in_milliseconds(effective_max_ejection_time(config))}};
  for (const auto& [name, member] : outlier_numbers) {
    result[name] = config.*member;
  }
  for (const auto& [name, member] : outlier_flags) {
    result[name] = config.*member;
  }
  for (const auto& [name, member] : outlier_times) {
    result[name] = in_milliseconds(config.*member);
  }
  return result;
}

config::HealthCheck health_check_of(const json& fields) {
  using Settings = config::HealthCheck;
  config::HttpHealthCheck http{.path = "/"};
  Settings config{.timeout = std::chrono::seconds{1},
                  .interval = std::chrono::seconds{1},
                  .unhealthy_threshold = 1,
                  .healthy_threshold = 1};
  const Setters<Settings> setters = {
      {"timeout_ms", time(&Settings::timeout)},
      {"interval_ms", time(&Settings::interval)},
      {"unhealthy_threshold", number(&Settings::unhealthy_threshold)},
      {"healthy_threshold", number(&Settings::healthy_threshold)},
      {"initial_jitter_ms", time(&Settings::initial_jitter)},
      {"interval_jitter_ms", time(&Settings::interval_jitter)},
      {"interval_jitter_percent", number(&Settings::interval_jitter_percent)},
      {"no_traffic_interval_ms", time(&Settings::no_traffic_interval)},
      {"no_traffic_healthy_interval_ms", time(&Settings::no_traffic_healthy_interval)},
      {"unhealthy_interval_ms", time(&Settings::unhealthy_interval)},
      {"unhealthy_edge_interval_ms", time(&Settings::unhealthy_edge_interval)},
      {"healthy_edge_interval_ms", time(&Settings::healthy_edge_interval)},
      {"expected_statuses", [&](Settings&, const json& value) { http.expected_statuses = ranges_of(value); }},
      {"retriable_statuses", [&](Settings&, const json& value) { http.retriable_statuses = ranges_of(value); }},
      {"name", number(&Settings::name)},
  };
  set_fields(config, fields, setters);
  config.health_checker = http;
  return config;
}

}  // namespace spillway::conformance
