#include "models/envoy/api/stateful_session.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "models/envoy/refusals.hpp"

namespace spillway::messages {

using grammar::Text;

namespace {

struct Cookie {
  std::string name = {};
  std::string path = {};
  grammar::Nanoseconds ttl{0};
};
struct CookieBasedSessionState {
  Cookie cookie = {};
};
struct HeaderBasedSessionState {
  std::string name = {};
};

envoy::Refusal refusal(const CookieBasedSessionState& state) {
  return envoy::refusal(envoy::SessionState::cookie, state.cookie.name);
}
envoy::Refusal refusal(const HeaderBasedSessionState& state) {
  return envoy::refusal(envoy::SessionState::header, state.name);
}

}  // namespace

template <>
struct Grammar<Cookie> {
  static constexpr const char* definition = "envoy.type.http.v3.Cookie";
  static void describe(Fields& fields, Cookie& cookie) {
    fields.message();
    optional(fields, "name", cookie.name, any_length, "name");
    optional(fields, "ttl", cookie.ttl, grammar::ProtoDuration{}, "lifetime; default: 0s, the user's session");
    optional(fields, "path", cookie.path, any_length, "for these paths; default: all");
    fields.without_influence({"attributes"});
  }
};

template <>
struct Grammar<CookieBasedSessionState> {
  static constexpr const char* definition = "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState";
  static constexpr const char* refused = "this session state";
  static void describe(Fields& fields, CookieBasedSessionState& state) {
    fields.message();
    required(fields, "cookie", state.cookie, Message<Cookie>{}, "the cookie");
  }
};

template <>
struct Grammar<HeaderBasedSessionState> {
  static constexpr const char* definition = "envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState";
  static constexpr const char* refused = "this session state";
  static void describe(Fields& fields, HeaderBasedSessionState& state) {
    fields.message();
    optional(fields, "name", state.name, any_length, "the header");
  }
};

namespace {

// The shape of a TypedExtensionConfig with one of the two session states.
struct SessionState {
  using Value = envoy::StatefulSession;

  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    TypedExtensionConfig extension;
    const bool read = grammar::Record<TypedExtensionConfig>{}.read(node, extension, what, problems);
    if (!extension.typed_config) {
      return read;
    }
    const AnyMessage& any = *extension.typed_config;
    if (any.type == Grammar<CookieBasedSessionState>::definition) {
      auto state = read_any<CookieBasedSessionState>(any, problems);
      into = {.state = envoy::SessionState::cookie,
              .name = std::move(state.cookie.name),
              .path = std::move(state.cookie.path),
              .ttl = std::chrono::duration_cast<std::chrono::seconds>(state.cookie.ttl)};
    } else if (any.type == Grammar<HeaderBasedSessionState>::definition) {
      auto state = read_any<HeaderBasedSessionState>(any, problems);
      into = {.state = envoy::SessionState::header, .name = std::move(state.name)};
    } else {
      problems.push_back(
          wrong_type(any, extension.typed_config.where, "must be CookieBasedSessionState or HeaderBasedSessionState"));
    }
    return read;
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    return grammar::Record<TypedExtensionConfig>{}.schema(definitions);
  }
  [[nodiscard]] documents::Node write(const Value& value) const {
    return value.state == envoy::SessionState::cookie
               ? write_extension("envoy.http.stateful_session.cookie",
                                 CookieBasedSessionState{{value.name, value.path, value.ttl}})
               : write_extension("envoy.http.stateful_session.header", HeaderBasedSessionState{value.name});
  }
};

}  // namespace

void Grammar<envoy::StatefulSession>::describe(Fields& fields, envoy::StatefulSession& session) {
  fields.message();
  optional(fields, "session_state", session, SessionState{}, "how a request names the host of its session");
  optional(fields, "strict", session.strict, grammar::Flag{}, "a request fails if its host is gone; default: false");
  fields.without_influence({"stat_prefix", "status_on_strict_destination_not_found"});
}

void Grammar<StatefulSessionPerRoute>::describe(Fields& fields, StatefulSessionPerRoute& session) {
  Field<bool> disabled;
  fields.message();
  fields.optional("disabled", disabled, grammar::Flag{}, "no sessions");
  optional(fields, "stateful_session", session.stateful_session, Message<envoy::StatefulSession>{}, "sessions");
  fields.exactly_one({"disabled", "stateful_session"});
}

}  // namespace spillway::messages
