#include "sim/scenario/meaning/http_protocol_options.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/routes/route.hpp"
#include "sim/scenario/grammar/fields.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/written/http_protocol_options.hpp"
#include "sim/scenario/written/message_fields.hpp"

namespace spillway::scenario::meaning {
namespace {

using config::ErrorStatuses;
using grammar::Field;
using written::MatchPredicate;

// The statuses of answers that match; an answer is its status and nothing else.
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
  ErrorStatuses statuses_of(const Field<const document::Node*>& rule) {
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
    std::vector<envoy::routes::HeaderMatcher> matchers;
    for (const auto& header : *headers.headers) {
      matchers.push_back(*header);
      if (!header->name.empty() && !envoy::routes::same_header_name(header->name, ":status")) {
        warn(header->source.place_of("name").value_or(header.where));
      }
    }
    ErrorStatuses result;
    for (std::size_t status = 0; status < result.size(); ++status) {
      const envoy::routes::Request answer{.headers = {{":status", std::to_string(status)}}};
      result.set(status, std::all_of(matchers.begin(), matchers.end(),
                                     [&](const auto& matcher) { return matches(matcher, answer); }));
    }
    return result;
  }

  void warn(Span where) {
    problems_.push_back(with_note(warning("SP219", "a rule about missing parts of answers", where,
                                          "an endpoint here answers with a `:status` and nothing else"),
                                  "the rule is decided as if the answer did not have it"));
  }

  Diagnostics& problems_;
};

constexpr std::string_view older_http_name = "envoy.upstreams.http.http_protocol_options";
constexpr std::string_view tcp_options = "envoy.extensions.upstreams.tcp.v3.TcpProtocolOptions";

struct NamedOptions {
  std::string_view name;
  std::string_view message;
};

// Under which names Envoy 1.40 takes protocol options, and which ones there (tried with --mode validate).
constexpr std::array named_options = std::to_array<NamedOptions>({
    {http_protocol_options_name, http_protocol_options_name},
    {older_http_name, http_protocol_options_name},
    {tcp_options, tcp_options},
    {"envoy.upstreams.tcp.tcp_protocol_options", tcp_options},
    {"envoy.filters.network.thrift_proxy", "envoy.extensions.filters.network.thrift_proxy.v3.ThriftProtocolOptions"},
    {"envoy.filters.network.redis_proxy", "envoy.extensions.filters.network.redis_proxy.v3.RedisProtocolOptions"},
});

// Whether Envoy takes it; if not, that is reported.
bool check_name(const std::string& name, const Field<written::AnyMessage>& options, Diagnostics& problems) {
  const auto* const known =
      std::find_if(named_options.begin(), named_options.end(), [&](const NamedOptions& of) { return of.name == name; });
  if (known == named_options.end()) {
    std::vector<std::string> names;
    for (const NamedOptions& of : named_options) {
      names.emplace_back(of.name);
    }
    problems.push_back(with_note(error("SP139", "Envoy refuses these protocol options", options.key,
                                       "there are no protocol options called " + in_ticks(name)),
                                 "the names are " + grammar::listed(names, "and")));
    return false;
  }
  if (options->type != known->message) {
    problems.push_back(written::wrong_type(*options, options.where, "must be " + std::string(known->message)));
    return false;
  }
  return true;
}

}  // namespace

void read_http_protocol_options(const written::Cluster& written, envoy::Cluster& cluster, Diagnostics& problems) {
  cluster.max_stream_duration =
      written.common_http_protocol_options->max_stream_duration.value_or(cluster.max_stream_duration);
  for (const auto& entry : *written.typed_extension_protocol_options) {
    if (!entry.value || !check_name(entry.name, entry.value, problems)) {
      continue;
    }
    if (entry.value->type != http_protocol_options_name) {
      written::check_fields(*entry.value->node, entry.value->type, problems);
      continue;
    }
    written::HttpProtocolOptions options;
    written::read_any(*entry.value, options, problems);
    if (entry.name == older_http_name) {
      problems.push_back(with_help(warning("SP230", "protocol options that Envoy ignores", entry.value.key,
                                           "accepted under this older name, and ignored"),
                                   "write " + in_ticks(http_protocol_options_name)));
      continue;
    }
    cluster.max_stream_duration =
        options.common_http_protocol_options->max_stream_duration.value_or(std::chrono::nanoseconds{0});
    if (options.outlier_detection->error_matcher) {
      cluster.error_statuses = ErrorMatcher(problems).statuses_of(*options.outlier_detection->error_matcher);
    }
  }
}

}  // namespace spillway::scenario::meaning
