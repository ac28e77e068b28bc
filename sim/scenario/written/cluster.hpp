// envoy.config.cluster.v3.Cluster as it stands verbatim in files, as far as it is played.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/envoy/policies/original_dst/original_dst.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
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

// Without cleanup_interval, which is the cluster's.
template <>
struct Grammar<envoy::policies::original_dst::Config> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.OriginalDstLbConfig";
  static void describe(Fields& fields, envoy::policies::original_dst::Config& config);
};

// What stands in common_lb_config, of an envoy::Cluster.
struct CommonLbConfig {
  config::Percent healthy_panic_threshold = config::CommonLbConfig{}.healthy_panic_threshold;
  std::optional<config::LocalityConfigSpecifier> locality_config_specifier = {};  // none: it does not say
  grammar::Nanoseconds update_merge_window = config::CommonLbConfig{}.update_merge_window;
  std::optional<envoy::policies::ConsistentHashingLbConfig> consistent_hashing_lb_config = {};
  bool ignore_new_hosts_until_first_hc = false;
  envoy::stateful_session::OverrideHostStatus override_host_status =
      envoy::stateful_session::default_override_host_status();
};
template <>
struct Grammar<CommonLbConfig> {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig";
  static void describe(Fields& fields, CommonLbConfig& config);
};

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
  Source source;
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
  Field<Described<envoy::policies::original_dst::Config>> original_dst_lb_config;
  Field<grammar::Nanoseconds> cleanup_interval;
  Field<Described<CommonLbConfig>> common_lb_config;
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
