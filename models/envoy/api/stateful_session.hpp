// Stateful sessions: envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute.
#pragma once

#include <optional>

#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/stateful_session/filter.hpp"

namespace spillway::messages {

template <>
struct Grammar<envoy::StatefulSession> {
  static constexpr const char* definition = "envoy.extensions.filters.http.stateful_session.v3.StatefulSession";
  static void describe(Fields& fields, envoy::StatefulSession& session);
};

struct StatefulSessionPerRoute {
  std::optional<envoy::StatefulSession> stateful_session = {};  // nullopt if disabled
};
template <>
struct Grammar<StatefulSessionPerRoute> {
  static constexpr const char* definition = "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute";
  static void describe(Fields& fields, StatefulSessionPerRoute& session);
};

}  // namespace spillway::messages
