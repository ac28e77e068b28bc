// The HTTP filters that a request passes on its way to the router, as its route configures them.
#pragma once

#include <string>
#include <vector>

#include "models/documents/node.hpp"
#include "models/envoy/proxy/route_choice.hpp"

namespace spillway::proxy {

struct HttpFilter {
  std::string name;
  const documents::Node* config = nullptr;     // of the connection manager; null if it is not in the documents
  const documents::Node* per_route = nullptr;  // the most specific one, without FilterConfig around it; null if none is
};

// Filters that are switched on, in their order. What a route says of a filter wins over its virtual host, that over the
// route configuration, and that over the manager: `disabled`, or a configuration, which switches on what is disabled.
// Linear. Source: Envoy's filter_chain_helper.cc and router/config_impl.cc (PerFilterConfigs).
[[nodiscard]] std::vector<HttpFilter> http_filters(const documents::Node& manager, const ChosenRoute& chosen);

// The configuration of a filter that stands in FilterConfig; null if that has none.
[[nodiscard]] const documents::Node* without_filter_config(const documents::Node& config);

}  // namespace spillway::proxy
