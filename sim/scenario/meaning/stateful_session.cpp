#include <chrono>

#include "models/envoy/refusals.hpp"
#include "sim/scenario/meaning/header_to_metadata.hpp"
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

std::optional<StatefulSession> per_route_session(const AnyMessage& message, Diagnostics& problems) {
  written::StatefulSessionPerRoute per_route;
  written::read_any(message, per_route, problems);
  if (!per_route.stateful_session || !per_route.stateful_session->session_state) {
    return std::nullopt;
  }
  const auto& state = per_route.stateful_session->session_state->typed_config;
  std::optional<StatefulSession> session = state ? session_of(*state, state.where, problems) : std::nullopt;
  if (session) {
    session->strict = per_route.stateful_session->strict.value_or(false);
  }
  return session;
}

}  // namespace

void read_filters(const written::Route& written, Route& route, Diagnostics& problems) {
  for (const auto& filter : *written.typed_per_filter_config) {
    if (!filter.value) {
      continue;
    }
    if (filter.value->type == "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute") {
      route.stateful_session = per_route_session(*filter.value, problems);
    } else if (filter.value->type == header_to_metadata_type) {
      route.header_to_metadata = read_header_to_metadata(*filter.value, filter.value.where, problems);
    } else {
      problems.push_back(written::wrong_type(*filter.value, filter.value.where,
                                             "of filters StatefulSessionPerRoute and header_to_metadata's Config are "
                                             "simulated"));
    }
  }
}

}  // namespace spillway::scenario::meaning
