// The HTTP filters that a request passes before the router, as configured for its route.
#pragma once

#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {

struct HttpFilter {
  std::string name;
  const documents::Node* config = nullptr;     // from the connection manager; null if not in the documents
  const documents::Node* per_route = nullptr;  // the most specific one, unwrapped from FilterConfig; null if none
};

// Returns the enabled filters in order. Settings of a route override those of its virtual host, then those of the route
// configuration, then those of the manager. A setting is `disabled`, or a configuration, which enables a disabled
// filter. Linear. Source: Envoy's filter_chain_helper.cc and router/config_impl.cc (PerFilterConfigs).
[[nodiscard]] std::vector<HttpFilter> http_filters(const documents::Node& manager, const ChosenRoute& chosen);

// Returns a filter's configuration, unwrapped if it is in a FilterConfig; null if that contains none.
[[nodiscard]] const documents::Node* without_filter_config(const documents::Node& config);

}  // namespace spillway::proxy
