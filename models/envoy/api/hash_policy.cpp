#include "models/envoy/api/hash_policy.hpp"

#include <chrono>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/string_matcher.hpp"

namespace spillway::messages {

using grammar::Record;
using grammar::Text;
namespace routes = envoy::routes;

namespace {

struct RegexMessage {
  static constexpr const char* definition = "envoy.type.matcher.v3.RegexMatchAndSubstitute";
  Field<std::string> pattern;
  Field<std::string> substitution;
};

void describe(Fields& fields, RegexMessage& rewrite) {
  fields.message();
  fields.required("pattern", rewrite.pattern, RegexMatcher{false}, "what is replaced");
  fields.optional("substitution", rewrite.substitution, any_length, "the replacement; \\1 to \\9 are groups");
}

}  // namespace

bool RegexMatchAndSubstitute::read(const documents::Node& node, Value& into, std::string_view what,
                                   Diagnostics& problems) const {
  RegexMessage message;
  const bool read = Record<RegexMessage>{}.read(node, message, what, problems);
  if (message.pattern->empty()) {
    return read;
  }
  into.emplace(*message.pattern, message.substitution.value_or(""));
  if (std::string wrong = into->error(); !wrong.empty()) {
    problems.error("SP139", node.span, "Envoy refuses this regular expression", "{}", {wrong});
  }
  return read;
}

grammar::Schema RegexMatchAndSubstitute::schema(grammar::Definitions& definitions) const {
  return Record<RegexMessage>{}.schema(definitions);
}

documents::Node RegexMatchAndSubstitute::write(const Value& value) const {
  documents::Node message;
  Fields fields(message);
  if (value) {
    fields.write("pattern", RegexMatcher{}.write(value->pattern()));
    fields.write("substitution", Text{}.write(value->substitution()));
  }
  return message;
}

namespace {

// The shape of a duration that Envoy reads in whole seconds.
struct WholeSeconds {
  using Value = std::int64_t;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    grammar::Nanoseconds time{0};
    const bool read = grammar::ProtoDuration{}.read(node, time, what, problems);
    into = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    return read;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return grammar::ProtoDuration{}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const {
    return grammar::ProtoDuration{}.write(std::chrono::seconds{value});
  }
};

using CookieAttribute = std::pair<std::string, std::string>;

constexpr const char* definition_of(const routes::HeaderHash*) {
  return "envoy.config.route.v3.RouteAction.HashPolicy.Header";
}
constexpr const char* definition_of(const CookieAttribute*) {
  return "envoy.config.route.v3.RouteAction.HashPolicy.CookieAttribute";
}
constexpr const char* definition_of(const routes::CookieHash*) {
  return "envoy.config.route.v3.RouteAction.HashPolicy.Cookie";
}
constexpr const char* definition_of(const routes::ConnectionPropertiesHash*) {
  return "envoy.config.route.v3.RouteAction.HashPolicy.ConnectionProperties";
}
constexpr const char* definition_of(const routes::QueryParameterHash*) {
  return "envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter";
}
constexpr const char* definition_of(const routes::FilterStateHash*) {
  return "envoy.config.route.v3.RouteAction.HashPolicy.FilterState";
}
constexpr const char* definition_of(const routes::HashPolicy*) {
  return "envoy.config.route.v3.RouteAction.HashPolicy";
}

void describe_name(Fields& fields, const char* key, std::string& into, const char* words, Names names) {
  if (names == Names::checked) {
    required(fields, key, into, not_empty, words);
  } else {
    optional(fields, key, into, any_length, words);
  }
}

void describe_part(Fields& fields, routes::HeaderHash& header, Names names) {
  fields.message();
  describe_name(fields, "header_name", header.header_name, "the header whose values are hashed", names);
  optional(fields, "regex_rewrite", header.regex_rewrite, RegexMatchAndSubstitute{},
           "what is done to each value before");
}

void describe_part(Fields& fields, CookieAttribute& attribute, Names names) {
  fields.message();
  describe_name(fields, "name", attribute.first, "name", names);
  optional(fields, "value", attribute.second, any_length, "value");
}

void describe_part(Fields& fields, routes::ConnectionPropertiesHash& properties, Names /*names*/) {
  fields.message();
  if (!fields.writing()) {
    properties.source_ip = false;
  }
  optional(fields, "source_ip", properties.source_ip, grammar::Flag{}, "hash the client's address; default: false");
}

void describe_part(Fields& fields, routes::QueryParameterHash& parameter, Names names) {
  fields.message();
  describe_name(fields, "name", parameter.name, "the parameter of the path that is hashed", names);
}

void describe_part(Fields& fields, routes::FilterStateHash& state, Names names) {
  fields.message();
  describe_name(fields, "key", state.key, "of an object of a filter; requests here have none", names);
}

void describe_part(Fields& fields, routes::CookieHash& cookie, Names names);
void describe_part(Fields& fields, routes::HashPolicy& policy, Names names);

// The parts of a hash policy, in both forms. The form without checked names has no definition in the schema.
template <class T>
struct Part {
  using Value = T;
  Names names;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    if (node.kind != documents::Kind::object) {
      grammar::wrong_kind(node, what, "an object", problems);
      return false;
    }
    Fields fields(node, problems);
    describe_part(fields, into, names);
    fields.finish();
    return true;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    if (names == Names::unchecked) {
      return object_schema(definitions);
    }
    const char* const name = definition_of(static_cast<const T*>(nullptr));
    if (definitions.find(name) == definitions.end()) {
      definitions[name] = {};
      grammar::Schema object = object_schema(definitions);
      definitions[name] = std::move(object);
    }
    grammar::Schema reference;
    reference.reference = name;
    return reference;
  }
  [[nodiscard]] documents::Node write(const Value& value) const {
    documents::Node message;
    Fields fields(message);
    T copy = value;
    describe_part(fields, copy, names);
    return message;
  }

