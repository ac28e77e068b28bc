// Requests that stand for the routes of a proxy's documents: one for each route that leads to a cluster.
//
//   const DescribedRoutes all = described_routes(documents, index);
//   all.requests.front().host;     // "shop.example"
//   all.passed_over.front();       // "route `canary`: `runtime_fraction` is not supported yet"
#pragma once

#include <string>
#include <vector>

namespace spillway::proxy {

class Index;             // resources.hpp
struct DescribedRoutes;  // options.hpp
struct Documents;        // documents.hpp

// The routes of every listener, else of every RouteConfiguration, in the order of the documents; of TCP proxies those
// that split. Each request is taken by its route and by none before it. Routes for which no such request is found, or
// that end at the proxy, are ignored: the former with the reason. Quadratic in the routes of one virtual host, of
// which the first 5,000 are looked at.
[[nodiscard]] DescribedRoutes described_routes(const Documents& documents, const Index& index);

}  // namespace spillway::proxy
