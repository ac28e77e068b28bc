#include "models/health/check_answer.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "models/config/lower_ascii.hpp"

namespace spillway::health {

namespace {

bool in_ranges(std::uint32_t status, std::span<const config::StatusRange> ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [status](const config::StatusRange& range) {
    return static_cast<std::int64_t>(status) >= range.start && static_cast<std::int64_t>(status) < range.end;
  });
}

// True if the pieces appear in the text in order, with anything between them.
bool contains_in_order(std::string_view text, std::span<const std::string> pieces) {
  std::size_t from = 0;
  for (const std::string& piece : pieces) {
    const std::size_t found = text.find(piece, from);
    if (found == std::string_view::npos) {
      return false;
    }
    from = found + piece.size();
  }
  return true;
}

bool matches(const config::ServiceNameMatcher& matcher, std::string_view name) {
  using Pattern = config::ServiceNameMatcher::Pattern;
  const std::string text = matcher.ignore_case ? config::to_lower_ascii(std::string(name)) : std::string(name);
  const std::string pattern = matcher.ignore_case ? config::to_lower_ascii(matcher.text) : matcher.text;
  switch (matcher.pattern) {
    case Pattern::exact:
      return text == pattern;
    case Pattern::prefix:
      return text.starts_with(pattern);
    case Pattern::suffix:
      return text.ends_with(pattern);
    case Pattern::contains:
      return text.find(pattern) != std::string::npos;
  }
  return false;
}

CheckResult failed(CheckFailure kind) {
  return {.failure = kind};
}

}  // namespace

CheckResult classify(const config::HttpHealthCheck& check, const HttpAnswer& answer) {
  const std::string_view buffered =
      check.response_buffer_size == 0 ? answer.body : answer.body.substr(0, check.response_buffer_size);
  const bool body_is_right = contains_in_order(buffered, check.receive);
  const bool status_is_right =
      check.expected_statuses.empty() ? answer.status == 200 : in_ranges(answer.status, check.expected_statuses);
  if (!body_is_right || !status_is_right) {
    return {.failure = CheckFailure::active,
            .retriable = body_is_right && in_ranges(answer.status, check.retriable_statuses),
            .immediate_fail = answer.x_envoy_immediate_health_check_fail};
  }
  if (check.service_name_matcher &&
      !matches(*check.service_name_matcher, answer.x_envoy_upstream_healthchecked_cluster)) {
    return failed(CheckFailure::active);
  }
  return {.degraded = answer.x_envoy_degraded};
}

std::optional<CheckResult> classify(const config::TcpHealthCheck& check, const TcpAnswer& answer) {
  std::optional<CheckResult> result;
  if (contains_in_order(answer.received, check.receive)) {
    result.emplace();
  } else if (answer.closed) {
    result.emplace().failure = CheckFailure::network;
  }
  return result;
}

CheckResult classify(const GrpcAnswer& answer) noexcept {
  if (answer.reset_or_goaway) {
    return failed(CheckFailure::network);
  }
  const bool serving = answer.grpc_status == 0 && answer.serving_status == ServingStatus::serving;
  return serving ? CheckResult{} : failed(CheckFailure::active);
}

}  // namespace spillway::health
