// Settings by which a proxy retries a request (envoy.config.route.v3.RetryPolicy). Field names are Envoy's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/config/metadata.hpp"
#include "models/config/refusal.hpp"

namespace spillway::config {

// The conditions of retry_on, including those for gRPC.
enum class RetryOn : std::uint32_t {
  on_5xx = 1U << 0U,
  gateway_error = 1U << 1U,
  connect_failure = 1U << 2U,
  envoy_ratelimited = 1U << 3U,
  retriable_4xx = 1U << 4U,
  refused_stream = 1U << 5U,
  retriable_status_codes = 1U << 6U,
  retriable_headers = 1U << 7U,
  reset = 1U << 8U,
  reset_before_request = 1U << 9U,
  http3_post_connect_failure = 1U << 10U,
  cancelled = 1U << 11U,
  deadline_exceeded = 1U << 12U,
  resource_exhausted = 1U << 13U,
  unavailable = 1U << 14U,
  internal = 1U << 15U,
};

class RetryConditions {
 public:
  constexpr void set(RetryOn condition) noexcept { bits_ |= static_cast<std::uint32_t>(condition); }
  [[nodiscard]] constexpr bool has(RetryOn condition) const noexcept {
    return (bits_ & static_cast<std::uint32_t>(condition)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }

  friend constexpr bool operator==(const RetryConditions&, const RetryConditions&) = default;

 private:
  std::uint32_t bits_ = 0;
};

// Parses "5xx,reset,cancelled": conditions separated by commas, blanks trimmed. Envoy ignores unknown conditions; they
// are added to `unknown`, if not null, for warnings.
[[nodiscard]] RetryConditions parse_retry_on(std::string_view text, std::vector<std::string>* unknown = nullptr);

// Returns the text form, e.g. "5xx,reset"; the inverse of parse_retry_on().
[[nodiscard]] std::string text(const RetryConditions& conditions);

// envoy.retry_host_predicates: hosts that a retry skips.
struct PreviousHosts {};    // hosts that the request was sent to before
struct OmitCanaryHosts {};  // hosts whose endpoint metadata has envoy.lb canary: true
struct OmitHostMetadata {
  Struct metadata_match;  // of envoy.lb; hosts with all of these fields are skipped, no host if it is empty
};
using RetryHostPredicate = std::variant<PreviousHosts, OmitCanaryHosts, OmitHostMetadata>;

struct RetryBackOff {
  std::chrono::nanoseconds base_interval = std::chrono::milliseconds{25};
  std::optional<std::chrono::nanoseconds> max_interval = {};  // default: 10 times the base
};

struct RetryPolicy {
  RetryConditions retry_on = {};
  std::uint32_t num_retries = 1;
  std::optional<std::chrono::nanoseconds> per_try_timeout = {};
  std::vector<RetryHostPredicate> retry_host_predicate = {};
  std::uint32_t host_selection_retry_max_attempts = 1;
  // The update_frequency of retry_priority envoy.retry_priorities.previous_priorities; nullopt if not configured.
  std::optional<std::uint32_t> previous_priorities_update_frequency = {};
  std::vector<std::uint32_t> retriable_status_codes = {};
  std::vector<std::string> retriable_headers = {};  // lower-case names; the presence of one suffices
  RetryBackOff retry_back_off = {};
  // rate_limited_retry_back_off.max_interval. It applies only if one of the configured reset headers is present.
  std::chrono::nanoseconds rate_limited_max_interval = std::chrono::seconds{300};
};

inline constexpr std::uint32_t max_interval_multiplier = 10;

// Returns the interval as Envoy reads it: whole milliseconds, at least one.
[[nodiscard]] std::chrono::milliseconds effective_base_interval(const RetryBackOff& back_off) noexcept;
[[nodiscard]] std::chrono::milliseconds effective_max_interval(const RetryBackOff& back_off) noexcept;

// Returns why Envoy refuses this policy; nullopt if it accepts it.
[[nodiscard]] Refusal refusal(const RetryPolicy& config);

}  // namespace spillway::config
