#include "sim/scenario/written/hash_policy.hpp"

namespace spillway::scenario::written {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, RegexMatcher& matcher) {
  fields.message();
  fields.required("regex", matcher.regex, Text{1, 10'000}, "in RE2's syntax; must match the whole text");
  fields.without_influence({"google_re2"});
}

void describe(Fields& fields, RegexMatchAndSubstitute& rewrite) {
  fields.message();
  fields.required("pattern", rewrite.pattern, Record<RegexMatcher>{}, "what is replaced");
  fields.optional("substitution", rewrite.substitution, Text{0, 10'000}, "by what; \\1 to \\9 stand for groups");
}

void describe(Fields& fields, HashPolicy::Header& header) {
  fields.message();
  fields.required("header_name", header.header_name, Text{1, 1'000}, "the header whose values are hashed");
  fields.optional("regex_rewrite", header.regex_rewrite, Record<RegexMatchAndSubstitute>{},
                  "what is done to each value before");
}

void describe(Fields& fields, HashPolicy::CookieAttribute& attribute) {
  fields.message();
  fields.required("name", attribute.name, Text{1, 1'000}, "name");
  fields.optional("value", attribute.value, Text{0, 10'000}, "value");
}

void describe(Fields& fields, HashPolicy::Cookie& cookie) {
  fields.message();
  fields.required("name", cookie.name, Text{1, 1'000}, "the cookie whose value is hashed");
  fields.optional("ttl", cookie.ttl, grammar::ProtoDuration{},
                  "a request without the cookie is given one for so long; 0s: for the user's session");
  fields.optional("path", cookie.path, Text{0, 10'000}, "of the cookie that is given");
  fields.optional("attributes", cookie.attributes, ListOf<Record<HashPolicy::CookieAttribute>>{},
                  "of the cookie that is given");
}

void describe(Fields& fields, HashPolicy::ConnectionProperties& properties) {
  fields.message();
  fields.optional("source_ip", properties.source_ip, grammar::Flag{}, "hash the client's address; default: false");
}

void describe(Fields& fields, HashPolicy::QueryParameter& parameter) {
  fields.message();
  fields.required("name", parameter.name, Text{1, 1'000}, "the parameter of the path that is hashed");
}

void describe(Fields& fields, HashPolicy::FilterState& state) {
  fields.message();
  fields.required("key", state.key, Text{1, 1'000}, "of an object that a filter has left; no request has one here");
}

void describe(Fields& fields, HashPolicy& policy) {
  fields.message();
  fields.formerly("header_name", "header");
  fields.optional("header", policy.header, Record<HashPolicy::Header>{}, "a header's values");
  fields.optional("cookie", policy.cookie, Record<HashPolicy::Cookie>{}, "a cookie's value");
  fields.optional("connection_properties", policy.connection_properties, Record<HashPolicy::ConnectionProperties>{},
                  "the client's address");
  fields.optional("query_parameter", policy.query_parameter, Record<HashPolicy::QueryParameter>{},
                  "a parameter of the path");
  fields.optional("filter_state", policy.filter_state, Record<HashPolicy::FilterState>{}, "an object of a filter");
  fields.exactly_one({"header", "cookie", "connection_properties", "query_parameter", "filter_state"});
  fields.optional("terminal", policy.terminal, grammar::Flag{},
                  "what follows is not looked at once there is a hash; default: false");
}

}  // namespace spillway::scenario::written