 private:
  [[nodiscard]] grammar::Schema object_schema(grammar::Definitions& definitions) const {
    grammar::Schema object;
    object.type = "object";
    T unused;
    Fields fields(object, definitions);
    describe_part(fields, unused, names);
    return object;
  }
};

void describe_part(Fields& fields, routes::CookieHash& cookie, Names names) {
  fields.message();
  describe_name(fields, "name", cookie.name, "the cookie whose value is hashed", names);
  optional(fields, "ttl", cookie.ttl_seconds, WholeSeconds{},
           "lifetime of the cookie that a request without one gets; 0s: the user's session");
  optional(fields, "path", cookie.path, any_length, "of the cookie that is given");
  optional(fields, "attributes", cookie.attributes, Items<Part<CookieAttribute>>{{names}},
           "of the cookie that is given");
}

void describe_part(Fields& fields, routes::HashPolicy& policy, Names names) {
  auto& by = policy.policy_specifier;
  fields.message();
  fields.formerly("header_name", "header");
  alternative<routes::HeaderHash>(fields, "header", by, Part<routes::HeaderHash>{names}, "a header's values");
  alternative<routes::CookieHash>(fields, "cookie", by, Part<routes::CookieHash>{names}, "a cookie's value");
  alternative<routes::ConnectionPropertiesHash>(fields, "connection_properties", by,
                                                Part<routes::ConnectionPropertiesHash>{names}, "the client's address");
  alternative<routes::QueryParameterHash>(fields, "query_parameter", by, Part<routes::QueryParameterHash>{names},
                                          "a parameter of the path");
  alternative<routes::FilterStateHash>(fields, "filter_state", by, Part<routes::FilterStateHash>{names},
                                       "an object of a filter");
  fields.exactly_one({"header", "cookie", "connection_properties", "query_parameter", "filter_state"});
  optional(fields, "terminal", policy.terminal, grammar::Flag{},
           "a hash from this policy ends the list; default: false");
}

}  // namespace

bool HashPolicy::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  into = {routes::ConnectionPropertiesHash{false}};  // has no hash
  return Part<routes::HashPolicy>{names}.read(node, into, what, problems);
}

grammar::Schema HashPolicy::schema(grammar::Definitions& definitions) const {
  return Part<routes::HashPolicy>{names}.schema(definitions);
}

documents::Node HashPolicy::write(const Value& value) const {
  return Part<routes::HashPolicy>{names}.write(value);
}

}  // namespace spillway::messages
