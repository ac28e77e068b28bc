#include "sim/scenario/written/stateful_session.hpp"

#include <vector>

#include "models/envoy/refusals.hpp"
#include "sim/scenario/meaning/header_to_metadata.hpp"
#include "sim/scenario/meaning/routes.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/written/refused.hpp"

namespace spillway::scenario::meaning {
namespace {

using written::AnyMessage;

std::optional<StatefulSession> per_route_session(const AnyMessage& message, Diagnostics& problems) {
  written::Described<written::StatefulSessionPerRoute> per_route;
  written::read_any(message, per_route, problems);
  // The Any that says how; without one there are no sessions.
  std::vector<written::Source> places = {per_route.source};
  for (const char* const field : {"stateful_session", "session_state", "typed_config"}) {
    places = places.empty() ? places : places.front().items_of(field);
  }
  if (!per_route.stateful_session || places.empty()) {
    return std::nullopt;
  }
  const StatefulSession& session = *per_route.stateful_session;
  if (per_route.sound) {
    const document::Node& state = *places.front().object;
    refuse(envoy::refusal(session.state, session.name), {"this session state", &state, state.span}, problems);
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
