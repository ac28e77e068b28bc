// A route of Envoy's documents as a scenario's file could have it.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {

// With what its virtual host and the filters of the connection manager (null: not known) say for it. What is left out
// is said in `notes`.
[[nodiscard]] documents::Node settled_route(const ChosenRoute& chosen, const documents::Node* manager,
                                           std::vector<std::string>& notes);

// Of a TcpProxy a route for all: it picks like a route does, without headers.
[[nodiscard]] documents::Node route_of_proxy(const documents::Node& proxy, Diagnostics& problems);

}  // namespace spillway::proxy
