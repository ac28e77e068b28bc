#include "models/envoy/api/http_protocol_options.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models/config/outlier_detection.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/field_effects.hpp"
#include "models/envoy/api/hash_policy.hpp"
#include "models/envoy/api/retry_policy.hpp"
#include "models/envoy/cluster.hpp"

namespace spillway::messages {

using config::ErrorStatuses;
using grammar::ListOf;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Whole;
namespace routes = envoy::routes;

void Grammar<CommonHttpProtocolOptions>::describe(Fields& fields, CommonHttpProtocolOptions& options) {
  fields.message();
  optional_unless(grammar::Nanoseconds{0}, fields, "max_stream_duration", options.max_stream_duration, ProtoDuration{},
                  "of one attempt at a request; 0s, the default: without limit");
  fields.idle("idle_timeout", ProtoDuration{});
  fields.idle("max_connection_duration", ProtoDuration{});
  fields.idle("max_headers_count",
              Whole{1, largest_uint32, "Envoy refuses others: value must be greater than or equal to 1"});
  fields.idle("headers_with_underscores_action",
              grammar::Choice{.words = {"ALLOW", "REJECT_REQUEST", "DROP_HEADER"}, .otherwise = 0});
  fields.idle("max_requests_per_connection", Whole{0, largest_uint32});
  fields.without_influence({"max_connection_duration_jitter", "max_response_headers_kb"});
}

void describe(Fields& fields, ExplicitHttpConfig& config) {
  fields.message();
  const auto field = [](const char* name) { return api::table_field(ExplicitHttpConfig::definition, name); };
  fields.idle("http_protocol_options", field("http_protocol_options"));
  fields.optional("http2_protocol_options", config.http2_protocol_options, field("http2_protocol_options"),
                  "a connection carries any number of requests");
  fields.idle("http3_protocol_options", field("http3_protocol_options"));
  fields.exactly_one({"http_protocol_options", "http2_protocol_options", "http3_protocol_options"});
}

void describe(Fields& fields, MatchPredicate::Set& set) {
  fields.message();
  fields.required("rules", set.rules, ListOf<Unread>{{}, 2}, "at least two rules");
}

void describe(Fields& fields, MatchPredicate::Headers& headers) {
  fields.message();
  fields.optional("headers", headers.headers, ListOf<Record<Described<envoy::routes::HeaderMatcher>>>{},
                  "all of them must match");
}

void describe(Fields& fields, MatchPredicate& predicate) {
  fields.message();
  fields.optional("or_match", predicate.or_match, Record<MatchPredicate::Set>{}, "one of the rules matches");
  fields.optional("and_match", predicate.and_match, Record<MatchPredicate::Set>{}, "all of the rules match");
  fields.optional("not_match", predicate.not_match, Unread{}, "the rule does not match");
  fields.optional("any_match", predicate.any_match, grammar::Flag{}, "every answer matches");
  fields.optional("http_response_headers_match", predicate.http_response_headers_match,
                  Record<MatchPredicate::Headers>{}, "headers of the answer; here an answer has only a `:status`");
  fields.optional("http_request_headers_match", predicate.http_request_headers_match, Unread{},
                  "never matches: Envoy does not show it requests");
  fields.optional("http_request_trailers_match", predicate.http_request_trailers_match, Unread{}, "never matches");
  fields.optional("http_response_trailers_match", predicate.http_response_trailers_match, Unread{}, "never matches");
  fields.optional("http_request_generic_body_match", predicate.http_request_generic_body_match, Unread{},
                  "never matches");
  fields.optional("http_response_generic_body_match", predicate.http_response_generic_body_match, Unread{},
                  "never matches");
  fields.exactly_one({"or_match", "and_match", "not_match", "any_match", "http_response_headers_match",
                      "http_request_headers_match", "http_request_trailers_match", "http_response_trailers_match",
                      "http_request_generic_body_match", "http_response_generic_body_match"});
}

namespace {

// Computes the statuses of responses that match. A response consists of its status only.
class ErrorMatcher {
 public:
  explicit ErrorMatcher(Diagnostics& problems) : problems_(problems) {}

  ErrorStatuses statuses_of(const MatchPredicate& predicate) {
    if (predicate.or_match || predicate.and_match) {
      return combined(predicate);
    }
    if (predicate.not_match) {
      return ~statuses_of(predicate.not_match);
    }
    if (predicate.any_match) {
      return *predicate.any_match ? ErrorStatuses().set() : ErrorStatuses();
    }
    if (predicate.http_response_headers_match) {
      return of_headers(*predicate.http_response_headers_match);
    }
    for (const auto* const never : {&predicate.http_request_headers_match, &predicate.http_request_trailers_match,
                                    &predicate.http_response_trailers_match, &predicate.http_request_generic_body_match,
                                    &predicate.http_response_generic_body_match}) {
      if (never->present) {
        warn(never->key);
      }
    }
    return {};
  }

 private:
  ErrorStatuses statuses_of(const Field<const documents::Node*>& rule) {
    MatchPredicate predicate;
    return rule && grammar::Record<MatchPredicate>{}.read(**rule, predicate, "a rule", problems_)
               ? statuses_of(predicate)
               : ErrorStatuses();
  }

  ErrorStatuses combined(const MatchPredicate& predicate) {
    const bool any = predicate.or_match.present;
    ErrorStatuses result = any ? ErrorStatuses() : ErrorStatuses().set();
    for (const auto& rule : *(any ? predicate.or_match : predicate.and_match)->rules) {
      const ErrorStatuses one = statuses_of(rule);
      result = any ? result | one : result & one;
    }
    return result;
  }

