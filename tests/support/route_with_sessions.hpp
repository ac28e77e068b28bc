// A route whose sessions keep their host by a cookie, as scenarios write it.
#pragma once

namespace spillway::support {

// To the service `s`.
inline constexpr const char* route_with_sessions = R"(routes:
  - match: { prefix: / }
    route: { cluster: s }
    typed_per_filter_config:
      envoy.filters.http.stateful_session:
        "@type": x/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute
        stateful_session:
          session_state:
            name: envoy.http.stateful_session.cookie
            typed_config: { "@type": x/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, cookie: { name: s } }
)";

}  // namespace spillway::support
