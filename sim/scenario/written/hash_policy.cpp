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

namespace {

// Whether Envoy wants names of at least one character.
enum class Names : std::uint8_t { checked, unchecked };

void describe_name(Fields& fields, const char* key, Field<std::string>& into, const char* words, Names names) {
  if (names == Names::checked) {
    fields.required(key, into, Text{1, 1'000}, words);
  } else {
    fields.optional(key, into, Text{0, 1'000}, words);
  }
}

void describe_part(Fields& fields, HashPolicy::Header& header, Names names) {
  fields.message();
  describe_name(fields, "header_name", header.header_name, "the header whose values are hashed", names);
  fields.optional("regex_rewrite", header.regex_rewrite, Record<RegexMatchAndSubstitute>{},
                  "what is done to each value before");
}

void describe_part(Fields& fields, HashPolicy::CookieAttribute& attribute, Names names) {
  fields.message();
  describe_name(fields, "name", attribute.name, "name", names);
  fields.optional("value", attribute.value, Text{0, 10'000}, "value");
}

void describe_part(Fields& fields, HashPolicy::ConnectionProperties& properties, Names /*names*/) {
  fields.message();
  fields.optional("source_ip", properties.source_ip, grammar::Flag{}, "hash the client's address; default: false");
}

void describe_part(Fields& fields, HashPolicy::QueryParameter& parameter, Names names) {
  fields.message();
  describe_name(fields, "name", parameter.name, "the parameter of the path that is hashed", names);
}

void describe_part(Fields& fields, HashPolicy::FilterState& state, Names names) {
  fields.message();
  describe_name(fields, "key", state.key, "of an object that a filter has left; no request has one here", names);
}

// A part of a hash policy whose names are not checked.
template <class T>
struct Unchecked {
  using Value = T;
  bool read(const document::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    if (node.kind != document::Kind::object) {
      grammar::wrong_kind(node, what, "an object", problems);
      return false;
    }
    Fields fields(node, problems);
    describe_part(fields, into, Names::unchecked);
    fields.finish();
    return true;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    grammar::Schema object;
    object.type = "object";
    T unused;
    Fields fields(object, definitions);
    describe_part(fields, unused, Names::unchecked);
    return object;
  }
};

void describe_part(Fields& fields, HashPolicy::Cookie& cookie, Names names) {
  fields.message();
  describe_name(fields, "name", cookie.name, "the cookie whose value is hashed", names);
  fields.optional("ttl", cookie.ttl, grammar::ProtoDuration{},
                  "a request without the cookie is given one for so long; 0s: for the user's session");
  fields.optional("path", cookie.path, Text{0, 10'000}, "of the cookie that is given");
  const char* const words = "of the cookie that is given";
  if (names == Names::checked) {
    fields.optional("attributes", cookie.attributes, ListOf<Record<HashPolicy::CookieAttribute>>{}, words);
  } else {
    fields.optional("attributes", cookie.attributes, ListOf<Unchecked<HashPolicy::CookieAttribute>>{}, words);
  }
}

template <template <class> class Part>
void describe_policy(Fields& fields, HashPolicy& policy) {
  fields.message();
  fields.formerly("header_name", "header");
  fields.optional("header", policy.header, Part<HashPolicy::Header>{}, "a header's values");
  fields.optional("cookie", policy.cookie, Part<HashPolicy::Cookie>{}, "a cookie's value");
  fields.optional("connection_properties", policy.connection_properties, Part<HashPolicy::ConnectionProperties>{},
                  "the client's address");
  fields.optional("query_parameter", policy.query_parameter, Part<HashPolicy::QueryParameter>{},
                  "a parameter of the path");
  fields.optional("filter_state", policy.filter_state, Part<HashPolicy::FilterState>{}, "an object of a filter");
  fields.exactly_one({"header", "cookie", "connection_properties", "query_parameter", "filter_state"});
  fields.optional("terminal", policy.terminal, grammar::Flag{},
                  "what follows is not looked at once there is a hash; default: false");
}

void describe_part(Fields& fields, HashPolicy& policy, Names /*unchecked*/) {
  describe_policy<Unchecked>(fields, policy);
}

}  // namespace

void describe(Fields& fields, HashPolicy::Header& header) {
  describe_part(fields, header, Names::checked);
}

void describe(Fields& fields, HashPolicy::CookieAttribute& attribute) {
  describe_part(fields, attribute, Names::checked);
}

void describe(Fields& fields, HashPolicy::Cookie& cookie) {
  describe_part(fields, cookie, Names::checked);
}

void describe(Fields& fields, HashPolicy::ConnectionProperties& properties) {
  describe_part(fields, properties, Names::checked);
}

void describe(Fields& fields, HashPolicy::QueryParameter& parameter) {
  describe_part(fields, parameter, Names::checked);
}

void describe(Fields& fields, HashPolicy::FilterState& state) {
  describe_part(fields, state, Names::checked);
}

void describe(Fields& fields, HashPolicy& policy) {
  describe_policy<Record>(fields, policy);
}

bool UncheckedHashPolicy::read(const document::Node& node, Value& into, std::string_view what,
                               Diagnostics& problems) const {
  return Unchecked<HashPolicy>{}.read(node, into, what, problems);
}

grammar::Schema UncheckedHashPolicy::schema(grammar::Definitions& definitions) const {
  return Unchecked<HashPolicy>{}.schema(definitions);
}

}  // namespace spillway::scenario::written
