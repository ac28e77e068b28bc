// Which proxies get the same: those that agree in all that any document asks of a proxy.
//
//   ProxyClasses classes(documents, registry);
//   classes.of(first) == classes.of(second);   // the same clusters, load assignments and routes
//
// Of the same namespace, locality, network and cluster; with equal labels where a selector, a match or a
// failoverPriority names them; on the same node where a service is for its own node alone.
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
  // What any document asks of a proxy: namespace, locality, network, cluster, node, whether it is a gateway, labels.
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, std::string,
                         bool, Labels>;

  // O(documents).
  ProxyClasses(const Documents& documents, const Registry& registry);

  // Counts up from 0 with each new class. `proxy` as known() made it. O(log n).
  [[nodiscard]] std::uint32_t of(const Proxy& proxy);
  [[nodiscard]] Key key_of(const Proxy& proxy) const;

  // Whether the documents behind both ask the same of a proxy, so that numbers of the one are those of the other.
  [[nodiscard]] bool asks_as(const ProxyClasses& other) const {
    return labels_ == other.labels_ && by_node_ == other.by_node_;
  }

 private:
  std::set<std::string> labels_;
  bool by_node_ = false;
  std::map<Key, std::uint32_t> known_;
};

}  // namespace spillway::istio
