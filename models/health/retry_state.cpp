#include "models/health/retry_state.hpp"

#include <algorithm>

namespace spillway::health {

using config::RetryOn;

namespace {

constexpr std::uint32_t conflict = 409;
constexpr std::uint32_t too_early = 425;

bool is_retriable_grpc_status(config::RetryConditions retry_on, std::uint32_t grpc_status) {
  switch (grpc_status) {
    case 1:
      return retry_on.has(RetryOn::cancelled);
    case 4:
      return retry_on.has(RetryOn::deadline_exceeded);
    case 8:
      return retry_on.has(RetryOn::resource_exhausted);
    case 13:
      return retry_on.has(RetryOn::internal);
    case 14:
      return retry_on.has(RetryOn::unavailable);
    default:
      return false;
  }
}

bool is_retriable_status(config::RetryConditions retry_on, std::uint32_t status) {
  return (retry_on.has(RetryOn::on_5xx) && status >= 500 && status < 600) ||
         (retry_on.has(RetryOn::gateway_error) && status >= 502 && status <= 504) ||
         (retry_on.has(RetryOn::retriable_4xx) && status == conflict);
}

}  // namespace

RetryDecision retry_decision(const config::RetryPolicy& policy, const UpstreamAnswer& answer) {
  const config::RetryConditions retry_on = policy.retry_on;
  // For a rate-limit response from an Envoy upstream, only the condition envoy-ratelimited counts.
  if (answer.x_envoy_ratelimited) {
    return retry_on.has(RetryOn::envoy_ratelimited) ? RetryDecision::with_back_off : RetryDecision::no_retry;
  }
  if (is_retriable_status(retry_on, answer.status)) {
    return RetryDecision::with_back_off;
  }
  const auto& codes = policy.retriable_status_codes;
  if (retry_on.has(RetryOn::retriable_status_codes) &&
      std::find(codes.begin(), codes.end(), answer.status) != codes.end()) {
    return answer.status == too_early ? RetryDecision::immediately : RetryDecision::with_back_off;
  }
  const bool has_header =
      std::find_first_of(policy.retriable_headers.begin(), policy.retriable_headers.end(), answer.headers.begin(),
                         answer.headers.end()) != policy.retriable_headers.end();
  if (retry_on.has(RetryOn::retriable_headers) && has_header) {
    return RetryDecision::with_back_off;
  }
  const bool retriable_grpc = answer.grpc_status && is_retriable_grpc_status(retry_on, *answer.grpc_status);
  return retriable_grpc ? RetryDecision::with_back_off : RetryDecision::no_retry;
}

RetryDecision retry_decision(const config::RetryPolicy& policy, ResetReason reason, bool request_started) noexcept {
  const config::RetryConditions retry_on = policy.retry_on;
  if (reason == ResetReason::overflow) {
    return RetryDecision::no_retry;
  }
  const bool retries = (reason == ResetReason::connection_failure && retry_on.has(RetryOn::connect_failure)) ||
                       (!request_started && retry_on.has(RetryOn::reset_before_request)) ||
                       retry_on.has(RetryOn::reset) || retry_on.has(RetryOn::on_5xx) ||
                       retry_on.has(RetryOn::gateway_error) ||
                       (reason == ResetReason::remote_refused_stream && retry_on.has(RetryOn::refused_stream));
  return retries ? RetryDecision::with_back_off : RetryDecision::no_retry;
}

RetryStatus RetryState::decide(RetryDecision wanted, CircuitBreaker& breaker, bool enabled) noexcept {
  finish(breaker);
  if (wanted == RetryDecision::no_retry) {
    return RetryStatus::no;
  }
  if (remaining_ == 0) {
    return RetryStatus::no_retry_limit_exceeded;
  }
  --remaining_;
  if (!breaker.can_create(Resource::retries)) {
    return RetryStatus::no_overflow;
  }
  if (!enabled) {
    return RetryStatus::no;
  }
  breaker.increase(Resource::retries);
  holds_retry_ = true;
  return RetryStatus::yes;
}

void RetryState::finish(CircuitBreaker& breaker) noexcept {
  if (holds_retry_) {
    breaker.decrease(Resource::retries);
    holds_retry_ = false;
  }
}

}  // namespace spillway::health
