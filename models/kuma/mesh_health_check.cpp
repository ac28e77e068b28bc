#include "models/kuma/mesh_health_check.hpp"

#include <algorithm>

#include "models/config/common_lb_config.hpp"
#include "models/config/health_check.hpp"
#include "models/config/lower_ascii.hpp"
#include "models/kuma/merge_fields.hpp"
#include "models/kuma/policy_checks.hpp"
#include "models/kuma/validation.hpp"

namespace spillway::kuma {

namespace {

void merge_tcp(TcpHealthCheck& check, const TcpHealthCheck& patch) {
  replace(check.disabled, patch.disabled);
  replace(check.send, patch.send);
  replace(check.receive, patch.receive);
}

void merge_headers(HeaderModifier& headers, const HeaderModifier& patch) {
  replace(headers.set, patch.set);
  replace(headers.add, patch.add);
  replace(headers.remove, patch.remove);
}

void merge_http(HttpHealthCheck& check, const HttpHealthCheck& patch) {
  replace(check.disabled, patch.disabled);
  replace(check.path, patch.path);
  replace(check.expectedStatuses, patch.expectedStatuses);
  merge(check.requestHeadersToAdd, patch.requestHeadersToAdd, merge_headers);
}

void merge_grpc(GrpcHealthCheck& check, const GrpcHealthCheck& patch) {
  replace(check.disabled, patch.disabled);
  replace(check.serviceName, patch.serviceName);
  replace(check.authority, patch.authority);
}

template <class Check>
bool is_on(const std::optional<Check>& check) {
  return check && !check->disabled.value_or(false);
}

template <class Check>
bool is_switched_off(const std::optional<Check>& check) {
  return check && check->disabled.value_or(false);
}

using HealthChecker = decltype(config::HealthCheck::health_checker);

HealthChecker http_checker(const HttpHealthCheck& conf) {
  config::HttpHealthCheck check;
  check.path = conf.path.value_or("/");
  for (const std::uint32_t status : conf.expectedStatuses.value_or(std::vector<std::uint32_t>{})) {
    check.expected_statuses.push_back({status, std::int64_t{status} + 1});
  }
  return check;
}

HealthChecker tcp_checker(const TcpHealthCheck& conf) {
  return config::TcpHealthCheck{conf.send.value_or(""), conf.receive.value_or(std::vector<std::string>{})};
}

// Returns the check for the protocol; nullopt if there is none.
std::optional<HealthChecker> checker_for(const HealthCheckConf& conf, const std::string& protocol) {
  switch (kind_of_check(conf, protocol)) {
    case CheckKind::http:
      return http_checker(*conf.http);
    case CheckKind::grpc:
      return config::GrpcHealthCheck{conf.grpc->serviceName.value_or(""), conf.grpc->authority.value_or("")};
    case CheckKind::tcp:
      return tcp_checker(*conf.tcp);
    case CheckKind::none:
      break;
  }
  return std::nullopt;
}

void set_fail_traffic_on_panic(bool value, config::CommonLbConfig& common) {
  if (auto* const zone_aware = std::get_if<config::ZoneAwareLbConfig>(&common.locality_config_specifier)) {
    zone_aware->fail_traffic_on_panic = value;
  }
}

config::HealthCheck envoys_check(const HealthCheckConf& conf, HealthChecker checker) {
  config::HealthCheck check;
  check.interval = conf.interval.value_or(std::chrono::minutes{1});
  check.timeout = conf.timeout.value_or(std::chrono::seconds{15});
  check.unhealthy_threshold = conf.unhealthyThreshold.value_or(5);
  check.healthy_threshold = conf.healthyThreshold.value_or(1);
  check.initial_jitter = conf.initialJitter.value_or(check.initial_jitter);
  check.interval_jitter = conf.intervalJitter.value_or(check.interval_jitter);
  check.interval_jitter_percent = conf.intervalJitterPercent.value_or(check.interval_jitter_percent);
  check.no_traffic_interval = conf.noTrafficInterval.value_or(check.no_traffic_interval);
  check.health_checker = std::move(checker);
  return check;
}

void check_http(const HttpHealthCheck& http, const std::string& path, Violations& violations) {
  if (http.path && http.path->empty()) {
    violations.push_back({path + ".path", "must be defined"});
  }
  const auto statuses = http.expectedStatuses.value_or(std::vector<std::uint32_t>{});
  for (std::size_t index = 0; index < statuses.size(); ++index) {
    if (statuses[index] < 100 || statuses[index] > 599) {
      violations.push_back({at(path, "expectedStatuses", index), "must be in inclusive range [100, 599]"});
    }
  }
}

bool is_one_of(char character, std::string_view characters) {
  return characters.find(character) != std::string_view::npos;
}

// True for a Windows path, or an absolute Unix path, as in govalidator's IsFilePath.
bool is_file_path(std::string_view path) {
  if (path.starts_with('/')) {
    return path.find('\0') == std::string_view::npos;
  }
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (path.size() < 3 || !is_letter(path[0]) || path[1] != ':' || path[2] != '\\') {
    return false;
  }
  const std::string_view parts = path.substr(3);
  const bool whole = parts.find("\\\\") == std::string_view::npos && !parts.starts_with('\\');
  return whole && std::none_of(parts.begin(), parts.end(), [](char c) { return is_one_of(c, "/:*?\"<>|\r\n"); });
}

void check_health_conf(const HealthCheckConf& conf, const std::string& path, Violations& violations) {
  check_positive(conf.interval, path + ".interval", violations);
  check_positive(conf.timeout, path + ".timeout", violations);
  check_threshold(conf.unhealthyThreshold, path + ".unhealthyThreshold", violations);
  check_threshold(conf.healthyThreshold, path + ".healthyThreshold", violations);
  check_positive(conf.initialJitter, path + ".initialJitter", violations);
  check_positive(conf.intervalJitter, path + ".intervalJitter", violations);
  check_percentage(conf.intervalJitterPercent, path + ".intervalJitterPercent", violations);
  check_percentage(conf.healthyPanicThreshold, path + ".healthyPanicThreshold", violations);
  check_positive(conf.noTrafficInterval, path + ".noTrafficInterval", violations);
  if (conf.eventLogPath && !is_file_path(*conf.eventLogPath)) {
    violations.push_back({path + ".eventLogPath", "must be a valid path when defined"});
  }
  if (conf.http) {
    check_http(*conf.http, path + ".http", violations);
  }
  if (!conf.http && !conf.tcp && !conf.grpc) {
    violations.push_back({path, "must have at least one defined: http, tcp, grpc"});
  }
}

}  // namespace

void merge_patch(HealthCheckConf& conf, const HealthCheckConf& patch) {
  replace(conf.interval, patch.interval);
  replace(conf.timeout, patch.timeout);
  replace(conf.unhealthyThreshold, patch.unhealthyThreshold);
  replace(conf.healthyThreshold, patch.healthyThreshold);
  replace(conf.initialJitter, patch.initialJitter);
  replace(conf.intervalJitter, patch.intervalJitter);
  replace(conf.intervalJitterPercent, patch.intervalJitterPercent);
  replace(conf.healthyPanicThreshold, patch.healthyPanicThreshold);
  replace(conf.failTrafficOnPanic, patch.failTrafficOnPanic);
  replace(conf.noTrafficInterval, patch.noTrafficInterval);
  replace(conf.reuseConnection, patch.reuseConnection);
  replace(conf.alwaysLogHealthCheckFailures, patch.alwaysLogHealthCheckFailures);
  merge(conf.tcp, patch.tcp, merge_tcp);
  merge(conf.http, patch.http, merge_http);
  merge(conf.grpc, patch.grpc, merge_grpc);
}

CheckKind kind_of_check(const HealthCheckConf& conf, std::string_view protocol) {
  const bool http = protocol == "http" || protocol == "http2";
  if (http && is_on(conf.http)) {
    return CheckKind::http;
  }
  if (protocol == "grpc" && is_on(conf.grpc)) {
    return CheckKind::grpc;
  }
  const bool falls_back = (http && is_switched_off(conf.http)) || (protocol == "grpc" && is_switched_off(conf.grpc));
  return (protocol == "tcp" || falls_back) && is_on(conf.tcp) ? CheckKind::tcp : CheckKind::none;
}

void apply(const HealthCheckConf& conf, std::string_view protocol, config::KumaProfile profile,
           HealthCheckTarget cluster) {
  if (conf.healthyPanicThreshold && profile != config::KumaProfile::head) {
    cluster.common_lb_config.healthy_panic_threshold = percent_of(*conf.healthyPanicThreshold);
  }
  if (conf.failTrafficOnPanic) {
    set_fail_traffic_on_panic(*conf.failTrafficOnPanic, cluster.common_lb_config);
  }
  if (auto checker = checker_for(conf, config::to_lower_ascii(std::string(protocol)))) {
    cluster.health_checks.push_back(envoys_check(conf, std::move(*checker)));
  }
}

std::vector<Violation> validate(const MeshHealthCheck& policy, config::KumaProfile profile) {
  Violations violations;
  check_targets(policy, {.profile = profile}, violations, check_health_conf);
  return violations;
}

}  // namespace spillway::kuma
