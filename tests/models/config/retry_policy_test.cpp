// Envoy's retry policies: envoy/config/route/v3/route_components.proto, x-envoy-retry-on of the router filter's page,
// and RetryPolicyImpl of Envoy's common/router/config_impl.cc.
#include "models/config/retry_policy.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace spillway::config {

using namespace std::chrono_literals;

namespace {

std::string refusal_of(RetryBackOff back_off) {
  RetryPolicy policy;
  policy.retry_back_off = back_off;
  return text_of(refusal(policy));
}

}  // namespace

TEST_CASE("retry policy: every condition has its word") {
  const std::pair<const char*, RetryOn> words[] = {
      {"5xx", RetryOn::on_5xx},
      {"gateway-error", RetryOn::gateway_error},
      {"connect-failure", RetryOn::connect_failure},
      {"envoy-ratelimited", RetryOn::envoy_ratelimited},
      {"retriable-4xx", RetryOn::retriable_4xx},
      {"refused-stream", RetryOn::refused_stream},
      {"retriable-status-codes", RetryOn::retriable_status_codes},
      {"retriable-headers", RetryOn::retriable_headers},
      {"reset", RetryOn::reset},
      {"reset-before-request", RetryOn::reset_before_request},
      {"http3-post-connect-failure", RetryOn::http3_post_connect_failure},
      {"cancelled", RetryOn::cancelled},
      {"deadline-exceeded", RetryOn::deadline_exceeded},
      {"resource-exhausted", RetryOn::resource_exhausted},
      {"unavailable", RetryOn::unavailable},
      {"internal", RetryOn::internal},
  };
  for (const auto& [word, condition] : words) {
    RetryConditions alone;
    alone.set(condition);
    CHECK(parse_retry_on(word) == alone);
    CHECK(text(alone) == word);
  }
}

TEST_CASE("retry policy: conditions stand between commas and what is unknown is ignored") {
  std::vector<std::string> unknown;
  const RetryConditions conditions = parse_retry_on(" 5xx,\tnever ,, reset\t,sometimes", &unknown);
  CHECK(text(conditions) == "5xx,reset");
  CHECK(unknown == std::vector<std::string>{"never", "sometimes"});
  CHECK(parse_retry_on("never,5xx").has(RetryOn::on_5xx));
  CHECK(parse_retry_on("").empty());
  CHECK(parse_retry_on(" , ").empty());
  CHECK(text(RetryConditions()).empty());
}

TEST_CASE("retry policy: back-off is in whole milliseconds and 1 ms at least") {
  CHECK(effective_base_interval({}) == 25ms);
  CHECK(effective_base_interval({.base_interval = 1ns}) == 1ms);
  CHECK(effective_base_interval({.base_interval = 2999us}) == 2ms);
  CHECK(effective_max_interval({}) == 250ms);
  CHECK(effective_max_interval({.base_interval = 3ms, .max_interval = 1ns}) == 1ms);
  CHECK(effective_max_interval({.base_interval = 3ms, .max_interval = 4999us}) == 4ms);
}

TEST_CASE("retry policy: intervals are above 0 and the longest is no shorter than the first") {
  CHECK(refusal_of({}).empty());
  CHECK(refusal_of({.base_interval = 0ns}) ==
        "RetryBackOffValidationError.BaseInterval: value must be greater than 0s");
  CHECK(refusal_of({.base_interval = 1ns}).empty());
  CHECK(refusal_of({.base_interval = 1ns, .max_interval = 0ns}) ==
        "RetryBackOffValidationError.MaxInterval: value must be greater than 0s");
  CHECK(refusal_of({.base_interval = 1ns, .max_interval = 1ns}).empty());
  CHECK(refusal_of({.base_interval = 2ms, .max_interval = 2ms}).empty());
  CHECK(refusal_of({.base_interval = 2ms, .max_interval = 1999us}) ==
        "retry_policy.max_interval must greater than or equal to the base_interval");
}

}  // namespace spillway::config
