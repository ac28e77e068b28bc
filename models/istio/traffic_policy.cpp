#include "models/istio/traffic_policy.hpp"

#include <algorithm>

namespace spillway::istio {

namespace {

using Policy = std::optional<TrafficPolicy>;

struct AtPort {
  Policy policy = {};
  bool by_port = false;
};

// Returns the policy at a port. Settings of the port replace everything; nothing is inherited.
AtPort at_port(const Policy& policy, std::uint32_t port) {
  if (!policy) {
    return {};
  }
  for (const PortTrafficPolicy& settings : policy->portLevelSettings) {
    if (settings.port == port) {
      TrafficPolicy own = settings.policy;
      own.retryBudget.reset();
      return {own, true};
    }
  }
  return {policy, false};
}

template <class Block>
void replace(std::optional<Block>& block, const std::optional<Block>& with, bool whole) {
  if (with || whole) {
    block = with;
  }
}

Policy with_subset(const Policy& base, const Subset* subset, std::uint32_t port) {
  Policy merged = at_port(base, port).policy;
  if (subset == nullptr || !subset->trafficPolicy) {
    return merged;
  }
  const AtPort own = at_port(subset->trafficPolicy, port);
  if (!merged) {
    return own.policy;
  }
  merged->portLevelSettings.clear();
  replace(merged->connectionPool, own.policy->connectionPool, own.by_port);
  replace(merged->outlierDetection, own.policy->outlierDetection, own.by_port);
  replace(merged->loadBalancer, own.policy->loadBalancer, own.by_port);
  replace(merged->retryBudget, own.policy->retryBudget, false);
  return merged;
}

const ConsistentHash* hash_in(const Policy& policy) {
  return policy && policy->loadBalancer && policy->loadBalancer->consistentHash ? &*policy->loadBalancer->consistentHash
                                                                                : nullptr;
}

const ConsistentHash* hash_at_port(const Policy& policy, std::optional<std::uint32_t> port) {
  if (!policy || !port) {
    return nullptr;
  }
  for (const PortTrafficPolicy& settings : policy->portLevelSettings) {
    const auto& balancer = settings.policy.loadBalancer;
    if (settings.port == *port) {
      return balancer && balancer->consistentHash ? &*balancer->consistentHash : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

const Subset* find_subset(const DestinationRule& rule, const std::string& name) {
  const auto found =
      std::find_if(rule.subsets.begin(), rule.subsets.end(), [&](const Subset& subset) { return subset.name == name; });
  return found == rule.subsets.end() ? nullptr : &*found;
}

std::optional<TrafficPolicy> policy_of(const DestinationRule* rule, std::uint32_t port, const std::string& subset) {
  return rule == nullptr ? std::nullopt : with_subset(rule->trafficPolicy, find_subset(*rule, subset), port);
}

std::optional<TrafficPolicy> cluster_policy(const DestinationRule* rule, std::uint32_t port, const std::string& subset,
                                            const MeshConfig& mesh, const Switches& switches) {
  Policy base = rule == nullptr ? std::nullopt : at_port(rule->trafficPolicy, port).policy;
  const DefaultTrafficPolicy& defaults = mesh.defaultTrafficPolicy;
  const bool pool = defaults.connectionPool && !(base && base->connectionPool);
  const bool outlier = defaults.outlierDetection && !(base && base->outlierDetection);
  if (switches.mesh_default_policy && (pool || outlier)) {
    base = base.value_or(TrafficPolicy{});
    base->portLevelSettings.clear();
    if (pool) {
      base->connectionPool = defaults.connectionPool;
    }
    if (outlier) {
      base->outlierDetection = defaults.outlierDetection;
    }
  }
  return rule == nullptr ? base : with_subset(base, find_subset(*rule, subset), port);
}

const ConsistentHash* hash_of(const DestinationRule& rule, const std::string& subset,
                              std::optional<std::uint32_t> port) {
  if (const Subset* const found = find_subset(rule, subset)) {
    for (const ConsistentHash* const hash : {hash_at_port(found->trafficPolicy, port), hash_in(found->trafficPolicy)}) {
      if (hash != nullptr) {
        return hash;
      }
    }
  }
  const ConsistentHash* const by_port = hash_at_port(rule.trafficPolicy, port);
  return by_port != nullptr ? by_port : hash_in(rule.trafficPolicy);
}

}  // namespace spillway::istio
