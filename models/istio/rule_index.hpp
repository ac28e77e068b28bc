// Finds the DestinationRule for a host in a proxy's cluster, merged as istiod merges the rules of one host.
//
//   RuleIndex index(documents.destination_rules, documents.mesh);
//   index.find(proxy, "web.shop.svc.cluster.local", "shop").rule;   // null: none
//
// The look-up is in the proxy's namespace, then the service's, then the root namespace; specificity counts only within
// a step. Source: docs/behaviour/istio.md 3; istiod's pilot/pkg/model/push_context.go (setDestinationRules,
// destinationRule), destination_rule.go, sidecar.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/istio/destination_rule.hpp"
#include "models/istio/proxy.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

// The step of the look-up that found a rule.
enum class RuleStep : std::uint8_t { proxy_namespace, service_namespace, root_namespace };

struct ConsolidatedRule {
  DestinationRule rule = {};             // host completed; subsets and policy of all merged rules
  std::set<std::string> export_to = {};  // empty means to all
  std::vector<std::size_t> from = {};    // positions in the list of rules, the oldest first
};

class RuleIndex {
 public:
  // Builds the index. O(n log n) unless many rules are for one host.
  RuleIndex(const std::vector<DestinationRule>& rules, const MeshConfig& mesh);

  struct Found {
    const ConsolidatedRule* rule = nullptr;
    RuleStep step = RuleStep::proxy_namespace;
  };
  // Returns the rule; `rule` is null if none applies. O(log n + wildcards of a namespace).
  [[nodiscard]] Found find(const Proxy& proxy, const std::string& hostname, const std::string& service_namespace) const;

 private:
  struct Hosts {
    std::map<std::string, std::vector<ConsolidatedRule>> specific;
    std::map<std::string, std::vector<ConsolidatedRule>> wildcard;
  };
  using Rules = std::vector<const ConsolidatedRule*>;

  static void merge(Hosts& hosts, const DestinationRule& rule, std::size_t position,
                    const std::set<std::string>& export_to);
  static const std::vector<ConsolidatedRule>* most_specific(const Hosts& hosts, const std::string& hostname);
  [[nodiscard]] Rules local_rules(const std::string& name_space, const std::string& hostname) const;
  [[nodiscard]] Rules exported_rules(const std::string& owner, const std::string& hostname,
                                     const std::string& client) const;

  std::string root_;
  std::map<std::string, Hosts> local_;
  std::map<std::string, Hosts> exported_;
  Hosts root_local_;
};

}  // namespace spillway::istio
