#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "sim/scenario/meaning/policy_parts.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/meaning/routes.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;
using written::RetryExtension;

// An extension is told apart by the type of its configuration, or by its name where there is none.
bool is(const RetryExtension& extension, std::string_view name, std::string_view type) {
  return extension.typed_config.present ? extension.typed_config->type == type : extension.name.value == name;
}

void refuse_extension(const Field<RetryExtension>& field, const char* which, Diagnostics& problems) {
  if (field->typed_config) {
    problems.push_back(written::wrong_type(*field->typed_config, field->typed_config.where, which));
  } else if (field->name && !field->typed_config.present) {
    problems.push_back(error("SP302", in_ticks(*field->name) + " is not supported yet", field->name.where, which));
  }
}

void read_host_predicate(const Field<RetryExtension>& field, config::RetryPolicy& policy, Diagnostics& problems) {
  if (!field) {
    return;
  }
  const std::string names = "envoy.retry_host_predicates.";
  const std::string types = "envoy.extensions.retry.host.";
  if (is(*field, names + "previous_hosts", types + "previous_hosts.v3.PreviousHostsPredicate")) {
    policy.retry_host_predicate.emplace_back(config::PreviousHosts{});
  } else if (is(*field, names + "omit_canary_hosts", types + "omit_canary_hosts.v3.OmitCanaryHostsPredicate")) {
    policy.retry_host_predicate.emplace_back(config::OmitCanaryHosts{});
  } else if (is(*field, names + "omit_host_metadata", types + "omit_host_metadata.v3.OmitHostMetadataConfig")) {
    written::OmitHostMetadataConfig omitted;
    if (field->typed_config) {
      written::read_any(*field->typed_config, omitted, problems);
    }
    policy.retry_host_predicate.emplace_back(config::OmitHostMetadata{omitted.metadata_match->filter_metadata.value});
  } else {
    refuse_extension(field, "must be previous_hosts, omit_canary_hosts or omit_host_metadata", problems);
  }
}

void read_priority(const Field<RetryExtension>& field, config::RetryPolicy& policy, Diagnostics& problems) {
  if (!field) {
    return;
  }
  if (!is(*field, "envoy.retry_priorities.previous_priorities",
          "envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig")) {
    refuse_extension(field, "must be previous_priorities", problems);
    return;
  }
  written::PreviousPrioritiesConfig config;
  if (field->typed_config) {
    written::read_any(*field->typed_config, config, problems);
  }
  if (!config.update_frequency.present) {
    problems.push_back(error("SP139", "Envoy refuses this retry priority", field.where,
                             "PreviousPrioritiesConfigValidationError.UpdateFrequency: value must be greater than 0"));
  }
  policy.previous_priorities_update_frequency = static_cast<std::uint32_t>(config.update_frequency.value_or(1));
}

void read_conditions(const Field<std::string>& retry_on, config::RetryPolicy& policy, Diagnostics& problems) {
  if (!retry_on) {
    return;
  }
  std::vector<std::string> unknown;
  policy.retry_on = config::parse_retry_on(*retry_on, &unknown);
  for (const std::string& word : unknown) {
    problems.push_back(with_note(
        warning("SP207", "a retry condition that Envoy does not know", retry_on.where, in_ticks(word) + " is none"),
        "Envoy passes over it"));
  }
}

void read_header(const Field<written::HeaderMatcher>& field, config::RetryPolicy& policy, Diagnostics& problems) {
  using HeaderMatcherKind = envoy::routes::HeaderMatcher::Kind;
  const envoy::routes::HeaderMatcher matcher = read_header_matcher(*field, problems);
  if (matcher.kind != HeaderMatcherKind::present || !matcher.present_match || matcher.invert_match) {
    problems.push_back(error("SP302", "a retriable header with a value is not supported yet", field.where,
                             "must be a header whose presence is enough"));
  }
  std::string name = matcher.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  policy.retriable_headers.push_back(std::move(name));
}

}  // namespace

config::RetryPolicy read_retry_policy(const written::RetryPolicy& written, Span where, Diagnostics& problems) {
  config::RetryPolicy policy;
  read_conditions(written.retry_on, policy, problems);
  take_number(written.num_retries, policy.num_retries);
  if (written.per_try_timeout && *written.per_try_timeout > Nanoseconds{0}) {
    policy.per_try_timeout = *written.per_try_timeout;
  }
  for (const auto& predicate : *written.retry_host_predicate) {
    read_host_predicate(predicate, policy, problems);
  }
  read_priority(written.retry_priority, policy, problems);
  // 0 is as good as nothing for Envoy.
  if (const std::uint64_t attempts = written.host_selection_retry_max_attempts.value_or(0); attempts > 0) {
    policy.host_selection_retry_max_attempts =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(attempts, std::numeric_limits<std::uint32_t>::max()));
  }
  for (const auto& status : *written.retriable_status_codes) {
    policy.retriable_status_codes.push_back(static_cast<std::uint32_t>(status.value_or(0)));
  }
  for (const auto& header : *written.retriable_headers) {
    read_header(header, policy, problems);
  }
  if (const auto& back_off = written.retry_back_off) {
    policy.retry_back_off.base_interval = back_off->base_interval.value_or(policy.retry_back_off.base_interval);
    if (back_off->max_interval) {
      policy.retry_back_off.max_interval = *back_off->max_interval;
    }
  }
  if (const auto& limited = written.rate_limited_retry_back_off) {
    policy.rate_limited_max_interval = limited->max_interval.value_or(policy.rate_limited_max_interval);
  }
  refuse(config::refusal(policy), {"this retry policy", written.source.object, where}, problems);
  return policy;
}

}  // namespace spillway::scenario::meaning
