// envoy.config.route.v3.RouteAction.HashPolicy: by what a request is hashed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// envoy.type.matcher.v3.RegexMatcher.
struct RegexMatcher {
  static constexpr const char* definition = "envoy.type.matcher.v3.RegexMatcher";
  Field<std::string> regex;
};
void describe(Fields& fields, RegexMatcher& matcher);

// envoy.type.matcher.v3.RegexMatchAndSubstitute.
struct RegexMatchAndSubstitute {
  static constexpr const char* definition = "envoy.type.matcher.v3.RegexMatchAndSubstitute";
  Field<RegexMatcher> pattern;
  Field<std::string> substitution;
};
void describe(Fields& fields, RegexMatchAndSubstitute& rewrite);

// envoy.config.route.v3.RouteAction.HashPolicy.
struct HashPolicy {
  static constexpr const char* definition = "envoy.config.route.v3.RouteAction.HashPolicy";
  struct Header {
    static constexpr const char* definition = "envoy.config.route.v3.RouteAction.HashPolicy.Header";
    Field<std::string> header_name;
    Field<RegexMatchAndSubstitute> regex_rewrite;
  };
  struct CookieAttribute {
    static constexpr const char* definition = "envoy.config.route.v3.RouteAction.HashPolicy.CookieAttribute";
    Field<std::string> name;
    Field<std::string> value;
  };
  struct Cookie {
    static constexpr const char* definition = "envoy.config.route.v3.RouteAction.HashPolicy.Cookie";
    Field<std::string> name;
    Field<grammar::Nanoseconds> ttl;
    Field<std::string> path;
    Field<std::vector<Field<CookieAttribute>>> attributes;
  };
  struct ConnectionProperties {
    static constexpr const char* definition = "envoy.config.route.v3.RouteAction.HashPolicy.ConnectionProperties";
    Field<bool> source_ip;
  };
  struct QueryParameter {
    static constexpr const char* definition = "envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter";
    Field<std::string> name;
  };
  struct FilterState {
    static constexpr const char* definition = "envoy.config.route.v3.RouteAction.HashPolicy.FilterState";
    Field<std::string> key;
  };
  Field<Header> header;
  Field<Cookie> cookie;
  Field<ConnectionProperties> connection_properties;
  Field<QueryParameter> query_parameter;
  Field<FilterState> filter_state;
  Field<bool> terminal;
};
void describe(Fields& fields, HashPolicy::Header& header);
void describe(Fields& fields, HashPolicy::CookieAttribute& attribute);
void describe(Fields& fields, HashPolicy::Cookie& cookie);
void describe(Fields& fields, HashPolicy::ConnectionProperties& properties);
void describe(Fields& fields, HashPolicy::QueryParameter& parameter);
void describe(Fields& fields, HashPolicy::FilterState& state);
void describe(Fields& fields, HashPolicy& policy);

// The same within a typed policy, where Envoy checks no names: they may be empty or left out (tried on Envoy 1.40).
struct UncheckedHashPolicy {
  using Value = HashPolicy;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
};

}  // namespace spillway::scenario::written
