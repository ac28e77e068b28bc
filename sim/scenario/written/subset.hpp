// Subset load balancing: lb_subset_config of a Cluster, and the typed policy.
#pragma once

#include "models/envoy/policies/subset/subset.hpp"
#include "sim/scenario/written/described.hpp"
#include "sim/scenario/written/policies.hpp"

namespace spillway::scenario::written {

template <>
struct Grammar<envoy::policies::subset::Selector> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector";
  static void describe(Fields& fields, envoy::policies::subset::Selector& selector);
};

template <>
struct Grammar<envoy::policies::subset::Config> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.LbSubsetConfig";
  static void describe(Fields& fields, envoy::policies::subset::Config& config);
};

// With the policy within the subsets as it stands.
struct Subset : envoy::policies::subset::Config {
  Field<LoadBalancingPolicy> within;
};
template <>
struct Grammar<Subset> {
  static constexpr const char* definition = "envoy.extensions.load_balancing_policies.subset.v3.Subset";
  static void describe(Fields& fields, Subset& policy);
};

}  // namespace spillway::scenario::written
