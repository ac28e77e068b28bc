// Routes one request through a proxy's listeners and routes, up to the clusters that it may go to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/envoy/routes/request.hpp"
#include "sim/scenario/binding/envoy/passed_fields.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::proxy {
class Index;                // resources.hpp
struct Documents;           // documents.hpp
struct RequestDescription;  // options.hpp
struct Resource;            // documents.hpp
}  // namespace spillway::proxy

namespace spillway::scenario::envoy_binding {

struct RoutedRequest {
  std::string name;  // "GET shop.example/cart"
  envoy::routes::Request request;
  Route route;                        // its `clusters` are filled in later
  std::vector<std::string> clusters;  // in the order of route.route.action.clusters
  std::vector<std::string> notes;     // the steps of routing: listener, virtual host, route
  Span retry_policy;                  // if one is written
  Span where;                         // of the route
  bool checks_clusters = false;       // Envoy refuses the route if a cluster of it is unknown
  PassedFields passed;                // passed on its path and not simulated
};

// Routes a request. Returns nullopt if no route matches; that, and anything on its path that cannot be simulated, is
// added to `problems`.
[[nodiscard]] std::optional<RoutedRequest> route_request(const proxy::Documents& documents, const proxy::Index& index,
                                                         const proxy::RequestDescription& description,
                                                         Diagnostics& problems);

// Reads every route of a RouteConfiguration and adds to `problems` errors and features that are not simulated. Returns
// the number of routes. Linear.
std::size_t check_routes(const proxy::Resource& configuration, Diagnostics& problems);

}  // namespace spillway::scenario::envoy_binding
