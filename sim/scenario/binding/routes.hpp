// Interprets the parts of a written route, and reports what Envoy refuses of each.
#pragma once

#include <functional>
#include <string>

#include "models/config/strong.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/field.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::messages {
struct Route;  // route.hpp
}  // namespace spillway::messages

namespace spillway::scenario::binding {

// Resolves the name of a cluster at the place of the route.
using ServiceOf = std::function<config::ServiceIndex(const grammar::Field<std::string>&)>;

[[nodiscard]] Route read_route(const messages::Route& written, const ServiceOf& service_of, Diagnostics& problems);

// Reads the filters of a route: stateful_session and header_to_metadata. Others are reported.
void read_filters(const messages::Route& written, Route& route, Diagnostics& problems);

}  // namespace spillway::scenario::binding
