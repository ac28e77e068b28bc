// envoy.config.route.v3.RouteMatch and HeaderMatcher: which requests a route is for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/common_messages.hpp"
#include "sim/scenario/written/hash_policy.hpp"
#include "sim/scenario/written/proto.hpp"
#include "sim/scenario/written/string_matcher.hpp"

namespace spillway::scenario::written {

struct HeaderMatcher {
  static constexpr const char* definition = "envoy.config.route.v3.HeaderMatcher";
  Field<std::string> name;
  Field<StringMatcher> string_match;
  Field<std::string> exact_match;
  Field<RegexMatcher> safe_regex_match;
  Field<config::StatusRange> range_match;
  Field<bool> present_match;
  Field<std::string> prefix_match;
  Field<std::string> suffix_match;
  Field<std::string> contains_match;
  Field<bool> invert_match;
  Field<bool> treat_missing_header_as_empty;
};
void describe(Fields& fields, HeaderMatcher& matcher);

struct RouteMatch {
  static constexpr const char* definition = "envoy.config.route.v3.RouteMatch";
  Field<std::string> prefix;
  Field<std::string> path;
  Field<RegexMatcher> safe_regex;
  Field<bool> case_sensitive;
  Field<std::vector<Field<HeaderMatcher>>> headers;
};
void describe(Fields& fields, RouteMatch& match);

}  // namespace spillway::scenario::written
