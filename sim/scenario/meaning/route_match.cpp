#include <string>
#include <string_view>

#include "models/envoy/routes/regex_rewrite.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/meaning/routes.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using envoy::routes::HeaderMatcher;
using grammar::Field;
using HeaderKind = HeaderMatcher::Kind;

std::string regex_of(const Field<written::RegexMatcher>& field, Diagnostics& problems) {
  const std::string regex = field->regex.value_or("");
  const std::string wrong = field ? envoy::routes::RegexRewrite(regex, "").error() : "";
  refuse(wrong.empty() ? std::nullopt : std::optional(wrong), {"this regular expression", nullptr, field->regex.where},
         problems);
  return regex;
}

// A regular expression that matches this text alone.
std::string quoted(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       static_cast<unsigned char>(c) >= 0x80;
    result += plain ? std::string(1, c) : std::string("\\") + c;
  }
  return result;
}

void set(HeaderMatcher& matcher, HeaderKind kind, const Field<std::string>& field) {
  if (field.present) {
    matcher.kind = kind;
    matcher.value = field.value_or("");
  }
}

// There is no other way to ask for a text whatever its letters' case.
void ignore_case(HeaderMatcher& matcher) {
  const std::string open = matcher.kind == HeaderKind::suffix || matcher.kind == HeaderKind::contains ? ".*" : "";
  const std::string close = matcher.kind == HeaderKind::prefix || matcher.kind == HeaderKind::contains ? ".*" : "";
  matcher.value = "(?is)" + open + quoted(matcher.value) + close;
  matcher.kind = HeaderKind::regex;
}

void read_string_match(const written::StringMatcher& written, HeaderMatcher& matcher, Diagnostics& problems) {
  set(matcher, HeaderKind::exact, written.exact);
  set(matcher, HeaderKind::prefix, written.prefix);
  set(matcher, HeaderKind::suffix, written.suffix);
  set(matcher, HeaderKind::contains, written.contains);
  if (written.safe_regex.present) {
    matcher.kind = HeaderKind::regex;
    matcher.value = regex_of(written.safe_regex, problems);
  } else if (written.ignore_case.value_or(false)) {
    ignore_case(matcher);
  }
}

}  // namespace

HeaderMatcher read_header_matcher(const written::HeaderMatcher& written, Diagnostics& problems) {
  HeaderMatcher matcher{written.name.value_or("")};
  if (written.string_match) {
    read_string_match(*written.string_match, matcher, problems);
  }
  set(matcher, HeaderKind::exact, written.exact_match);
  set(matcher, HeaderKind::prefix, written.prefix_match);
  set(matcher, HeaderKind::suffix, written.suffix_match);
  set(matcher, HeaderKind::contains, written.contains_match);
  if (written.safe_regex_match.present) {
    matcher.kind = HeaderKind::regex;
    matcher.value = regex_of(written.safe_regex_match, problems);
  }
  if (written.range_match) {
    matcher.kind = HeaderKind::range;
    matcher.range_start = written.range_match->start;
    matcher.range_end = written.range_match->end;
  }
  matcher.present_match = written.present_match.value_or(true);
  matcher.invert_match = written.invert_match.value_or(false);
  matcher.treat_missing_header_as_empty = written.treat_missing_header_as_empty.value_or(false);
  return matcher;
}

envoy::routes::RouteMatch read_route_match(const written::RouteMatch& written, Diagnostics& problems) {
  using PathKind = envoy::routes::RouteMatch::PathKind;
  envoy::routes::RouteMatch match;
  match.path = written.prefix.value_or("");
  if (written.path.present) {
    match.path_kind = PathKind::path;
    match.path = written.path.value_or("");
  } else if (written.safe_regex.present) {
    match.path_kind = PathKind::regex;
    match.path = regex_of(written.safe_regex, problems);
  }
  match.case_sensitive = written.case_sensitive.value_or(true);
  for (const auto& header : *written.headers) {
    match.headers.push_back(read_header_matcher(*header, problems));
  }
  return match;
}

}  // namespace spillway::scenario::meaning
