#include <map>
#include <stdexcept>

#include "models/envoy/priority_load.hpp"
#include "models/envoy/retry_priority.hpp"
#include "models/health/circuit_breaker.hpp"
#include "models/health/retry_state.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

namespace {

using health::ResetReason;
using health::RetryDecision;

const std::map<std::string, ResetReason> reset_reasons = {
    {"remote-reset", ResetReason::remote_reset},
    {"remote-refused-stream", ResetReason::remote_refused_stream},
    {"remote-refused-stream-reset", ResetReason::remote_refused_stream},
    {"refused-stream", ResetReason::remote_refused_stream},
    {"local-reset", ResetReason::local_reset},
    {"connect-failure", ResetReason::connection_failure},
    {"connection-failure", ResetReason::connection_failure},
    {"connection-timeout", ResetReason::connection_failure},
    {"connection-termination", ResetReason::connection_termination},
    {"protocol-error", ResetReason::protocol_error},
    {"overflow", ResetReason::overflow},
    {"per-try-timeout", ResetReason::per_try_timeout},
};

config::RetryPolicy policy_of(const json& input) {
  config::RetryPolicy policy;
  std::string conditions;
  for (const json& condition : input.at("retry_on")) {
    conditions += (conditions.empty() ? "" : ",") + condition.get<std::string>();
  }
  std::vector<std::string> unknown;
  policy.retry_on = config::parse_retry_on(conditions, &unknown);
  if (!unknown.empty()) {
    throw std::invalid_argument("unknown condition " + unknown.front());
  }
  policy.retriable_status_codes = input.value("retriable_status_codes", std::vector<std::uint32_t>());
  policy.retriable_headers = input.value("retriable_headers", std::vector<std::string>());
  return policy;
}

RetryDecision decision_of(const config::RetryPolicy& policy, const json& event) {
  if (event.contains("reset")) {
    return retry_decision(policy, reset_reasons.at(event.at("reset").get<std::string>()),
                          event.value("request_started", true));
  }
  health::UpstreamAnswer answer{.status = event.at("status").get<std::uint32_t>()};
  for (const auto& [field, value] : event.items()) {
    if (field == "grpc_status") {
      answer.grpc_status = value.get<std::uint32_t>();
    } else if (field == "x-envoy-ratelimited") {
      answer.x_envoy_ratelimited = value.get<bool>();
    } else if (field == "headers") {
      answer.headers = value.get<std::vector<std::string>>();
    } else if (field != "status") {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  return retry_decision(policy, answer);
}

config::RetryBudget budget_of(const json& input) {
  return {config::Percent{input.at("budget_percent").get<double>()},
          input.at("min_retry_concurrency").get<std::uint32_t>()};
}

}  // namespace

void replay_retry_decision(const json& input, Check& check) {
  for (const auto& [field, value] : input.items()) {
    if (field != "retry_on" && field != "event" && field != "retriable_status_codes" && field != "retriable_headers") {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  health::CircuitBreaker breaker({}, config::RoutingPriority::default_priority);
  const config::RetryPolicy policy = policy_of(input);
  health::RetryState retries(policy);
  const bool yes = retries.decide(decision_of(policy, input.at("event")), breaker) == health::RetryStatus::yes;
  check.equal_whole(yes ? "yes" : "no");
}

void replay_retry_backoff(const json& input, Check& check) {
  health::JitteredBackOff back_off({std::chrono::milliseconds{input.at("base_interval_ms").get<std::int64_t>()},
                                    std::chrono::milliseconds{input.at("max_interval_ms").get<std::int64_t>()}});
  ListedDraws draws(input.at("draws"));
  json waits = json::array();
  for (std::size_t retry = 0; retry < input.at("draws").size(); ++retry) {
    waits.push_back(back_off.next(draws).count());
  }
  check.equal_whole(waits);
}

void replay_retry_rate_limited_backoff(const json& input, Check& check) {
  const auto draw = [&] { return input.at("draw").get<std::uint64_t>(); };
  const std::chrono::milliseconds reset_after{input.at("reset_ms").get<std::int64_t>()};
  check.equal_whole(health::rate_limited_back_off(reset_after, draw).count());
}

void replay_retry_host_selection_attempts(const json& input, Check& check) {
  config::RetryPolicy policy;
  policy.host_selection_retry_max_attempts = input.at("host_selection_retry_max_attempts").get<std::uint32_t>();
  const std::uint32_t again = health::host_selection_retry_count(policy, true);
  check.equal("host_selection_retry_count", again);
  check.equal("total_picks_per_retry", again + 1);
}

// Every excluded priority was tried once before.
void replay_retry_excluded_priorities(const json& input, Check& check) {
  const auto health = input.at("priority_health").get<std::vector<std::uint32_t>>();
  const auto degraded = input.at("priority_degraded").get<std::vector<std::uint32_t>>();
  std::vector<envoy::PriorityAvailability> availability;
  for (std::size_t priority = 0; priority < health.size(); ++priority) {
    availability.push_back({health[priority], degraded.at(priority)});
  }
  envoy::PreviousPriorities retry(1);
  for (std::uint32_t priority = 0; priority < health.size(); ++priority) {
    if (input.at("excluded").at(priority).get<bool>()) {
      retry.on_host_attempted(config::Priority{priority});
    }
  }
  const envoy::HealthyAndDegradedLoad none;
  const envoy::HealthyAndDegradedLoad& load = retry.priority_load(availability, none);
  check.equal("healthy_load", load.healthy);
  check.equal("degraded_load", load.degraded);
  check.documentation("note");
}

void replay_retry_budget_max(const json& input, Check& check) {
  check.equal_whole(health::max_retries_of_budget(budget_of(input), input.at("active").get<std::uint64_t>(),
                                                  input.at("pending").get<std::uint64_t>()));
}

void replay_retry_budget_allowed(const json& input, Check& check) {
  config::CircuitBreakers config;
  config.thresholds.push_back({.retry_budget = budget_of(input)});
  health::CircuitBreaker breaker(config, config::RoutingPriority::default_priority);
  const auto hold = [&](const char* field, health::Resource resource) {
    for (std::uint64_t held = 0; held < input.at(field).get<std::uint64_t>(); ++held) {
      breaker.increase(resource);
    }
  };
  hold("active", health::Resource::requests);
  hold("pending", health::Resource::pending_requests);
  hold("outstanding_retries", health::Resource::retries);
  check.equal_whole(breaker.can_create(health::Resource::retries));
}

}  // namespace spillway::conformance
