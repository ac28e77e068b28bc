#include "sim/scenario/meaning/health_check.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "models/envoy/stateful_session/stateful_session.hpp"
#include "sim/scenario/meaning/policy_parts.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;
using written::HealthCheck;

std::optional<std::string> bytes_of_hex(const std::string& text) {
  const auto digit = [](char c) -> int {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  if (text.size() % 2 != 0 || std::any_of(text.begin(), text.end(), [&](char c) { return digit(c) < 0; })) {
    return std::nullopt;
  }
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return bytes;
}

std::string bytes_of(const HealthCheck::Payload& payload, Diagnostics& problems) {
  const bool hex = payload.text.present;
  const Field<std::string>& field = hex ? payload.text : payload.binary;
  if (!field) {
    return {};
  }
  const auto bytes = hex ? bytes_of_hex(*field) : envoy::stateful_session::decode_base64(*field);
  if (!bytes) {
    problems.push_back(error("SP024", "cannot read a payload", field.where,
                             hex ? "must be pairs of hexadecimal digits" : "must be base64 with padding"));
  }
  return bytes.value_or("");
}

std::vector<std::string> all_bytes(const Field<std::vector<Field<HealthCheck::Payload>>>& payloads,
                                   Diagnostics& problems) {
  std::vector<std::string> all;
  for (const auto& payload : *payloads) {
    all.push_back(bytes_of(*payload, problems));
  }
  return all;
}

std::vector<config::StatusRange> ranges_of(const Field<std::vector<Field<written::Int64Range>>>& ranges) {
  std::vector<config::StatusRange> all;
  for (const auto& range : *ranges) {
    all.push_back({range->start.value_or(0), range->end.value_or(0)});
  }
  return all;
}

std::optional<config::ServiceNameMatcher> matcher_of(const Field<written::StringMatcher>& field,
                                                     Diagnostics& problems) {
  using Pattern = config::ServiceNameMatcher::Pattern;
  if (!field) {
    return std::nullopt;
  }
  if (field->safe_regex.present) {
    problems.push_back(error("SP302", "a service name by a regular expression is not supported yet",
                             field->safe_regex.key, "must be exact, prefix, suffix or contains"));
  }
  config::ServiceNameMatcher matcher;
  for (const auto& [pattern, text] :
       {std::pair{Pattern::exact, &field->exact}, std::pair{Pattern::prefix, &field->prefix},
        std::pair{Pattern::suffix, &field->suffix}, std::pair{Pattern::contains, &field->contains}}) {
    if (text->present) {
      matcher.pattern = pattern;
      matcher.text = text->value_or("");
    }
  }
  matcher.ignore_case = field->ignore_case.value_or(false);
  return matcher;
}

config::HttpHealthCheck http_of(const HealthCheck::HttpHealthCheck& written, Diagnostics& problems) {
  config::HttpHealthCheck http;
  http.host = written.host.value_or("");
  http.path = written.path.value_or("");
  if (written.method.value_or(0) > 0) {
    http.method = HealthCheck::HttpHealthCheck::methods[*written.method];
  }
  http.send = bytes_of(*written.send, problems);
  http.receive = all_bytes(written.receive, problems);
  take_number(written.response_buffer_size, http.response_buffer_size);
  http.expected_statuses = ranges_of(written.expected_statuses);
  http.retriable_statuses = ranges_of(written.retriable_statuses);
  http.service_name_matcher = matcher_of(written.service_name_matcher, problems);
  return http;
}

template <class Value, class Into>
void take_optional(const Field<Value>& field, std::optional<Into>& into) {
  if (field) {
    into = static_cast<Into>(*field);
  }
}

config::HealthCheck check_of(const HealthCheck& written, Diagnostics& problems) {
  config::HealthCheck check;
  check.name = written.name.value_or("");
  take_optional(written.timeout, check.timeout);
  take_optional(written.interval, check.interval);
  take_optional(written.unhealthy_threshold, check.unhealthy_threshold);
  take_optional(written.healthy_threshold, check.healthy_threshold);
  take_number(written.initial_jitter, check.initial_jitter);
  take_number(written.interval_jitter, check.interval_jitter);
  take_number(written.interval_jitter_percent, check.interval_jitter_percent);
  take_number(written.no_traffic_interval, check.no_traffic_interval);
  take_optional(written.no_traffic_healthy_interval, check.no_traffic_healthy_interval);
  take_optional(written.unhealthy_interval, check.unhealthy_interval);
  take_optional(written.unhealthy_edge_interval, check.unhealthy_edge_interval);
  take_optional(written.healthy_edge_interval, check.healthy_edge_interval);
  if (written.tcp_health_check.present) {
    check.health_checker = config::TcpHealthCheck{bytes_of(*written.tcp_health_check->send, problems),
                                                  all_bytes(written.tcp_health_check->receive, problems)};
  } else if (written.grpc_health_check.present) {
    check.health_checker = config::GrpcHealthCheck{written.grpc_health_check->service_name.value_or(""),
                                                   written.grpc_health_check->authority.value_or("")};
  } else {
    check.health_checker = http_of(*written.http_health_check, problems);
  }
  return check;
}

// Whether everything that Envoy looks at could be read.
bool readable(const HealthCheck& written) {
  const auto fine = [](const auto& field) { return field.present == field.given; };
  return fine(written.timeout) && fine(written.interval) && fine(written.unhealthy_threshold) &&
         fine(written.healthy_threshold) && fine(written.http_health_check) && fine(written.http_health_check->path) &&
         fine(written.name) &&
         (written.http_health_check.present || written.tcp_health_check.present || written.grpc_health_check.present);
}

config::CircuitBreakerThresholds thresholds_of(const written::CircuitBreakers::Thresholds& written) {
  config::CircuitBreakerThresholds thresholds;
  take_number(written.priority, thresholds.priority);
  take_optional(written.max_connections, thresholds.max_connections);
  take_optional(written.max_pending_requests, thresholds.max_pending_requests);
  take_optional(written.max_requests, thresholds.max_requests);
  take_optional(written.max_retries, thresholds.max_retries);
  take_optional(written.max_connection_pools, thresholds.max_connection_pools);
  thresholds.track_remaining = written.track_remaining.value_or(false);
  if (written.retry_budget) {
    thresholds.retry_budget = config::RetryBudget{};
    take_optional(written.retry_budget->min_retry_concurrency, thresholds.retry_budget->min_retry_concurrency);
    if (written.retry_budget->budget_percent) {
      thresholds.retry_budget->budget_percent =
          config::Percent{written.retry_budget->budget_percent->value.value_or(0.0)};
    }
  }
  return thresholds;
}

}  // namespace

