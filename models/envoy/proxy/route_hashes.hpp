// Finds clusters whose requests no route of a proxy's documents hashes.
//
//   const RouteHashes hashes(documents, index);
//   hashes.none_for("cart");   // routes lead to `cart`, and none of them has a hash policy
#pragma once

#include <set>
#include <string>

namespace spillway::documents {
struct Node;  // node.hpp
}  // namespace spillway::documents

namespace spillway::proxy {

class Index;       // resources.hpp
struct Documents;  // documents.hpp

class RouteHashes {
 public:
  // Linear in listeners and routes.
  RouteHashes(const Documents& documents, const Index& index);

  // True if a route or TCP proxy leads to the cluster, and none that may lead there has a hash policy. False if routes
  // are missing in the documents: those that a proxy gets from LDS, RDS or VHDS, and those of scopes.
  [[nodiscard]] bool none_for(const std::string& cluster) const;
  // True if a route to the cluster itself has a hash policy.
  [[nodiscard]] bool any_for(const std::string& cluster) const { return hashed_.contains(cluster); }

 private:
  void add_routes(const documents::Node& configuration);
  // Adds a RouteAction or a TcpProxy: both name clusters and hash policies by the same keys.
  void add_action(const documents::Node& action);

  bool known_ = true;
  std::set<std::string> hashed_;
  std::set<std::string> unhashed_;
};

}  // namespace spillway::proxy
