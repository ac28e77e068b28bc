// Generates one sample request for each route in a proxy's documents that leads to a cluster.
//
//   const DescribedRoutes all = described_routes(documents, index);
//   all.requests.front().host;     // "shop.example"
//   all.passed_over.front();       // "route `canary`: `filter_state` is not supported yet"
#pragma once

#include <string>
#include <vector>

namespace spillway::proxy {

class Index;             // resources.hpp
struct DescribedRoutes;  // options.hpp
struct Documents;        // documents.hpp

// Returns requests for the routes of every listener, else of every RouteConfiguration, in document order. Of TCP
// proxies, only those that split traffic are included. Each request is taken by its own route and by none before it.
// Routes that end at the proxy are ignored. Routes without such a request are ignored with the reason. O(n^2) in the
// routes of a virtual host, of which only the first 5,000 are used.
[[nodiscard]] DescribedRoutes described_routes(const Documents& documents, const Index& index);

}  // namespace spillway::proxy
