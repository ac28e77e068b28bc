#include "models/config/retry_policy.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "models/config/trimmed.hpp"

namespace spillway::config {

namespace {

constexpr std::array<std::pair<std::string_view, RetryOn>, 16> names = {{
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
}};

}  // namespace

RetryConditions parse_retry_on(std::string_view text, std::vector<std::string>* unknown) {
  RetryConditions result;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto found =
        std::find_if(names.begin(), names.end(), [word](const auto& name) { return name.first == word; });
    if (found != names.end()) {
      result.set(found->second);
    } else if (unknown != nullptr && !word.empty()) {
      unknown->emplace_back(word);
    }
  }
  return result;
}

std::string text(const RetryConditions& conditions) {
  std::string result;
  for (const auto& [name, condition] : names) {
    if (conditions.has(condition)) {
      result += (result.empty() ? "" : ",") + std::string(name);
    }
  }
  return result;
}

std::chrono::milliseconds effective_base_interval(const RetryBackOff& back_off) noexcept {
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(back_off.base_interval);
  return std::max(whole, std::chrono::milliseconds{1});
}

std::chrono::milliseconds effective_max_interval(const RetryBackOff& back_off) noexcept {
  if (!back_off.max_interval) {
    return effective_base_interval(back_off) * max_interval_multiplier;
  }
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(*back_off.max_interval);
  return std::max(whole, std::chrono::milliseconds{1});
}

Refusal refusal(const RetryPolicy& config) {
  const RetryBackOff& back_off = config.retry_back_off;
  if (back_off.base_interval.count() <= 0) {
    return within("retry_back_off", out_of_bounds("RetryBackOff", "base_interval", "value must be greater than 0s"));
  }
  if (back_off.max_interval && back_off.max_interval->count() <= 0) {
    return within("retry_back_off", out_of_bounds("RetryBackOff", "max_interval", "value must be greater than 0s"));
  }
  if (effective_max_interval(back_off) < effective_base_interval(back_off)) {
    return Reason{"retry_policy.max_interval must greater than or equal to the base_interval",
                  {"retry_back_off.max_interval", "retry_back_off.base_interval"}};
  }
  return std::nullopt;
}

}  // namespace spillway::config
