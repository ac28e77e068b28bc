// envoy.type.matcher.v3.StringMatcher.
#pragma once

#include <string>

#include "sim/scenario/written/hash_policy.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

struct StringMatcher {
  static constexpr const char* definition = "envoy.type.matcher.v3.StringMatcher";
  Field<std::string> exact;
  Field<std::string> prefix;
  Field<std::string> suffix;
  Field<std::string> contains;
  Field<RegexMatcher> safe_regex;
  Field<bool> ignore_case;
};
void describe(Fields& fields, StringMatcher& matcher);

}  // namespace spillway::scenario::written
