#include "models/health/retry_state.hpp"

#include <catch2/catch.hpp>

#include "tests/support/draws.hpp"

using namespace std::chrono_literals;
using spillway::config::CircuitBreakers;
using spillway::config::parse_retry_on;
using spillway::config::RetryPolicy;
using spillway::config::RoutingPriority;
using spillway::health::CircuitBreaker;
using spillway::health::JitteredBackOff;
using spillway::health::ResetReason;
using spillway::health::Resource;
using spillway::health::retry_decision;
using spillway::health::RetryDecision;
using spillway::health::RetryState;
using spillway::health::RetryStatus;
using spillway::health::UpstreamAnswer;
using spillway::support::Script;

namespace {

RetryPolicy policy(const char* retry_on) {
  RetryPolicy result;
  result.retry_on = parse_retry_on(retry_on);
  return result;
}

bool retries(const RetryPolicy& policy, const UpstreamAnswer& answer) {
  return retry_decision(policy, answer) == RetryDecision::with_back_off;
}

bool retries(const RetryPolicy& policy, ResetReason reason) {
  return retry_decision(policy, reason) == RetryDecision::with_back_off;
}

}  // namespace

TEST_CASE("conditions stand between commas, and unknown ones are told apart") {
  std::vector<std::string> unknown;
  const auto conditions = parse_retry_on("5xx, reset ,retry-harder,cancelled", &unknown);
  CHECK(conditions == parse_retry_on("cancelled,5xx,reset"));
  CHECK(unknown == std::vector<std::string>{"retry-harder"});
  CHECK(parse_retry_on("").empty());
}

TEST_CASE("5xx and gateway errors retry answers and resets, but never an overflow") {
  CHECK(retries(policy("5xx"), {.status = 500}));
  CHECK_FALSE(retries(policy("5xx"), {.status = 429}));
  CHECK(retries(policy("gateway-error"), {.status = 502}));
  CHECK_FALSE(retries(policy("gateway-error"), {.status = 500}));
  CHECK(retries(policy("5xx"), ResetReason::remote_reset));
  CHECK(retries(policy("gateway-error"), ResetReason::per_try_timeout));
  CHECK_FALSE(retries(policy("5xx,reset,connect-failure"), ResetReason::overflow));
}

TEST_CASE("connect-failure retries what never got a connection") {
  CHECK(retries(policy("connect-failure"), ResetReason::connection_failure));
  CHECK_FALSE(retries(policy("connect-failure"), ResetReason::remote_reset));
  CHECK(retries(policy("refused-stream"), ResetReason::remote_refused_stream));
  CHECK_FALSE(retries(policy("refused-stream"), ResetReason::remote_reset));
}

TEST_CASE("reset-before-request retries while nothing of the request went upstream") {
  CHECK(retry_decision(policy("reset-before-request"), ResetReason::remote_reset, false) ==
        RetryDecision::with_back_off);
  CHECK(retry_decision(policy("reset-before-request"), ResetReason::remote_reset, true) == RetryDecision::no_retry);
}

TEST_CASE("single statuses, gRPC statuses and headers have conditions of their own") {
  CHECK(retries(policy("retriable-4xx"), {.status = 409}));
  CHECK_FALSE(retries(policy("retriable-4xx"), {.status = 400}));
  CHECK(retries(policy("unavailable"), {.grpc_status = 14}));
  CHECK_FALSE(retries(policy("unavailable"), {.grpc_status = 13}));
  RetryPolicy codes = policy("retriable-status-codes");
  codes.retriable_status_codes = {418, 425};
  CHECK(retries(codes, {.status = 418}));
  CHECK(retry_decision(codes, UpstreamAnswer{.status = 425}) == RetryDecision::immediately);
  RetryPolicy headers = policy("retriable-headers");
  headers.retriable_headers = {"x-retry"};
  CHECK(retries(headers, {.headers = {"server", "x-retry"}}));
  CHECK_FALSE(retries(headers, {.headers = {"server"}}));
}

TEST_CASE("an answer of a rate-limiting Envoy is retried under its own condition only") {
  CHECK_FALSE(retries(policy("5xx"), {.status = 503, .x_envoy_ratelimited = true}));
  CHECK(retries(policy("envoy-ratelimited"), {.status = 429, .x_envoy_ratelimited = true}));
}

TEST_CASE("a request has one retry unless said otherwise") {
  CircuitBreaker breaker({}, RoutingPriority::default_priority);
  RetryState retries(policy("5xx"));
  CHECK(retries.decide(RetryDecision::with_back_off, breaker) == RetryStatus::yes);
  CHECK(breaker.count(Resource::retries) == 1);
  CHECK(retries.decide(RetryDecision::with_back_off, breaker) == RetryStatus::no_retry_limit_exceeded);
  CHECK(breaker.count(Resource::retries) == 0);
  RetryState more(policy("5xx"), 3);
  for (int retry = 0; retry < 3; ++retry) {
    CHECK(more.decide(RetryDecision::with_back_off, breaker) == RetryStatus::yes);
  }
  CHECK(more.decide(RetryDecision::with_back_off, breaker) == RetryStatus::no_retry_limit_exceeded);
}

TEST_CASE("a full breaker keeps a retry from being made and uses it up all the same") {
  CircuitBreaker breaker(CircuitBreakers{.thresholds = {{.max_retries = 1}}}, RoutingPriority::default_priority);
  RetryState first(policy("5xx"));
  RetryState second(policy("5xx"));
  REQUIRE(first.decide(RetryDecision::with_back_off, breaker) == RetryStatus::yes);
  CHECK(second.decide(RetryDecision::with_back_off, breaker) == RetryStatus::no_overflow);
  first.finish(breaker);
  CHECK(breaker.count(Resource::retries) == 0);
  CHECK(second.decide(RetryDecision::with_back_off, breaker) == RetryStatus::no_retry_limit_exceeded);
}

TEST_CASE("the back-off doubles its range up to the maximum") {
  // Envoy's retry_state_impl_test.cc, CustomBackOffInterval.
  JitteredBackOff back_off({.base_interval = 100ms, .max_interval = 1200ms});
  Script draws({149, 350, 751, 2399, 2399});
  for (const auto wait : {49ms, 150ms, 351ms, 799ms, 1199ms}) {
    CHECK(back_off.next(draws) == wait);
  }
}

TEST_CASE("a host that limits rates is given its time and up to half as much again") {
  Script draws({2190});
  CHECK(spillway::health::rate_limited_back_off(5000ms, draws) == 7190ms);
}

TEST_CASE("Envoy refuses a longest back-off below the base") {
  RetryPolicy config;
  config.retry_back_off = {.base_interval = 100ms, .max_interval = 99ms};
  CHECK(refusal(config) == "retry_policy.max_interval must greater than or equal to the base_interval");
}
