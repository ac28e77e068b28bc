#include "models/envoy/api/route_match.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace spillway::messages {

using grammar::Flag;
using grammar::Text;
namespace routes = envoy::routes;

namespace {

// Reads a deprecated text condition, which string_match replaces.
template <class Shape>
void deprecated(Fields& fields, const char* name, routes::HeaderMatcher::Kind kind, routes::HeaderMatcher& matcher,
                const Shape& shape, const char* documentation) {
  std::optional<std::string> text;
  optional(fields, name, text, shape, documentation);
  if (text) {
    matcher.kind = kind;
    matcher.value = *std::move(text);
  }
}

}  // namespace

void Grammar<routes::HeaderMatcher>::describe(Fields& fields, routes::HeaderMatcher& matcher) {
  using Matched = routes::HeaderMatcher::Kind;
  std::optional<StringMatcher> text;
  std::optional<config::StatusRange> range;
  std::optional<bool> present;
  if (fields.writing() && matcher.kind == Matched::present) {
    present = matcher.present_match;
  } else if (fields.writing() && matcher.kind == Matched::range) {
    range = config::StatusRange{matcher.range_start, matcher.range_end};
  } else if (fields.writing()) {
    text = StringMatcher{matcher.kind, matcher.value};
  }
  fields.message();
  fields.formerly("value", "string_match");
  fields.formerly("regex", "string_match");
  fields.formerly("regex_match", "string_match");
  required(fields, "name", matcher.name, not_empty, "name of the header; without a condition below it must be present");
  optional(fields, "string_match", text, Message<StringMatcher>{}, "how its value is matched");
  if (text && !fields.writing()) {
    matcher = text->of_header(std::move(matcher.name));
  }
  deprecated(fields, "exact_match", Matched::exact, matcher, any_length, "deprecated: string_match with exact");
  deprecated(fields, "safe_regex_match", Matched::regex, matcher, RegexMatcher{},
             "deprecated: string_match with safe_regex");
  optional(fields, "range_match", range, Message<config::StatusRange>{}, "its value is a whole number in here");
  optional(fields, "present_match", present, Flag{}, "it is present, or, if false, absent");
  deprecated(fields, "prefix_match", Matched::prefix, matcher, not_empty, "deprecated: string_match with prefix");
  deprecated(fields, "suffix_match", Matched::suffix, matcher, not_empty, "deprecated: string_match with suffix");
  deprecated(fields, "contains_match", Matched::contains, matcher, not_empty, "deprecated: string_match with contains");
  fields.at_most_one({"string_match", "exact_match", "safe_regex_match", "range_match", "present_match", "prefix_match",
                      "suffix_match", "contains_match"});
  optional_unless(false, fields, "invert_match", matcher.invert_match, Flag{}, "invert the condition; default: false");
  optional_unless(false, fields, "treat_missing_header_as_empty", matcher.treat_missing_header_as_empty, Flag{},
                  "default: false");
  if (range && !fields.writing()) {
    matcher.kind = Matched::range;
    matcher.range_start = range->start;
    matcher.range_end = range->end;
  }
  matcher.present_match = present.value_or(true);
}

void Grammar<routes::QueryParameterMatcher>::describe(Fields& fields, routes::QueryParameterMatcher& matcher) {
  constexpr std::uint64_t longest_name = 1'024;
  using Matched = routes::QueryParameterMatcher::Kind;
  std::optional<StringMatcher> text;
  std::optional<bool> present;
  switch (matcher.kind) {
    case Matched::present:
      present = true;
      break;
    case Matched::exact:
      text = StringMatcher{StringMatcher::Kind::exact, matcher.value};
      break;
    case Matched::prefix:
      text = StringMatcher{StringMatcher::Kind::prefix, matcher.value};
      break;
    case Matched::regex:
      text = StringMatcher{StringMatcher::Kind::regex, matcher.value};
      break;
  }
  fields.message();
  required(fields, "name", matcher.name, Text{1, longest_name}, "of the parameter");
  optional(fields, "string_match", text, Message<StringMatcher>{}, "how its value is matched");
  optional(fields, "present_match", present, Flag{}, "it is present");
}

void Grammar<routes::RouteMatch>::describe(Fields& fields, routes::RouteMatch& match) {
  using Matched = routes::RouteMatch::PathKind;
  const auto key = [&](const char* name, Matched kind, const auto& shape, const char* documentation) {
    text_of_kind(fields, name, kind, match.path_kind, match.path, shape, documentation);
  };
  fields.message();
  fields.formerly("regex", "safe_regex");
  fields.formerly("method", "headers");
  key("prefix", Matched::prefix, any_length, "prefix of the path");
  key("path", Matched::path, any_length, "the whole path, without the query");
  key("safe_regex", Matched::regex, RegexMatcher{}, "matches the whole path");
  fields.exactly_one({"prefix", "path", "safe_regex"});
  optional_unless(true, fields, "case_sensitive", match.case_sensitive, Flag{true},
                  "of prefix and path; default: true");
  optional(fields, "headers", match.headers, Items<Message<routes::HeaderMatcher>>{}, "all of them must match");
  if (fields.writing()) {
    optional(fields, "query_parameters", match.query_parameters, Items<Message<routes::QueryParameterMatcher>>{}, "");
  }
  for (const char* name : {"connect_matcher", "path_separated_prefix", "path_match_policy"}) {
    fields.not_simulated(name, "`prefix`, `path` and `safe_regex` are supported");
  }
  for (const char* name :
       {"runtime_fraction", "query_parameters", "cookies", "grpc", "tls_context", "dynamic_metadata", "filter_state"}) {
    fields.not_simulated(name, "routes are matched by path and headers only, for now");
  }
}

}  // namespace spillway::messages
