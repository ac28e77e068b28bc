// Routes of a virtual host as lists of names and values: those derived by istiod's rules, and those in a proxy's
// documents.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/documents/forward.hpp"

namespace spillway::istio {
struct Route;  // routes.hpp
}  // namespace spillway::istio

namespace spillway::reports::held {

// The settings of a route, by name: "match", "clusters", "timeout", "retries", "hash".
using RouteSettings = std::map<std::string, std::string>;

[[nodiscard]] RouteSettings settings_of(const istio::Route& route);
// Reads an envoy.config.route.v3.Route.
[[nodiscard]] RouteSettings settings_of_route(const documents::Node& route);

// Returns the virtual host of a host and port in these RouteConfigurations; null if there is none.
[[nodiscard]] const documents::Node* virtual_host_of(const std::vector<const documents::Node*>& configurations,
                                                     const std::string& host, std::uint32_t port);

}  // namespace spillway::reports::held
