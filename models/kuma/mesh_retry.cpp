#include "models/kuma/mesh_retry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "models/config/profile.hpp"
#include "models/kuma/envoy_retries.hpp"
#include "models/kuma/http_statuses.hpp"
#include "models/kuma/merge_fields.hpp"
#include "models/kuma/policy_checks.hpp"
#include "models/kuma/proxy/route_matches.hpp"

namespace spillway::kuma {

namespace {

using Word = std::pair<std::string_view, std::string_view>;  // Kuma's and Envoy's

constexpr std::array http_conditions = std::to_array<Word>({
    {"5xx", "5xx"},
    {"GatewayError", "gateway-error"},
    {"Reset", "reset"},
    {"Retriable4xx", "retriable-4xx"},
    {"ConnectFailure", "connect-failure"},
    {"EnvoyRatelimited", "envoy-ratelimited"},
    {"RefusedStream", "refused-stream"},
    {"Http3PostConnectFailure", "http3-post-connect-failure"},
});
constexpr std::array methods = std::to_array<Word>({
    {"HttpMethodConnect", "CONNECT"},
    {"HttpMethodDelete", "DELETE"},
    {"HttpMethodGet", "GET"},
    {"HttpMethodHead", "HEAD"},
    {"HttpMethodOptions", "OPTIONS"},
    {"HttpMethodPatch", "PATCH"},
    {"HttpMethodPost", "POST"},
    {"HttpMethodPut", "PUT"},
    {"HttpMethodTrace", "TRACE"},
});
constexpr std::array grpc_conditions = std::to_array<Word>({
    {"Canceled", "canceled"},
    {"DeadlineExceeded", "deadline-exceeded"},
    {"Internal", "internal"},
    {"ResourceExhausted", "resource-exhausted"},
    {"Unavailable", "unavailable"},
});
constexpr const char* http_default = "gateway-error,connect-failure,refused-stream";
constexpr const char* grpc_default =
    "cancelled,connect-failure,gateway-error,refused-stream,reset,resource-exhausted,unavailable";

// Returns Envoy's word; "" if there is none.
std::string_view envoys(std::span<const Word> words, std::string_view kumas) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const Word& word) { return word.first == kumas; });
  return found == words.end() ? std::string_view() : found->second;
}

std::optional<std::uint32_t> status_of(std::string_view text) {
  std::uint32_t status = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), status);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && !text.empty();
  return whole && is_known_status(status) ? std::optional(status) : std::nullopt;
}

void add_word(std::string& list, std::string_view word) {
  list.append(list.empty() ? "" : ",").append(word);
}

void merge_tcp(TcpRetry& retry, const TcpRetry& patch) {
  replace(retry.maxConnectAttempt, patch.maxConnectAttempt);
}

void merge_back_off(RetryBackOff& back_off, const RetryBackOff& patch) {
  replace(back_off.baseInterval, patch.baseInterval);
  replace(back_off.maxInterval, patch.maxInterval);
}

void merge_rate_limited(RateLimitedBackOff& back_off, const RateLimitedBackOff& patch) {
  replace(back_off.resetHeaders, patch.resetHeaders);
  replace(back_off.maxInterval, patch.maxInterval);
}

// The fields that http and grpc have in common.
template <class Retry>
void merge_common(Retry& retry, const Retry& patch) {
  replace(retry.numRetries, patch.numRetries);
  replace(retry.perTryTimeout, patch.perTryTimeout);
  merge(retry.backOff, patch.backOff, merge_back_off);
  merge(retry.rateLimitedBackOff, patch.rateLimitedBackOff, merge_rate_limited);
  replace(retry.retryOn, patch.retryOn);
}

void merge_http(HttpRetry& retry, const HttpRetry& patch) {
  merge_common(retry, patch);
  replace(retry.retriableResponseHeaders, patch.retriableResponseHeaders);
  replace(retry.retriableRequestHeaders, patch.retriableRequestHeaders);
  replace(retry.hostSelection, patch.hostSelection);
  replace(retry.hostSelectionMaxAttempts, patch.hostSelectionMaxAttempts);
}

void merge_grpc(GrpcRetry& retry, const GrpcRetry& patch) {
  merge_common(retry, patch);
}

template <class Retry>
EnvoysRetries common_retries(const Retry& retry, const char* otherwise) {
  EnvoysRetries result{.retry_on = otherwise};
  result.counts_retries = retry.numRetries.has_value();
  result.config.num_retries = retry.numRetries.value_or(1);
  result.config.per_try_timeout = result.per_try_timeout = retry.perTryTimeout;
  if (result.config.per_try_timeout == std::chrono::nanoseconds{0}) {
    result.config.per_try_timeout.reset();
  }
  result.back_off = retry.backOff;
  result.rate_limited_back_off = retry.rateLimitedBackOff;
  if (retry.rateLimitedBackOff) {
    result.config.rate_limited_max_interval =
        retry.rateLimitedBackOff->maxInterval.value_or(result.config.rate_limited_max_interval);
  }
  return result;
}

