// Subset load balancing as it stands verbatim in files: lb_subset_config of a Cluster, and the typed policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/metadata.hpp"
#include "sim/scenario/written/policies.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// envoy.config.cluster.v3.Cluster.LbSubsetConfig.
struct LbSubsetConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.LbSubsetConfig";
  // Words in the order of the enums of models/envoy/policies/subset/subset.hpp.
  static inline const std::vector<std::string> fallback_policies = {"NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"};
  static inline const std::vector<std::string> metadata_fallback_policies = {"METADATA_NO_FALLBACK", "FALLBACK_LIST"};
  struct Selector {
    static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector";
    static inline const std::vector<std::string> fallback_policies = {"NOT_DEFINED", "NO_FALLBACK", "ANY_ENDPOINT",
                                                                      "DEFAULT_SUBSET", "KEYS_SUBSET"};
    Source source;
    Field<std::vector<Field<std::string>>> keys;
    Field<bool> single_host_per_subset;
    Field<std::size_t> fallback_policy;
    Field<std::vector<Field<std::string>>> fallback_keys_subset;
  };
  Field<std::size_t> fallback_policy;
  Field<config::Struct> default_subset;
  Field<std::vector<Field<Selector>>> subset_selectors;
  Field<bool> locality_weight_aware;
  Field<bool> scale_locality_weight;
  Field<bool> panic_mode_any;
  Field<bool> list_as_any;
  Field<std::size_t> metadata_fallback_policy;
};
void describe(Fields& fields, LbSubsetConfig::Selector& selector);
void describe(Fields& fields, LbSubsetConfig& config);

// envoy.extensions.load_balancing_policies.subset.v3.Subset.
struct Subset : LbSubsetConfig {
  Field<bool> allow_redundant_keys;
  Field<LoadBalancingPolicy> subset_lb_policy;
};
void describe(Fields& fields, Subset& policy);

}  // namespace spillway::scenario::written
