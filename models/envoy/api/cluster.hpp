// envoy.config.cluster.v3.Cluster as written in files, to the extent supported.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/envoy/api/address.hpp"
#include "models/envoy/api/described.hpp"
#include "models/envoy/api/policies.hpp"
#include "models/envoy/api/proto.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/consistent_hashing_config.hpp"
#include "models/envoy/policies/original_dst/config.hpp"

namespace spillway::messages {

class SettingsFields;  // pick_policies.hpp
[[nodiscard]] std::shared_ptr<SettingsFields> new_settings_fields();

// The settings without cleanup_interval, which belongs to the cluster.
template <>
struct Grammar<envoy::policies::original_dst::Config> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.OriginalDstLbConfig";
  static void describe(Fields& fields, envoy::policies::original_dst::Config& config);
};

// The common settings with those of hash policies. In exports, the typed policy holds the choice of localities and the
// hash settings.
struct CommonLbConfig : config::CommonLbConfig {
  std::optional<envoy::policies::ConsistentHashingLbConfig> consistent_hashing_lb_config = {};
};
template <>
struct Grammar<CommonLbConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig";
  static void describe(Fields& fields, CommonLbConfig& config);
};

struct EdsClusterConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.EdsClusterConfig";
  Field<std::string> service_name;
};
void describe(Fields& fields, EdsClusterConfig& config);

struct CustomClusterType {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CustomClusterType";
  Field<std::string> name;
  Field<AnyMessage> typed_config;
};
void describe(Fields& fields, CustomClusterType& type);

struct AggregateClusterConfig {
  std::vector<std::string> clusters = {};
};
template <>
struct Grammar<AggregateClusterConfig> {
  static constexpr const char* definition = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";
  static void describe(Fields& fields, AggregateClusterConfig& config);
};

struct DnsCluster {
  static constexpr const char* definition = "envoy.extensions.clusters.dns.v3.DnsCluster";
  Field<bool> all_addresses_in_single_endpoint;
};
void describe(Fields& fields, DnsCluster& config);

struct DynamicForwardProxyConfig {
  static constexpr const char* definition = "envoy.extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig";
};
void describe(Fields& fields, DynamicForwardProxyConfig& config);

struct Cluster {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster";
  static const std::vector<std::string> lb_policies;  // in the order of their protobuf numbers
  static inline const std::vector<std::string> types = {"STATIC", "STRICT_DNS", "LOGICAL_DNS", "EDS", "ORIGINAL_DST"};
  Source source;
  envoy::Cluster plain;  // the simulated settings of the message itself, without the policy below
  // The name, and how hosts are found.
  Field<std::string> name;
  Field<std::size_t> type;
  Field<CustomClusterType> cluster_type;
  Field<EdsClusterConfig> eds_cluster_config;
  Field<std::vector<Field<Address>>> dns_resolvers;
  Field<BindConfig> upstream_bind_config;
  // The parts of the policy.
  Field<std::size_t> lb_policy;
  Field<LoadBalancingPolicy> load_balancing_policy;
  // round_robin_lb_config, lb_subset_config, ...; copies of the cluster share them
  std::shared_ptr<SettingsFields> settings = new_settings_fields();
  Field<Described<envoy::policies::original_dst::Config>> original_dst_lb_config;
  Field<grammar::Nanoseconds> cleanup_interval;
  std::optional<envoy::policies::ConsistentHashingLbConfig> consistent_hashing_lb_config;
  Field<grammar::MapOf<AnyShape>::Value> typed_extension_protocol_options;
};
// Describes all fields but the load assignment, which a scenario has elsewhere.
void describe_cluster(Fields& fields, Cluster& cluster);
// Describes a cluster in a scenario.
void describe(Fields& fields, Cluster& cluster);

// Returns the fields for the discovery of hosts, for aggregate clusters and original destinations; empty for others.
[[nodiscard]] documents::Node write_cluster_type(const envoy::Cluster& cluster);

// Returns all fields except the name and those of write_cluster_type().
[[nodiscard]] documents::Node write_cluster(const envoy::Cluster& cluster);

}  // namespace spillway::messages