// Derives the simulated retry policy from the settings that were read.
EnvoysRetries finished(EnvoysRetries result) {
  result.config.retry_on = config::parse_retry_on(result.retry_on);
  if (result.back_off) {
    result.config.retry_back_off.base_interval =
        result.back_off->baseInterval.value_or(result.config.retry_back_off.base_interval);
    result.config.retry_back_off.max_interval = result.back_off->maxInterval;
  }
  return result;
}

// Splits retryOn into conditions, statuses and methods.
void set_conditions(const std::vector<std::string>& written, EnvoysRetries& into) {
  std::string conditions;
  for (const std::string& item : written) {
    if (const auto status = status_of(item)) {
      into.config.retriable_status_codes.push_back(*status);
    } else if (const std::string_view method = envoys(methods, item); !method.empty()) {
      into.retriable_request_headers.push_back(
          {.name = ":method", .kind = envoy::routes::HeaderMatcher::Kind::exact, .value = std::string(method)});
    } else {
      add_word(conditions, envoys(http_conditions, item));
    }
  }
  into.retry_on = conditions.empty() ? into.retry_on : conditions;
  if (!into.config.retriable_status_codes.empty()) {
    add_word(into.retry_on, "retriable-status-codes");
  }
}

void add_host_selection(const std::vector<RetryPredicate>& written, EnvoysRetries& into) {
  into.host_selection = written;
  for (const RetryPredicate& predicate : written) {
    if (predicate.predicate == "OmitPreviousHosts") {
      into.config.retry_host_predicate.emplace_back(config::PreviousHosts{});
    } else if (predicate.predicate == "OmitHostsWithTags") {
      config::OmitHostMetadata metadata;
      for (const auto& [key, value] : predicate.tags.value_or(Tags{})) {
        metadata.metadata_match.set(key, value);
      }
      into.config.retry_host_predicate.emplace_back(std::move(metadata));
    } else {
      into.config.previous_priorities_update_frequency =
          static_cast<std::uint32_t>(predicate.updateFrequency.value_or(2));
    }
  }
}

EnvoysRetries http_retries(const HttpRetry& retry) {
  EnvoysRetries result = common_retries(retry, http_default);
  set_conditions(retry.retryOn.value_or(std::vector<std::string>{}), result);
  for (const HeaderMatch& header : retry.retriableRequestHeaders.value_or(std::vector<HeaderMatch>{})) {
    result.retriable_request_headers.push_back(header_matcher(header));
  }
  for (const HeaderMatch& header : retry.retriableResponseHeaders.value_or(std::vector<HeaderMatch>{})) {
    result.retriable_headers.push_back(header_matcher(header));
  }
  add_host_selection(retry.hostSelection.value_or(std::vector<RetryPredicate>{}), result);
  result.limits_host_selection = retry.hostSelectionMaxAttempts.value_or(0) != 0;
  if (result.limits_host_selection) {
    result.config.host_selection_retry_max_attempts = *retry.hostSelectionMaxAttempts;
  }
  return finished(std::move(result));
}

EnvoysRetries grpc_retries(const GrpcRetry& retry) {
  EnvoysRetries result = common_retries(retry, grpc_default);
  std::string conditions;
  for (const std::string& item : retry.retryOn.value_or(std::vector<std::string>{})) {
    add_word(conditions, envoys(grpc_conditions, item));
  }
  result.retry_on = conditions.empty() ? result.retry_on : conditions;
  // Kuma completes the back-off of grpc, and not that of http.
  if (result.back_off) {
    result.back_off->baseInterval = result.back_off->baseInterval.value_or(std::chrono::milliseconds{25});
  }
  return finished(std::move(result));
}

void check_back_off(const std::optional<RetryBackOff>& back_off, const std::string& path, Violations& violations) {
  if (back_off && !back_off->baseInterval && !back_off->maxInterval) {
    violations.push_back({path, "must not be empty"});
  }
}

void check_rate_limited(const std::optional<RateLimitedBackOff>& back_off, const std::string& path,
                        Violations& violations) {
  if (!back_off) {
    return;
  }
  if (back_off->maxInterval && back_off->maxInterval->count() <= 0) {
    violations.push_back({path + ".maxInterval", "must be defined and greater than zero"});
  }
  if (!back_off->resetHeaders) {
    violations.push_back({path + ".resetHeaders", "must be defined"});
    return;
  }
  for (std::size_t index = 0; index < back_off->resetHeaders->size(); ++index) {
    if (value_of((*back_off->resetHeaders)[index].name).empty()) {
      violations.push_back({at(path, "resetHeaders", index) + ".name", "must be defined"});
    }
  }
}

