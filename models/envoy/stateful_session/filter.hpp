// The settings of the filter envoy.filters.http.stateful_session on a route.
#pragma once

#include <chrono>
#include <string>

#include "models/envoy/stateful_session/session_state.hpp"

namespace spillway::envoy {

// A session affinity: users return to the host that served them before.
struct StatefulSession {
  SessionState state = SessionState::cookie;
  std::string name;             // of the cookie or header
  std::string path = {};        // of the cookie; all paths if empty
  std::chrono::seconds ttl{0};  // of the cookie; 0 means a session cookie
  bool strict = false;
};

}  // namespace spillway::envoy
