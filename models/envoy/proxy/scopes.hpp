// Scoped routes (scoped_routes): assigns requests to one of several RouteConfigurations by headers that a connection
// manager reads.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::proxy {

class Index;       // resources.hpp
struct Documents;  // documents.hpp

struct Scope {
  const documents::Node* node = nullptr;                          // ScopedRouteConfiguration
  const documents::Node* routes = nullptr;                        // null if there are none; `why` has the reason
  std::vector<std::pair<std::string, std::string>> headers = {};  // of a request whose key is the scope's
  std::string why = {};
};

// Returns the ScopedRouteConfigurations of `scoped_routes`: those in its list, then those of the documents.
[[nodiscard]] std::vector<const documents::Node*> scope_configurations(const documents::Node& scoped,
                                                                       const Documents& documents);

// Returns the fragments of the key, or of its builder, under `key`.
[[nodiscard]] std::vector<const documents::Node*> fragments_at(const documents::Node& object, std::string_view key);

// Returns the scopes of an HttpConnectionManager: those in its list, then those of the documents. Empty if it has no
// scoped_routes.
[[nodiscard]] std::vector<Scope> scopes_of(const documents::Node& manager, const Documents& documents,
                                           const Index& index);

}  // namespace spillway::proxy
