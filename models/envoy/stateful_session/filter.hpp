// The filter envoy.filters.http.stateful_session as a route configures it.
#pragma once

#include <chrono>
#include <string>

#include "models/envoy/stateful_session/session_state.hpp"

namespace spillway::envoy {

// Users come back to the host that served them before.
struct StatefulSession {
  SessionState state = SessionState::cookie;
  std::string name;             // of the cookie or header
  std::string path = {};        // of the cookie; empty: every path
  std::chrono::seconds ttl{0};  // of the cookie; 0: as long as the user's session
  bool strict = false;
};

}  // namespace spillway::envoy
