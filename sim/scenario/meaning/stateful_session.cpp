#include <chrono>

#include "models/envoy/refusals.hpp"
#include "sim/scenario/meaning/refused.hpp"
#include "sim/scenario/meaning/routes.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using written::AnyMessage;

std::optional<StatefulSession> session_of(const AnyMessage& state, Span where, Diagnostics& problems) {
  StatefulSession session;
  if (state.type == "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState") {
    written::CookieBasedSessionState written;
    written::read_any(state, written, problems);
    session.state = envoy::SessionState::cookie;
    session.name = written.cookie->name.value_or("");
    session.path = written.cookie->path.value_or("");
    session.ttl = std::chrono::duration_cast<std::chrono::seconds>(written.cookie->ttl.value_or(Nanoseconds{0}));
  } else if (state.type == "envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState") {
    written::HeaderBasedSessionState written;
    written::read_any(state, written, problems);
    session.state = envoy::SessionState::header;
    session.name = written.name.value_or("");
  } else {
    problems.push_back(written::wrong_type(state, where, "must be CookieBasedSessionState or HeaderBasedSessionState"));
    return std::nullopt;
  }
  refuse(envoy::refusal(session.state, session.name), {"this session state", state.node, where}, problems);
  return session;
}

}  // namespace

std::optional<StatefulSession> read_stateful_session(const written::Route& written, Diagnostics& problems) {
  std::optional<StatefulSession> session;
  for (const auto& filter : *written.typed_per_filter_config) {
    if (!filter.value) {
      continue;
    }
    const AnyMessage& message = *filter.value;
    if (message.type != "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute") {
      problems.push_back(
          written::wrong_type(message, filter.value.where, "of filters StatefulSessionPerRoute is played"));
      continue;
    }
    written::StatefulSessionPerRoute per_route;
    written::read_any(message, per_route, problems);
    if (!per_route.stateful_session || !per_route.stateful_session->session_state) {
      continue;
    }
    const auto& state = per_route.stateful_session->session_state->typed_config;
    if (state) {
      session = session_of(*state, state.where, problems);
    }
    if (session) {
      session->strict = per_route.stateful_session->strict.value_or(false);
    }
  }
  return session;
}

}  // namespace spillway::scenario::meaning
