#include "models/envoy/api/retry_policy.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/lower_ascii.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/metadata.hpp"
#include "models/envoy/api/retry_extensions.hpp"
#include "models/envoy/api/route_match.hpp"

namespace spillway::messages {

using grammar::ListOf;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

namespace {

struct RetryOn {
  using Value = config::RetryConditions;
  static constexpr Text text = any_length;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    std::string words;
    if (!text.read(node, words, what, problems)) {
      return false;
    }
    std::vector<std::string> unknown;
    into = config::parse_retry_on(words, &unknown);
    for (const std::string& word : unknown) {
      problems.warning("SP207", node.span, "a retry condition that Envoy does not know", "`{}` is none", {word})
          .note("Envoy ignores it");
    }
    return true;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const { return text.schema(definitions); }
  [[nodiscard]] documents::Node write(const Value& value) const { return text.write(config::text(value)); }
};

// The shape of a header whose presence is enough, read as its lower-case name.
struct RetriableHeader {
  using Value = std::string;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    envoy::routes::HeaderMatcher header;
    const bool read = Message<envoy::routes::HeaderMatcher>{}.read(node, header, what, problems);
    if (header.kind != envoy::routes::HeaderMatcher::Kind::present || !header.present_match || header.invert_match) {
      problems.error("SP302", node.span, "a retriable header with a value is not supported yet",
                     "must be a header whose presence is enough");
    }
    into = config::to_lower_ascii(std::move(header.name));
    return read;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return Message<envoy::routes::HeaderMatcher>{}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const {
    return write_message(envoy::routes::HeaderMatcher{.name = value});
  }
};

struct ResetHeader {
  static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.ResetHeader";
  Field<std::string> name;
  Field<std::size_t> format;
};
void describe(Fields& fields, ResetHeader& header) {
  fields.message();
  fields.required("name", header.name, not_empty, "a header of the answer");
  fields.optional("format", header.format, grammar::Choice{{"SECONDS", "UNIX_TIMESTAMP"}}, "default: SECONDS");
}

struct RateLimitedRetryBackOff {
  static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.RateLimitedRetryBackOff";
  Field<std::vector<Field<ResetHeader>>> reset_headers;
  Field<grammar::Nanoseconds> max_interval;
};
void describe(Fields& fields, RateLimitedRetryBackOff& back_off) {
  fields.message();
  fields.required("reset_headers", back_off.reset_headers, ListOf<Record<ResetHeader>>{{}, 1},
                  "headers that say when to retry; no endpoint here sends one");
  fields.optional("max_interval", back_off.max_interval, ProtoDuration{}, "longest wait; default: 300s");
}

}  // namespace

void Grammar<config::RetryBackOff>::describe(Fields& fields, config::RetryBackOff& back_off) {
  fields.message();
  required(fields, "base_interval", back_off.base_interval, ProtoDuration{},
           "maximum of the random wait before the first retry");
  optional(fields, "max_interval", back_off.max_interval, ProtoDuration{},
           "maximum wait before later retries; default: ten times the base");
}

void Grammar<config::RetryPolicy>::describe(Fields& fields, config::RetryPolicy& policy) {
  std::uint64_t attempts = policy.host_selection_retry_max_attempts;
  Field<RateLimitedRetryBackOff> limited;
  fields.message();
  fields.formerly("per_try_timeout_ms", "per_try_timeout");
  optional(fields, "retry_on", policy.retry_on, RetryOn{}, "conditions with commas between: 5xx,reset");
  optional(fields, "num_retries", policy.num_retries, Whole{0, largest_uint32},
           "maximum number of retries; default: 1");
  optional(fields, "per_try_timeout", policy.per_try_timeout, ProtoDuration{},
           "of each attempt; default: the route's timeout");
  optional(fields, "retry_priority", policy.previous_priorities_update_frequency, RetryPriority{},
           "envoy.retry_priorities.previous_priorities");
  optional(fields, "retry_host_predicate", policy.retry_host_predicate, Items<HostPredicate>{},
           "hosts that a retry avoids");
  optional(fields, "host_selection_retry_max_attempts", attempts, Uint64{},
           "number of new picks when a retry picks a host to avoid; default: 1");
  optional(fields, "retriable_status_codes", policy.retriable_status_codes, Items<Uint32>{},
           "of the condition retriable-status-codes");
  optional(fields, "retry_back_off", policy.retry_back_off, Message<config::RetryBackOff>{},
           "how long a retry waits; default: up to 25ms at first");
  fields.optional("rate_limited_retry_back_off", limited, Record<RateLimitedRetryBackOff>{},
                  "wait of a retry whose answer says when");
  optional(fields, "retriable_headers", policy.retriable_headers, Items<RetriableHeader>{},
           "of the condition retriable-headers");
  fields.not_simulated("per_try_idle_timeout", "idle timeouts are not supported yet");
  fields.not_simulated("retry_options_predicates", "options of retries are not supported yet");
  fields.not_simulated("retriable_request_headers", "retries by the request's headers are not supported yet");
  fields.not_simulated("refresh_cluster_on_retry", "a retry stays in its cluster");

  if (policy.per_try_timeout == std::chrono::nanoseconds{0}) {
    policy.per_try_timeout.reset();
  }
  // Envoy treats 0 like an absent value.
  policy.host_selection_retry_max_attempts =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(attempts, 1, std::numeric_limits<std::uint32_t>::max()));
  policy.rate_limited_max_interval = limited->max_interval.value_or(policy.rate_limited_max_interval);
}

}  // namespace spillway::messages
