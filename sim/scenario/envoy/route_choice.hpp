// Which route of a RouteConfiguration takes a request, as Envoy looks for it: the virtual host by its domains, then the
// first route that matches, or the one that its matcher tree leads to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/envoy/routes/request.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/document/node.hpp"

namespace spillway::scenario::envoy_documents {

struct ChosenRoute {
  const document::Node* configuration = nullptr;
  const document::Node* virtual_host = nullptr;
  const document::Node* route = nullptr;
  document::Node match = {};               // RouteMatch, without what the request has been found to meet
  std::vector<std::string> loosened = {};  // keys of the conditions that `match` lacks, or has in a wider form
};

// Nothing: no route takes it. What keeps this from being told is added to `problems` (SP301).
[[nodiscard]] std::optional<ChosenRoute> choose_route(const document::Node& configuration,
                                                      const envoy::routes::Request& request, Diagnostics& problems);

// Of an action of a virtual host's matcher, which is a Route or a RouteList; the routes' own matches are asked too.
[[nodiscard]] std::vector<const document::Node*> routes_of_action(const document::Node& action);

// All routes of a virtual host: its list, or those that its matcher leads to. Linear.
[[nodiscard]] std::vector<const document::Node*> routes_of(const document::Node& virtual_host);

// The virtual host of a host: exact, else the longest of `*.example`, else the longest of `example.*`, else `*`.
// Null: none. Source: Envoy's router/config_impl.cc (RouteMatcher::findVirtualHost).
[[nodiscard]] const document::Node* virtual_host_of(const document::Node& configuration, const std::string& host);

}  // namespace spillway::scenario::envoy_documents