template <class Known>
void check_conditions(const std::optional<std::vector<std::string>>& conditions, const std::string& path,
                      const Known& is_known, Violations& violations) {
  const auto items = conditions.value_or(std::vector<std::string>{});
  for (std::size_t index = 0; index < items.size(); ++index) {
    if (!is_known(items[index])) {
      violations.push_back({at(path, "retryOn", index), "unknown item '" + items[index] + "'"});
    }
  }
}

void check_host_selection(const std::vector<RetryPredicate>& predicates, const std::string& path,
                          Violations& violations) {
  bool has_priority = false;
  for (std::size_t index = 0; index < predicates.size(); ++index) {
    const RetryPredicate& predicate = predicates[index];
    const std::string place = at(path, "hostSelection", index);
    if (predicate.predicate == "OmitHostsWithTags" && !predicate.tags) {
      violations.push_back({place + ".tags", "must be defined"});
    } else if (predicate.predicate == "OmitPreviousPriorities") {
      if (has_priority) {
        violations.push_back({place + ".predicate", "OmitPreviousPriorities must only be specified once"});
      }
      if (predicate.updateFrequency.value_or(2) <= 0) {
        violations.push_back({place + ".updateFrequency", "must be defined and greater than zero"});
      }
      has_priority = true;
    }
  }
}

void check_http(const HttpRetry& http, const std::string& path, Violations& violations) {
  HttpRetry limited = http;
  limited.hostSelectionMaxAttempts.reset();
  if (limited == HttpRetry{}) {
    violations.push_back({path, "must not be empty"});
  }
  check_back_off(http.backOff, path + ".backOff", violations);
  check_rate_limited(http.rateLimitedBackOff, path + ".rateLimitedBackOff", violations);
  check_conditions(
      http.retryOn, path,
      [](const std::string& item) {
        return status_of(item) || !envoys(methods, item).empty() || !envoys(http_conditions, item).empty();
      },
      violations);
  check_host_selection(http.hostSelection.value_or(std::vector<RetryPredicate>{}), path, violations);
}

void check_grpc(const GrpcRetry& grpc, const std::string& path, Violations& violations) {
  if (grpc == GrpcRetry{}) {
    violations.push_back({path, "must not be empty"});
  }
  check_back_off(grpc.backOff, path + ".backOff", violations);
  check_rate_limited(grpc.rateLimitedBackOff, path + ".rateLimitedBackOff", violations);
  check_conditions(
      grpc.retryOn, path, [](const std::string& item) { return !envoys(grpc_conditions, item).empty(); }, violations);
}

// Adds violations of a retry conf. Kuma's validator names the section `conf` below `default`; its location in the
// document is `default` itself.
void check_retry_conf(const RetryConf& conf, const std::string& path, Violations& violations) {
  if (!conf.tcp && !conf.http && !conf.grpc) {
    violations.push_back({path, "at least one of the 'tcp', 'http', 'grpc' must be specified"});
  }
  if (conf.tcp && !conf.tcp->maxConnectAttempt) {
    violations.push_back({path + ".tcp", "must not be empty"});
  } else if (conf.tcp && *conf.tcp->maxConnectAttempt == 0) {
    violations.push_back({path + ".tcp.maxConnectAttempt", "must be greater than 0"});
  }
  if (conf.http) {
    check_http(*conf.http, path + ".http", violations);
  }
  if (conf.grpc) {
    check_grpc(*conf.grpc, path + ".grpc", violations);
  }
}

}  // namespace

void merge_patch(RetryConf& conf, const RetryConf& patch) {
  merge(conf.tcp, patch.tcp, merge_tcp);
  merge(conf.http, patch.http, merge_http);
  merge(conf.grpc, patch.grpc, merge_grpc);
}

std::optional<EnvoysRetries> envoys_retries(const RetryConf& conf, std::string_view protocol) {
  if (protocol == "http" && conf.http && conf.http->numRetries != 0U) {
    return http_retries(*conf.http);
  }
  if (protocol == "grpc" && conf.grpc && conf.grpc->numRetries != 0U) {
    return grpc_retries(*conf.grpc);
  }
  return std::nullopt;
}

std::vector<Violation> validate(const MeshRetry& policy, config::KumaProfile profile) {
  Violations violations;
  check_targets(policy, {.profile = profile, .names_routes = true}, violations, check_retry_conf);
  return violations;
}

}  // namespace spillway::kuma
