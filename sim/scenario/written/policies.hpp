// Load-balancing policies as they stand verbatim in files: as fields of a Cluster, and as typed extensions of its
// load_balancing_policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/hash_policy.hpp"
#include "sim/scenario/written/locality_lb_config.hpp"
#include "sim/scenario/written/metadata.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// envoy.config.cluster.v3.LoadBalancingPolicy: the first policy that Envoy knows is used.
struct LoadBalancingPolicy {
  struct Policy {
    static constexpr const char* definition = "envoy.config.cluster.v3.LoadBalancingPolicy.Policy";
    Field<TypedExtensionConfig> typed_extension_config;
  };
  static constexpr const char* definition = "envoy.config.cluster.v3.LoadBalancingPolicy";
  Field<std::vector<Field<Policy>>> policies;
};
void describe(Fields& fields, LoadBalancingPolicy::Policy& policy);
void describe(Fields& fields, LoadBalancingPolicy& policy);

// envoy.config.core.v3.RuntimeDouble. The value at its key is not looked up.
struct RuntimeDouble {
  static constexpr const char* definition = "envoy.config.core.v3.RuntimeDouble";
  Field<double> default_value;
};
void describe(Fields& fields, RuntimeDouble& value);

// envoy.config.cluster.v3.Cluster.SlowStartConfig.
struct SlowStartConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.SlowStartConfig";
  Field<grammar::Nanoseconds> slow_start_window;
  Field<RuntimeDouble> aggression;
  Field<PercentMessage> min_weight_percent;
};
void describe(Fields& fields, SlowStartConfig& config);

// envoy.config.cluster.v3.Cluster.RoundRobinLbConfig.
struct RoundRobinLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.RoundRobinLbConfig";
  Field<SlowStartConfig> slow_start_config;
};
void describe(Fields& fields, RoundRobinLbConfig& config);

// envoy.config.cluster.v3.Cluster.LeastRequestLbConfig.
struct LeastRequestLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.LeastRequestLbConfig";
  Source source;
  Field<std::uint64_t> choice_count;
  Field<RuntimeDouble> active_request_bias;
  Field<SlowStartConfig> slow_start_config;
};
void describe(Fields& fields, LeastRequestLbConfig& config);

// envoy.config.cluster.v3.Cluster.RingHashLbConfig.
struct RingHashLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.RingHashLbConfig";
  static inline const std::vector<std::string> hash_functions = {"XX_HASH", "MURMUR_HASH_2"};
  Source source;
  Field<std::uint64_t> minimum_ring_size;
  Field<std::uint64_t> maximum_ring_size;
  Field<std::size_t> hash_function;
};
void describe(Fields& fields, RingHashLbConfig& config);

// envoy.config.cluster.v3.Cluster.MaglevLbConfig.
struct MaglevLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.MaglevLbConfig";
  Source source;
  Field<std::uint64_t> table_size;
};
void describe(Fields& fields, MaglevLbConfig& config);

// envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig.
struct ConsistentHashingLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig";
  Source source;
  Field<bool> use_hostname_for_hashing;
  Field<std::uint64_t> hash_balance_factor;
};
void describe(Fields& fields, ConsistentHashingLbConfig& config);

// envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig.
struct TypedConsistentHashingLbConfig : ConsistentHashingLbConfig {
  static constexpr const char* definition =
      "envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig";
  Field<std::vector<Field<HashPolicy>>> hash_policy;
};
void describe(Fields& fields, TypedConsistentHashingLbConfig& config);

// The messages below are envoy.extensions.load_balancing_policies.<name>.v3.<Name>.
struct RoundRobin {
  Field<LocalityLbConfig> locality_lb_config;
  Field<SlowStartConfig> slow_start_config;
};
void describe(Fields& fields, RoundRobin& policy);

struct Random {
  Field<LocalityLbConfig> locality_lb_config;
};
void describe(Fields& fields, Random& policy);

struct LeastRequest : LeastRequestLbConfig {
  static inline const std::vector<std::string> selection_methods = {"N_CHOICES", "FULL_SCAN"};
  Field<std::size_t> selection_method;
  Field<LocalityLbConfig> locality_lb_config;
};
void describe(Fields& fields, LeastRequest& policy);

struct RingHash {
  static inline const std::vector<std::string> hash_functions = {"DEFAULT_HASH", "XX_HASH", "MURMUR_HASH_2"};
  Source source;
  Field<std::size_t> hash_function;
  Field<std::uint64_t> minimum_ring_size;
  Field<std::uint64_t> maximum_ring_size;
  Field<bool> use_hostname_for_hashing;
  Field<std::uint64_t> hash_balance_factor;
  Field<TypedConsistentHashingLbConfig> consistent_hashing_lb_config;
  Field<LocalityWeightedLbConfig> locality_weighted_lb_config;
};
void describe(Fields& fields, RingHash& policy);

struct Maglev : MaglevLbConfig {
  Field<TypedConsistentHashingLbConfig> consistent_hashing_lb_config;
  Field<LocalityWeightedLbConfig> locality_weighted_lb_config;
};
void describe(Fields& fields, Maglev& policy);

struct ClientSideWeightedRoundRobin {
  Field<grammar::Nanoseconds> blackout_period;
  Field<grammar::Nanoseconds> weight_expiration_period;
  Field<grammar::Nanoseconds> weight_update_period;
  Field<double> error_utilization_penalty;
  Field<std::vector<Field<std::string>>> metric_names_for_computing_utilization;
  Field<SlowStartConfig> slow_start_config;
};
void describe(Fields& fields, ClientSideWeightedRoundRobin& policy);

struct WrrLocality {
  Field<LoadBalancingPolicy> endpoint_picking_policy;
};
void describe(Fields& fields, WrrLocality& policy);

struct OverrideHost {
  // envoy.type.metadata.v3.MetadataKey.
  struct MetadataKey {
    struct PathSegment {
      static constexpr const char* definition = "envoy.type.metadata.v3.MetadataKey.PathSegment";
      Field<std::string> key;
    };
    static constexpr const char* definition = "envoy.type.metadata.v3.MetadataKey";
    Field<std::string> key;
    Field<std::vector<Field<PathSegment>>> path;
  };
  struct OverrideHostSource {
    static constexpr const char* definition = "OverrideHost.OverrideHostSource";
    Field<std::string> header;
    Field<MetadataKey> metadata;
  };
  Source source;
  Field<std::vector<Field<OverrideHostSource>>> override_host_sources;
  Field<LoadBalancingPolicy> fallback_policy;
};
void describe(Fields& fields, OverrideHost::MetadataKey::PathSegment& segment);
void describe(Fields& fields, OverrideHost::MetadataKey& key);
void describe(Fields& fields, OverrideHost::OverrideHostSource& source);
void describe(Fields& fields, OverrideHost& policy);

// An empty message.
struct ClusterProvided {};
inline void describe(Fields& fields, ClusterProvided& /*policy*/) {
  fields.message();
}

}  // namespace spillway::scenario::written
