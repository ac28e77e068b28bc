// The settings of the filter envoy.filters.http.stateful_session on a route.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace spillway::envoy {

// Where a stateful session names its host.
enum class SessionState : std::uint8_t { cookie, header };

// A session affinity: users return to the host that served them before.
struct StatefulSession {
  SessionState state = SessionState::cookie;
  std::string name;             // of the cookie or header
  std::string path = {};        // of the cookie; all paths if empty
  std::chrono::seconds ttl{0};  // of the cookie; 0 means a session cookie
  bool strict = false;
};

}  // namespace spillway::envoy