std::vector<config::HealthCheck> read_health_checks(const written::Cluster& cluster, Diagnostics& problems) {
  std::vector<config::HealthCheck> checks;
  bool fine = true;
  for (const auto& field : *cluster.health_checks) {
    checks.push_back(check_of(*field, problems));
    fine = fine && field && readable(*field) &&
           !refuse(config::refusal(checks.back()), {"this health check", field->source.object, field.where}, problems);
  }
  const auto reason = fine ? config::refusal(checks) : std::nullopt;
  if (reason) {
    // The check that it names, by its position.
    const std::string at = "index ";
    const std::size_t index =
        std::min<std::size_t>(std::stoul(reason->substr(reason->rfind(at) + at.size())), checks.size() - 1);
    const auto& field = (*cluster.health_checks)[index];
    refuse(reason, {"these health checks", nullptr, field->name ? field->name.where : field.where}, problems);
  }
  return checks;
}

config::CircuitBreakers read_circuit_breakers(const written::Cluster& cluster, Diagnostics& problems) {
  config::CircuitBreakers breakers;
  const auto& field = cluster.circuit_breakers;
  for (const auto& thresholds : *field->thresholds) {
    breakers.thresholds.push_back(thresholds_of(*thresholds));
  }
  for (const auto& thresholds : *field->per_host_thresholds) {
    breakers.per_host_thresholds.push_back(thresholds_of(*thresholds));
  }
  refuse(config::refusal(breakers), {"these circuit breakers", field->source.object, field.where}, problems);
  return breakers;
}

}  // namespace spillway::scenario::meaning
