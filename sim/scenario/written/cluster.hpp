// envoy.config.cluster.v3.Cluster as it stands verbatim in files, as far as it is played.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/address.hpp"
#include "sim/scenario/written/circuit_breakers.hpp"
#include "sim/scenario/written/health_check.hpp"
#include "sim/scenario/written/http_protocol_options.hpp"
#include "sim/scenario/written/locality_lb_config.hpp"
#include "sim/scenario/written/metadata.hpp"
#include "sim/scenario/written/outlier_detection.hpp"
#include "sim/scenario/written/pick_policies.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// envoy.config.core.v3.HealthStatusSet.
struct HealthStatusSet {
  static constexpr const char* definition = "envoy.config.core.v3.HealthStatusSet";
  Field<std::vector<Field<std::size_t>>> statuses;
};
void describe(Fields& fields, HealthStatusSet& set);

// envoy.config.cluster.v3.Cluster.OriginalDstLbConfig.
struct OriginalDstLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.OriginalDstLbConfig";
  Field<bool> use_http_header;
  Field<std::string> http_header_name;
  Field<std::uint64_t> upstream_port_override;
  Field<MetadataKey> metadata_key;
};
void describe(Fields& fields, OriginalDstLbConfig& config);

// envoy.config.cluster.v3.Cluster.CommonLbConfig.
struct CommonLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig";
  Field<config::Percent> healthy_panic_threshold;
  Field<config::ZoneAwareLbConfig> zone_aware_lb_config;
  Field<config::LocalityWeightedLbConfig> locality_weighted_lb_config;
  Field<grammar::Nanoseconds> update_merge_window;
  Field<Described<envoy::policies::ConsistentHashingLbConfig>> consistent_hashing_lb_config;
  Field<bool> ignore_new_hosts_until_first_hc;
  Field<HealthStatusSet> override_host_status;
};
void describe(Fields& fields, CommonLbConfig& config);

// envoy.config.cluster.v3.Cluster.EdsClusterConfig.
struct EdsClusterConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.EdsClusterConfig";
  Field<std::string> service_name;
};
void describe(Fields& fields, EdsClusterConfig& config);

// envoy.config.cluster.v3.Cluster.CustomClusterType.
struct CustomClusterType {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CustomClusterType";
  Field<std::string> name;
  Field<AnyMessage> typed_config;
};
void describe(Fields& fields, CustomClusterType& type);

// envoy.extensions.clusters.aggregate.v3.ClusterConfig.
struct AggregateClusterConfig {
  static constexpr const char* definition = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";
  Field<std::vector<Field<std::string>>> clusters;
};
void describe(Fields& fields, AggregateClusterConfig& config);

// envoy.extensions.clusters.dns.v3.DnsCluster.
struct DnsCluster {
  static constexpr const char* definition = "envoy.extensions.clusters.dns.v3.DnsCluster";
  Field<bool> all_addresses_in_single_endpoint;
};
void describe(Fields& fields, DnsCluster& config);

// envoy.extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig.
struct DynamicForwardProxyConfig {
  static constexpr const char* definition = "envoy.extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig";
};
void describe(Fields& fields, DynamicForwardProxyConfig& config);

struct Cluster {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster";
  static const std::vector<std::string> lb_policies;  // in the order of their numbers in protobuf
  static inline const std::vector<std::string> types = {"STATIC", "STRICT_DNS", "LOGICAL_DNS", "EDS", "ORIGINAL_DST"};
  Field<std::string> name;
  Field<std::size_t> type;
  Field<const document::Node*> http2_protocol_options;
  Field<CommonHttpProtocolOptions> common_http_protocol_options;
  Field<grammar::MapOf<AnyShape>::Value> typed_extension_protocol_options;
  Field<CustomClusterType> cluster_type;
  Field<EdsClusterConfig> eds_cluster_config;
  Field<std::size_t> lb_policy;
  Field<LoadBalancingPolicy> load_balancing_policy;
  SettingsFields settings;  // round_robin_lb_config, lb_subset_config, ...
  Field<OriginalDstLbConfig> original_dst_lb_config;
  Field<grammar::Nanoseconds> cleanup_interval;
  Field<CommonLbConfig> common_lb_config;
  Field<Described<config::OutlierDetection>> outlier_detection;
  Field<std::vector<Field<Described<config::HealthCheck>>>> health_checks;
  Field<bool> ignore_health_on_host_removal;
  Field<Described<config::CircuitBreakers>> circuit_breakers;
  Field<BindConfig> upstream_bind_config;
  Field<std::vector<Field<Address>>> dns_resolvers;
};
// All but the load assignment, which a scenario has elsewhere.
void describe_cluster(Fields& fields, Cluster& cluster);
// A cluster in a scenario.
void describe(Fields& fields, Cluster& cluster);

}  // namespace spillway::scenario::written
