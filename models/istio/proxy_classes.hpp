// Groups proxies that get the same configuration: they agree in every property that any document depends on.
//
//   ProxyClasses classes(documents, registry);
//   classes.of(first) == classes.of(second);   // the same clusters, load assignments and routes
//
// Proxies of one class have the same namespace, locality, network and cluster. Their labels are equal if a selector, a
// match or a failoverPriority names them. They are on the same node if a service is only for its own node.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "models/istio/proxy.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

class ProxyClasses {
 public:
  // The properties of a proxy that affect its configuration: namespace, locality, network, cluster, node, whether it is
  // a gateway, labels.
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, std::string,
                         bool, Labels>;

  // Collects the properties that the documents depend on. O(documents).
  ProxyClasses(const Documents& documents, const Registry& registry);

  // Returns the number of the proxy's class; new classes count up from 0. Precondition: `proxy` was returned by
  // known(). O(log n).
  [[nodiscard]] std::uint32_t of(const Proxy& proxy);
  [[nodiscard]] Key key_of(const Proxy& proxy) const;

  // True if both sets of documents depend on the same properties of a proxy, so that class numbers carry over.
  [[nodiscard]] bool asks_as(const ProxyClasses& other) const {
    return labels_ == other.labels_ && by_node_ == other.by_node_;
  }

 private:
  std::set<std::string> labels_;
  bool by_node_ = false;
  std::map<Key, std::uint32_t> known_;
};

}  // namespace spillway::istio
