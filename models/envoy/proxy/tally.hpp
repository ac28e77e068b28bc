// Counts the contents of a proxy's documents, and what is ignored.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace spillway::proxy {

class Index;       // resources.hpp
struct Documents;  // documents.hpp

// The counts. `passed_over`: parts by kind that do not affect routing or are not supported.
struct Tally {
  std::size_t clusters = 0;
  std::size_t endpoints = 0;
  std::size_t routes = 0;
  std::size_t listeners = 0;
  std::map<std::string, std::size_t> passed_over = {};
};

// Returns "41 clusters, 212 endpoints, 17 routes, 3 listeners; ignored 14 filters, 3 secrets".
[[nodiscard]] std::string describe(const Tally& tally);

}  // namespace spillway::proxy

namespace spillway::proxy {

// Counts clusters, endpoints, routes and listeners, and by kind filters, TLS contexts, access logs and secrets. Linear
// in the documents.
[[nodiscard]] Tally tally_of(const Documents& documents, const Index& index);

}  // namespace spillway::proxy