  ErrorStatuses of_headers(const MatchPredicate::Headers& headers) {
    std::vector<routes::HeaderMatcher> matchers;
    for (const auto& header : *headers.headers) {
      matchers.push_back(*header);
      if (!header->name.empty() && !routes::same_header_name(header->name, ":status")) {
        warn(header->source.place_of("name").value_or(header.where));
      }
    }
    ErrorStatuses result;
    for (std::size_t status = 0; status < result.size(); ++status) {
      const routes::Request answer{.headers = {{":status", std::to_string(status)}}};
      result.set(status, std::all_of(matchers.begin(), matchers.end(),
                                     [&](const auto& matcher) { return matches(matcher, answer); }));
    }
    return result;
  }

  void warn(Span where) {
    problems_
        .warning("SP219", where, "a rule about missing parts of answers",
                 "an endpoint here answers with a `:status` and nothing else")
        .note("the rule is decided as if the answer did not have it");
  }

  Diagnostics& problems_;
};

documents::Node write_status_rule(std::size_t start, std::size_t end) {
  const routes::HeaderMatcher status{.name = ":status",
                                     .kind = routes::HeaderMatcher::Kind::range,
                                     .range_start = static_cast<std::int64_t>(start),
                                     .range_end = static_cast<std::int64_t>(end)};
  return message_with("http_response_headers_match",
                      message_with("headers", Items<Message<routes::HeaderMatcher>>{}.write({status})));
}

struct ErrorMatcherShape {
  using Value = ErrorStatuses;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    MatchPredicate predicate;
    const bool read = Record<MatchPredicate>{}.read(node, predicate, what, problems);
    into = ErrorMatcher(problems).statuses_of(predicate);
    return read;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return Record<MatchPredicate>{}.schema(definitions);
  }
  // Writes ranges of statuses. An or_match needs at least two rules, so a range without statuses is added to a single
  // one.
  [[nodiscard]] documents::Node write(const Value& statuses) const {
    documents::Node rules;
    rules.kind = documents::Kind::array;
    for (std::size_t start = 0; start < statuses.size();) {
      std::size_t end = start;
      while (end < statuses.size() && statuses.test(end)) {
        ++end;
      }
      if (end > start) {
        rules.items.push_back(write_status_rule(start, end));
      }
      start = end + 1;
    }
    while (rules.items.size() < 2) {
      rules.items.push_back(write_status_rule(0, 0));
    }
    return message_with("or_match", message_with("rules", std::move(rules)));
  }
};

}  // namespace

void Grammar<HttpProtocolOptions::OutlierDetection>::describe(Fields& fields,
                                                              HttpProtocolOptions::OutlierDetection& detection) {
  fields.message();
  required(fields, "error_matcher", detection.error_matcher, ErrorMatcherShape{},
           "which answers count as failures; default: those with a status from 500 on");
}

void Grammar<HttpProtocolOptions>::describe(Fields& fields, HttpProtocolOptions& options) {
  fields.message();
  optional(fields, "common_http_protocol_options", options.common_http_protocol_options,
           Message<CommonHttpProtocolOptions>{}, "of all versions of HTTP");
  Field<ExplicitHttpConfig> http_config;
  fields.optional("explicit_http_config", http_config, Record<ExplicitHttpConfig>{}, "one version of HTTP");
  options.http2 = options.http2 || (http_config && http_config->http2_protocol_options);
  Field<const documents::Node*> other_version;
  fields.optional("use_downstream_protocol_config", other_version, Unread{}, "the version that clients use");
  fields.optional("auto_config", other_version, Unread{}, "what endpoints offer");
  // Envoy refuses options without any of these. If a program's output lacks them, it is therefore only a part of the
  // options.
  if (fields.object() != nullptr && fields.object()->reported) {
    fields.at_most_one({"explicit_http_config", "use_downstream_protocol_config", "auto_config"});
  } else {
    fields.exactly_one({"explicit_http_config", "use_downstream_protocol_config", "auto_config"});
  }
  optional(fields, "outlier_detection", options.outlier_detection, Message<HttpProtocolOptions::OutlierDetection>{},
           "what outlier detection counts");
  fields.without_influence({"upstream_http_protocol_options", "http_filters", "header_validation_config"});
  optional(fields, "retry_policy", options.retry_policy, Message<config::RetryPolicy>{},
           "when a request is sent again, whatever its route says");
  optional(fields, "hash_policy", options.hash_policy, Items<HashPolicy>{}, "instead of the route's hash policies");
  fields.not_simulated("request_mirror_policies", "mirrored requests are not supported yet");
}

void write_http_protocol_options(Fields& fields, const envoy::Cluster& cluster) {
  if (!fields.writing() || (cluster.max_stream_duration == grammar::Nanoseconds{0} && !cluster.error_statuses)) {
    return;
  }
  documents::Node options = write_any(HttpProtocolOptions{{cluster.max_stream_duration}, {cluster.error_statuses}});
  documents::Node of_http1;
  of_http1.kind = documents::Kind::object;
  Fields(options).write("explicit_http_config", message_with("http_protocol_options", std::move(of_http1)));
  fields.write("typed_extension_protocol_options",
               message_with(Grammar<HttpProtocolOptions>::definition, std::move(options)));
}

}  // namespace spillway::messages
