#include "sim/scenario/written/retry_policy.hpp"

namespace spillway::scenario::written {

using grammar::ListOf;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

void describe(Fields& fields, RetryExtension& extension) {
  fields.message();
  fields.formerly("config", "typed_config");
  fields.required("name", extension.name, Text{}, "name of the extension");
  fields.optional("typed_config", extension.typed_config, AnyShape{}, "its configuration");
}

void describe(Fields& fields, OmitHostMetadataConfig& config) {
  fields.message();
  fields.optional("metadata_match", config.metadata_match, Record<Metadata>{}, "hosts with all of it are omitted");
}

void describe(Fields& fields, PreviousPrioritiesConfig& config) {
  fields.message();
  fields.optional("update_frequency", config.update_frequency,
                  Whole{1, 2'147'483'647,
                        "Envoy refuses others: PreviousPrioritiesConfigValidationError.UpdateFrequency: value must be "
                        "greater than 0"},
                  "priorities are excluded after every so many attempts");
}

void describe(Fields& fields, RetryPolicy::RetryBackOff& back_off) {
  fields.message();
  fields.required("base_interval", back_off.base_interval, ProtoDuration{},
                  "a retry waits at random, at first up to so long");
  fields.optional("max_interval", back_off.max_interval, ProtoDuration{},
                  "and at last up to so long; default: ten times the base");
}

void describe(Fields& fields, RetryPolicy::ResetHeader& header) {
  fields.message();
  fields.required("name", header.name, Text{1, 1'000}, "a header of the answer");
  fields.optional("format", header.format, grammar::Choice{{"SECONDS", "UNIX_TIMESTAMP"}, {}}, "default: SECONDS");
}

void describe(Fields& fields, RetryPolicy::RateLimitedRetryBackOff& back_off) {
  fields.message();
  fields.required("reset_headers", back_off.reset_headers, ListOf<Record<RetryPolicy::ResetHeader>>{{}, 1},
                  "that say when to come back; no endpoint here sends one");
  fields.optional("max_interval", back_off.max_interval, ProtoDuration{}, "longest wait; default: 300s");
}

void describe(Fields& fields, RetryPolicy& policy) {
  fields.message();
  fields.formerly("per_try_timeout_ms", "per_try_timeout");
  policy.source.keep(fields);
  fields.optional("retry_on", policy.retry_on, Text{0, 1'000}, "conditions with commas between: 5xx,reset");
  fields.optional("num_retries", policy.num_retries, Whole{0, largest_uint32}, "at most so many; default: 1");
  fields.optional("per_try_timeout", policy.per_try_timeout, ProtoDuration{},
                  "of each attempt; default: the route's timeout");
  fields.optional("retry_priority", policy.retry_priority, Record<RetryExtension>{},
                  "envoy.retry_priorities.previous_priorities");
  fields.optional("retry_host_predicate", policy.retry_host_predicate, ListOf<Record<RetryExtension>>{},
                  "hosts that a retry passes over");
  fields.optional("host_selection_retry_max_attempts", policy.host_selection_retry_max_attempts, Uint64{},
                  "how often a retry picks again when a host is passed over; default: 1");
  fields.optional("retriable_status_codes", policy.retriable_status_codes, ListOf<Whole>{{0, largest_uint32}},
                  "of the condition retriable-status-codes");
  fields.optional("retry_back_off", policy.retry_back_off, Record<RetryPolicy::RetryBackOff>{},
                  "how long a retry waits; default: up to 25ms at first");
  fields.optional("rate_limited_retry_back_off", policy.rate_limited_retry_back_off,
                  Record<RetryPolicy::RateLimitedRetryBackOff>{}, "how long one waits if the answer says when");
  fields.optional("retriable_headers", policy.retriable_headers, ListOf<Record<HeaderMatcher>>{},
                  "of the condition retriable-headers");
  fields.not_played("per_try_idle_timeout", "idle timeouts are not supported yet");
  fields.not_played("retry_options_predicates", "options of retries are not supported yet");
  fields.not_played("retriable_request_headers", "retries by the request's headers are not supported yet");
}

}  // namespace spillway::scenario::written
