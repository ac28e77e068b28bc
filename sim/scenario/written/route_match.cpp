#include "sim/scenario/written/route_match.hpp"

namespace spillway::scenario::written {

using grammar::Flag;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, HeaderMatcher& matcher) {
  const Text text{0, 10'000};
  const Text some_text{1, 10'000};
  fields.message();
  fields.formerly("value", "string_match");
  fields.formerly("regex", "string_match");
  fields.formerly("regex_match", "string_match");
  fields.required("name", matcher.name, Text{1, 1'000}, "of the header; without any wish below it must be there");
  fields.optional("string_match", matcher.string_match, Record<StringMatcher>{}, "what its value is");
  fields.optional("exact_match", matcher.exact_match, text, "deprecated: string_match with exact");
  fields.optional("safe_regex_match", matcher.safe_regex_match, Record<RegexMatcher>{},
                  "deprecated: string_match with safe_regex");
  fields.optional("range_match", matcher.range_match, Message<config::StatusRange>{},
                  "its value is a whole number in here");
  fields.optional("present_match", matcher.present_match, Flag{}, "it is there, or, if false, not");
  fields.optional("prefix_match", matcher.prefix_match, some_text, "deprecated: string_match with prefix");
  fields.optional("suffix_match", matcher.suffix_match, some_text, "deprecated: string_match with suffix");
  fields.optional("contains_match", matcher.contains_match, some_text, "deprecated: string_match with contains");
  fields.at_most_one({"string_match", "exact_match", "safe_regex_match", "range_match", "present_match", "prefix_match",
                      "suffix_match", "contains_match"});
  fields.optional("invert_match", matcher.invert_match, Flag{}, "the contrary is wished for; default: false");
  fields.optional("treat_missing_header_as_empty", matcher.treat_missing_header_as_empty, Flag{}, "default: false");
}

void describe(Fields& fields, RouteMatch& match) {
  fields.message();
  fields.formerly("regex", "safe_regex");
  fields.formerly("method", "headers");
  fields.optional("prefix", match.prefix, Text{0, 10'000}, "how the path begins");
  fields.optional("path", match.path, Text{0, 10'000}, "the whole path, without what stands behind a question mark");
  fields.optional("safe_regex", match.safe_regex, Record<RegexMatcher>{}, "matches the whole path");
  fields.exactly_one({"prefix", "path", "safe_regex"});
  fields.optional("case_sensitive", match.case_sensitive, Flag{true}, "of prefix and path; default: true");
  fields.optional("headers", match.headers, grammar::ListOf<Record<HeaderMatcher>>{}, "all of them must match");
  for (const char* name : {"connect_matcher", "path_separated_prefix", "path_match_policy"}) {
    fields.not_played(name, "of the paths, `prefix`, `path` and `safe_regex` are played");
  }
  for (const char* name :
       {"runtime_fraction", "query_parameters", "cookies", "grpc", "tls_context", "dynamic_metadata", "filter_state"}) {
    fields.not_played(name, "routes are matched by path and headers only, for now");
  }
}

}  // namespace spillway::scenario::written
