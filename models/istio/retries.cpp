// The retry policies of routes.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/config/trimmed.hpp"
#include "models/istio/routes.hpp"

namespace spillway::istio {

namespace {

constexpr const char* default_retry_on = "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes";
constexpr std::string_view by_status_code = "retriable-status-codes";

// True for codes that have a text in Go's net/http, which istiod accepts as status codes.
bool is_status_code(std::uint32_t code) {
  constexpr std::pair<std::uint32_t, std::uint32_t> ranges[] = {{100, 103}, {200, 208}, {226, 226}, {300, 305},
                                                                {307, 308}, {400, 418}, {421, 426}, {428, 429},
                                                                {431, 431}, {451, 451}, {500, 508}, {510, 511}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const auto& range) { return code >= range.first && code <= range.second; });
}

// Moves the status codes in retry_on to the policy's list of codes. The other conditions stay, joined by commas.
void read_retry_on(std::string_view text, RetryPolicy& policy) {
  policy.retry_on.clear();
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = config::trimmed(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    std::uint32_t code = 0;
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), code);
    if (problem == std::errc() && end == part.data() + part.size() && is_status_code(code)) {
      policy.retriable_status_codes.push_back(code);
    } else if (!part.empty()) {
      policy.retry_on.append(policy.retry_on.empty() ? "" : ",").append(part);
    }
  }
  if (!policy.retriable_status_codes.empty() && policy.retry_on.find(by_status_code) == std::string::npos) {
    policy.retry_on.append(",").append(by_status_code);
  }
}

}  // namespace

std::optional<RetryPolicy> retry_policy_of(const std::optional<HttpRetry>& retries, bool hashes) {
  RetryPolicy policy{.retry_on = default_retry_on, .previous_hosts = !hashes};
  if (!retries) {
    return policy;
  }
  if (retries->attempts == 0) {
    return std::nullopt;
  }
  policy.num_retries = retries->attempts;
  if (!retries->retryOn.empty()) {
    read_retry_on(retries->retryOn, policy);
  }
  policy.per_try_timeout = retries->perTryTimeout;
  policy.previous_hosts = retries->retryIgnorePreviousHosts.value_or(policy.previous_hosts);
  policy.previous_priorities = retries->retryRemoteLocalities.value_or(false);
  policy.base_interval = retries->backoff;
  return policy;
}

config::RetryPolicy to_envoy(const RetryPolicy& policy) {
  config::RetryPolicy made;
  made.retry_on = config::parse_retry_on(policy.retry_on);
  made.num_retries = policy.num_retries;
  made.per_try_timeout = policy.per_try_timeout;
  if (policy.previous_hosts) {
    made.retry_host_predicate.emplace_back(config::PreviousHosts{});
  }
  made.host_selection_retry_max_attempts = 5;
  if (policy.previous_priorities) {
    made.previous_priorities_update_frequency = 2;
  }
  made.retriable_status_codes = policy.retriable_status_codes;
  made.retry_back_off.base_interval = policy.base_interval.value_or(made.retry_back_off.base_interval);
  return made;
}

}  // namespace spillway::istio
