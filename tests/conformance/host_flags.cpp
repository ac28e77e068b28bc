#include "tests/conformance/host_flags.hpp"

#include <map>
#include <stdexcept>

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

namespace {

const std::map<std::string, envoy::HostFlag> host_flags = {
    {"FAILED_ACTIVE_HC", envoy::HostFlag::failed_active_hc},
    {"FAILED_OUTLIER_CHECK", envoy::HostFlag::failed_outlier_check},
    {"FAILED_EDS_HEALTH", envoy::HostFlag::failed_eds_health},
    {"DEGRADED_ACTIVE_HC", envoy::HostFlag::degraded_active_hc},
    {"DEGRADED_EDS_HEALTH", envoy::HostFlag::degraded_eds_health},
    {"PENDING_DYNAMIC_REMOVAL", envoy::HostFlag::pending_dynamic_removal},
    {"PENDING_ACTIVE_HC", envoy::HostFlag::pending_active_hc},
    {"EXCLUDED_VIA_IMMEDIATE_HC_FAIL", envoy::HostFlag::excluded_via_immediate_hc_fail},
    {"ACTIVE_HC_TIMEOUT", envoy::HostFlag::active_hc_timeout},
    {"EDS_STATUS_DRAINING", envoy::HostFlag::eds_status_draining},
};

const std::map<std::string, config::HealthStatus> statuses = {
    {"UNKNOWN", config::HealthStatus::unknown},     {"HEALTHY", config::HealthStatus::healthy},
    {"UNHEALTHY", config::HealthStatus::unhealthy}, {"DRAINING", config::HealthStatus::draining},
    {"TIMEOUT", config::HealthStatus::timeout},     {"DEGRADED", config::HealthStatus::degraded},
};

}  // namespace

envoy::HostFlags flags_of(const json& names) {
  envoy::HostFlags flags;
  for (const json& name : names) {
    flags.set(host_flags.at(name.get<std::string>()));
  }
  return flags;
}

std::string name_of(envoy::Health health) {
  static const std::map<envoy::Health, std::string> names = {{envoy::Health::unhealthy, "unhealthy"},
                                                             {envoy::Health::degraded, "degraded"},
                                                             {envoy::Health::healthy, "healthy"}};
  return names.at(health);
}

config::HealthStatus health_status_of(const std::string& name) {
  return statuses.at(name);
}

std::string name_of(config::HealthStatus status) {
  for (const auto& [name, value] : statuses) {
    if (value == status) {
      return name;
    }
  }
  throw std::invalid_argument("no health status");
}

// The flags of a case and those that its EDS status sets.
void replay_host_coarse_health(const json& input, Check& check) {
  envoy::HostFlags flags = envoy::eds_health_flags(health_status_of(input.at("eds_status").get<std::string>()),
                                                   config::EnvoyProfile::current);
  flags.add(flags_of(input.at("flags")));
  check.equal("coarse", name_of(envoy::coarse_health(flags)));
  check.equal("excluded", envoy::is_excluded(flags));
}

void replay_host_health_status(const json& input, Check& check) {
  check.equal_whole(name_of(envoy::detailed_health(health_status_of(input.at("eds_status").get<std::string>()),
                                                   flags_of(input.at("flags")))));
}

}  // namespace spillway::conformance
