// What the parts of a written route mean, each with what Envoy refuses of it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "models/config/retry_policy.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/routes/route.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::binding {

// What a cluster's name means where the route stands.
using ServiceOf = std::function<config::ServiceIndex(const grammar::Field<std::string>&)>;

[[nodiscard]] Route read_route(const messages::Route& written, const ServiceOf& service_of, Diagnostics& problems);

// The filters of a route: stateful_session and header_to_metadata. Others are reported.
void read_filters(const messages::Route& written, Route& route, Diagnostics& problems);

}  // namespace spillway::scenario::binding
