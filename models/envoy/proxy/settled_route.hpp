// Converts a route of Envoy's documents to the form that a scenario could contain.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {

// Returns the route including settings of its virtual host and of the connection manager's filters. `manager` is null
// if unknown. Adds omissions to `notes`.
[[nodiscard]] documents::Node settled_route(const ChosenRoute& chosen, const documents::Node* manager,
                                            std::vector<std::string>& notes);

// True if a configuration of the fault filter has only a fixed delay, which is simulated.
[[nodiscard]] bool is_simulated_delay(const documents::Node& config);

// Returns a route for all requests that is equivalent to a TcpProxy: picks as for a route, but without headers.
[[nodiscard]] documents::Node route_of_proxy(const documents::Node& proxy, Diagnostics& problems);

}  // namespace spillway::proxy
