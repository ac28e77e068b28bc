// The retries of one request: whether a response or a reset is retried, and how long the proxy waits first.
//
//   RetryState retries(policy);
//   if (retries.decide(retry_decision(policy, UpstreamAnswer{.status = 503}), breaker) == RetryStatus::yes) {
//     at(now + retries.back_off(draw), ...);       // the try begins then; breaker's retry is held until it is decided
//   }
//
// A circuit breaker's overflow is never retried. A breaker that prevents a retry uses up that retry as well.
// Source: docs/behaviour/envoy-host-pick.md 20; Envoy's retry_state_impl.cc and backoff_strategy.cc.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/retry_policy.hpp"
#include "models/health/circuit_breaker.hpp"

namespace spillway::health {

struct UpstreamAnswer {
  std::uint32_t status = 200;
  std::optional<std::uint32_t> grpc_status = {};
  bool x_envoy_ratelimited = false;
  std::vector<std::string> headers = {};  // lower-case names, for retriable-headers
};

// The reason for a missing response (Envoy's Http::StreamResetReason, with all connection failures as one).
enum class ResetReason : std::uint8_t {
  remote_reset,
  remote_refused_stream,
  local_reset,
  connection_failure,
  connection_termination,
  protocol_error,
  overflow,
  per_try_timeout,
};

enum class RetryDecision : std::uint8_t { no_retry, with_back_off, immediately };

// Returns the policy's verdict on a response or a reset. `request_started`: part of the request was sent upstream.
[[nodiscard]] RetryDecision retry_decision(const config::RetryPolicy& policy, const UpstreamAnswer& answer);
[[nodiscard]] RetryDecision retry_decision(const config::RetryPolicy& policy, ResetReason reason,
                                           bool request_started = true) noexcept;

// An exponential back-off with full jitter: up to base_interval before the first retry, doubled for each later one, up
// to max_interval.
class JitteredBackOff {
 public:
  explicit JitteredBackOff(const config::RetryBackOff& config) noexcept
      : next_(static_cast<std::uint64_t>(config::effective_base_interval(config).count())),
        max_(static_cast<std::uint64_t>(config::effective_max_interval(config).count())) {}

  template <class Draw>
  [[nodiscard]] std::chrono::milliseconds next(Draw& draw) {
    const std::uint64_t most = next_;
    next_ = next_ < max_ / 2 ? 2 * next_ : max_;
    return std::chrono::milliseconds{static_cast<std::int64_t>(draw() % most)};
  }

 private:
  std::uint64_t next_;
  std::uint64_t max_;
};

// Returns the wait requested by a rate-limiting host plus up to half as much again. Precondition: `reset` is above 1
// ms.
template <class Draw>
[[nodiscard]] std::chrono::milliseconds rate_limited_back_off(std::chrono::milliseconds reset, Draw& draw) {
  return reset +
         std::chrono::milliseconds{static_cast<std::int64_t>(draw() % (static_cast<std::uint64_t>(reset.count()) / 2))};
}

enum class RetryStatus : std::uint8_t { yes, no, no_overflow, no_retry_limit_exceeded };

class RetryState {
 public:
  // `num_retries` replaces the policy's, as x-envoy-max-retries does.
  explicit RetryState(const config::RetryPolicy& policy, std::optional<std::uint32_t> num_retries = {}) noexcept
      : remaining_(num_retries.value_or(policy.num_retries)), back_off_(policy.retry_back_off) {}

  // Decides on a retry. Takes a retry from the breaker and returns the one of the try that has ended. `enabled` is
  // runtime's upstream.use_retry, checked last as in Envoy.
  [[nodiscard]] RetryStatus decide(RetryDecision wanted, CircuitBreaker& breaker, bool enabled = true) noexcept;

  // Ends the request and returns the breaker resources that it holds.
  void finish(CircuitBreaker& breaker) noexcept;

  template <class Draw>
  [[nodiscard]] std::chrono::milliseconds back_off(Draw& draw) {
    return back_off_.next(draw);
  }

 private:
  std::uint32_t remaining_;
  JitteredBackOff back_off_;
  bool holds_retry_ = false;
};

// Returns how often a pick is repeated while host predicates reject it: 0 for the first try, then
// host_selection_retry_max_attempts (RequestContext::host_selection_retry_count).
[[nodiscard]] constexpr std::uint32_t host_selection_retry_count(const config::RetryPolicy& policy,
                                                                 bool is_retry) noexcept {
  return is_retry ? policy.host_selection_retry_max_attempts : 0;
}

}  // namespace spillway::health
