#include "models/envoy/api/cluster.hpp"

#include <map>

#include "models/envoy/api/circuit_breakers.hpp"
#include "models/envoy/api/field_effects.hpp"
#include "models/envoy/api/health_check.hpp"
#include "models/envoy/api/http_protocol_options.hpp"
#include "models/envoy/api/locality_lb_config.hpp"
#include "models/envoy/api/message_shapes.hpp"
#include "models/envoy/api/metadata.hpp"
#include "models/envoy/api/outlier_detection.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/policies/registry.hpp"

namespace spillway::messages {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void Grammar<envoy::policies::original_dst::Config>::describe(Fields& fields,
                                                              envoy::policies::original_dst::Config& config) {
  Field<MetadataKey> metadata_key;
  fields.message();
  optional(fields, "use_http_header", config.use_http_header, grammar::Flag{},
           "a header names the host; default: false");
  optional(fields, "http_header_name", config.http_header_name, any_length,
           "which one; default: x-envoy-original-dst-host");
  optional(fields, "upstream_port_override", config.upstream_port_override,
           grammar::Whole{0, 65'535, "Envoy refuses a port above 65535"}, "the port, whatever the host names");
  fields.optional("metadata_key", metadata_key, Record<MetadataKey>{}, "metadata names the host");
  config.use_metadata_key = metadata_key.present;
}

template <>
struct Grammar<config::OverrideHostStatus> {
  static constexpr const char* definition = "envoy.config.core.v3.HealthStatusSet";
  static void describe(Fields& fields, config::OverrideHostStatus& set) {
    std::vector<std::size_t> statuses;
    for (std::size_t i = 0; i < health_statuses.size(); ++i) {
      if (set.has(static_cast<config::HealthStatus>(i))) {
        statuses.push_back(i);
      }
    }
    fields.message();
    optional(fields, "statuses", statuses, Items<grammar::Choice>{grammar::Choice{health_statuses}}, "the statuses");
    for (const std::size_t position : statuses) {
      set.add(static_cast<config::HealthStatus>(position));
    }
  }
};

void Grammar<CommonLbConfig>::describe(Fields& fields, CommonLbConfig& config) {
  fields.message();
  optional(fields, "healthy_panic_threshold", config.healthy_panic_threshold, Message<config::Percent>{},
           "below this percentage of available hosts a priority panics; default: 50");
  if (!fields.writing()) {
    config::LocalityConfigSpecifier& locality = config.locality_config_specifier;
    alternative<config::ZoneAwareLbConfig>(fields, "zone_aware_lb_config", locality,
                                           Message<config::ZoneAwareLbConfig>{},
                                           "zone-aware routing, where there is a local cluster");
    alternative<config::LocalityWeightedLbConfig>(fields, "locality_weighted_lb_config", locality,
                                                  Message<config::LocalityWeightedLbConfig>{},
                                                  "localities by their load_balancing_weight");
  }
  fields.at_most_one({"zone_aware_lb_config", "locality_weighted_lb_config"});
  optional(fields, "update_merge_window", config.update_merge_window, grammar::ProtoDuration{},
           "changes of health and weight within this time act together; default: 1s");
  optional(fields, "consistent_hashing_lb_config", config.consistent_hashing_lb_config,
           Message<envoy::policies::ConsistentHashingLbConfig>{}, "of RING_HASH and MAGLEV");
  optional_unless(false, fields, "ignore_new_hosts_until_first_hc", config.ignore_new_hosts_until_first_hc,
                  grammar::Flag{}, "new hosts do not count before their first check; default: false");
  optional_unless(config::default_override_host_status(), fields, "override_host_status", config.override_host_status,
                  Message<config::OverrideHostStatus>{},
                  "health of hosts that a session may return to; default: UNKNOWN, HEALTHY and DEGRADED");
  fields.idle("close_connections_on_host_set_change", grammar::Flag{});
}

void describe(Fields& fields, EdsClusterConfig& config) {
  fields.message();
  fields.optional("service_name", config.service_name, any_length,
                  "cluster_name of its load assignment; default: the cluster's own name");
  fields.without_influence({"eds_config"});
}

void describe(Fields& fields, CustomClusterType& type) {
  fields.message();
  fields.formerly("config", "typed_config");
  fields.required("name", type.name, not_empty, "which type, where `typed_config` is left out");
  fields.optional(
      "typed_config", type.typed_config, AnyShape{},
      "envoy.extensions.clusters.aggregate.v3.ClusterConfig or envoy.extensions.clusters.dns.v3.DnsCluster");
}

void describe(Fields& fields, DnsCluster& config) {
  fields.message();
  fields.optional("all_addresses_in_single_endpoint", config.all_addresses_in_single_endpoint, grammar::Flag{},
                  "one host for all addresses, as LOGICAL_DNS has it; false, as STRICT_DNS, by default");
  api::describe_idle_fields(fields, DnsCluster::definition);
}

void Grammar<AggregateClusterConfig>::describe(Fields& fields, AggregateClusterConfig& config) {
  fields.message();
  required(fields, "clusters", config.clusters, Items<Text>{any_length, nullptr, 1},
           "the clusters, the preferred one first");
}

void describe(Fields& fields, DynamicForwardProxyConfig& /*config*/) {
  fields.message();
  fields.at_most_one({"dns_cache_config", "sub_clusters_config"});
  fields.without_influence(
      {"dns_cache_config", "sub_clusters_config", "allow_insecure_cluster_options", "allow_coalesced_connections"});
}

namespace {

void describe_older_keys(Fields& fields) {
  fields.formerly("lb_type", "lb_policy");
  fields.formerly("hosts", "load_assignment");
  fields.formerly("service_name", "eds_cluster_config");
  fields.formerly("connect_timeout_ms", "connect_timeout");
  fields.formerly("tls_context", "transport_socket");
  fields.formerly("ssl_context", "transport_socket");
  fields.formerly("sni", "transport_socket");
  fields.formerly("extension_protocol_options", "typed_extension_protocol_options");
  fields.formerly("health_check", "health_checks");
  fields.formerly("cleanup_interval_ms", "cleanup_interval");
  fields.formerly("dns_refresh_rate_ms", "dns_refresh_rate");
  fields.formerly("subset_selectors", "lb_subset_config");
}

// Returns the names of envoy.config.cluster.v3.Cluster.LbPolicy by number; 4 was the number for original destinations.
const std::map<std::uint64_t, std::string>& lb_policies_by_number() {
  static const auto all = [] {
    std::map<std::uint64_t, std::string> names = {{6, "CLUSTER_PROVIDED"}, {7, "LOAD_BALANCING_POLICY_CONFIG"}};
    envoy::policies::for_each_policy([&]<class Policy>() {
      if constexpr (envoy::policies::HasLbPolicy<Policy>) {
        names.emplace(Policy::settings.number, Policy::settings.lb_policy);
      }
    });
    return names;
  }();
  return all;
}

std::vector<std::string> lb_policy_words() {
  std::vector<std::string> words;
  for (const auto& [number, word] : lb_policies_by_number()) {
    words.push_back(word);
  }
  return words;
}

std::vector<std::uint64_t> lb_policy_numbers() {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, word] : lb_policies_by_number()) {
    numbers.push_back(number);
  }
  return numbers;
}

// Describes the settings fields of policies that an lb_policy names, or of the others. Returns the fields' names.
std::vector<const char*> describe_settings(Fields& fields, Cluster& cluster, bool named) {
  std::vector<const char*> names;
  envoy::policies::for_each_policy([&]<class Policy>() {
    if constexpr (envoy::policies::HasField<Policy>) {
      if (envoy::policies::HasLbPolicy<Policy> == named) {
        fields.optional(Policy::settings.field, cluster.settings->of<Policy>(), Record<Described<SettingsOf<Policy>>>{},
                        Policy::settings.words);
        names.push_back(Policy::settings.field);
      }
    }
  });
  return names;
}

void describe_policies(Fields& fields, Cluster& cluster) {
  fields.optional("lb_policy", cluster.lb_policy,
                  grammar::Choice{Cluster::lb_policies,
                                  {},
                                  {{"ORIGINAL_DST_LB", "CLUSTER_PROVIDED"}, {"original_dst_lb", "CLUSTER_PROVIDED"}},
                                  lb_policy_numbers()},
                  "how a host is picked; default: ROUND_ROBIN");
  fields.optional("load_balancing_policy", cluster.load_balancing_policy, Record<LoadBalancingPolicy>{},
                  "the same as a typed policy, which goes before lb_policy");
  if (fields.writing() && cluster.plain.aggregate_clusters.empty() && !cluster.plain.original_dst) {
    fields.write(
        "load_balancing_policy",
        write_load_balancing_policy(cluster.plain.lb_policy, cluster.plain.common_lb_config.locality_config_specifier));
  }
  std::vector<const char*> settings = describe_settings(fields, cluster, true);
  fields.optional("original_dst_lb_config", cluster.original_dst_lb_config,
                  Record<Described<envoy::policies::original_dst::Config>>{}, "of type ORIGINAL_DST");
  settings.push_back("original_dst_lb_config");
  fields.at_most_one(settings);
  fields.optional("cleanup_interval", cluster.cleanup_interval, grammar::ProtoDuration{},
                  "of type ORIGINAL_DST: hosts without a request since the last one are removed; default: 5s");
  describe_settings(fields, cluster, false);
}

void describe_common_lb_config(Fields& fields, Cluster& cluster) {
  CommonLbConfig common{cluster.plain.common_lb_config, cluster.consistent_hashing_lb_config};
  optional(fields, "common_lb_config", common, Message<CommonLbConfig>{}, "settings that do not depend on the policy");
  cluster.plain.common_lb_config = common;
  cluster.consistent_hashing_lb_config = common.consistent_hashing_lb_config;
}

void describe_idle_keys(Fields& fields, Cluster& cluster) {
  const char* const idle = "accepted; has no influence on where requests go";
  Field<bool> http2;
  fields.optional("http2_protocol_options", http2, api::table_field(Cluster::definition, "http2_protocol_options"),
                  "deprecated: of HttpProtocolOptions; a connection carries any number of requests");
  if (http2) {
    cluster.plain.http2 = true;
  }
  Field<Described<CommonHttpProtocolOptions>> common;
  fields.optional("common_http_protocol_options", common, Unlisted<Described<CommonHttpProtocolOptions>>{},
                  "deprecated: of HttpProtocolOptions");
  if (common) {
    cluster.plain.max_stream_duration = common->max_stream_duration;
  }
  fields.optional("typed_extension_protocol_options", cluster.typed_extension_protocol_options,
                  grammar::MapOf<AnyShape>{}, "by name: HttpProtocolOptions");
  api::describe_idle_fields(fields, Cluster::definition);
  fields.optional("upstream_bind_config", cluster.upstream_bind_config, Unlisted<BindConfig>{}, idle);
  fields.optional("dns_resolvers", cluster.dns_resolvers, ListOf<Unlisted<Address>>{}, idle);
}

}  // namespace

const std::vector<std::string> Cluster::lb_policies = lb_policy_words();

void describe_cluster(Fields& fields, Cluster& cluster) {
  cluster.source.keep(fields);
  fields.message();
  describe_older_keys(fields);
  fields.required("name", cluster.name, not_empty,
                  "name of the cluster; in a scenario, of the service that it belongs to");
  fields.optional("type", cluster.type, grammar::Choice{Cluster::types, {}, {{"SDS", "EDS"}, {"sds", "EDS"}}},
                  "how its endpoints are found; a scenario sets this elsewhere");
  fields.optional("cluster_type", cluster.cluster_type, Record<CustomClusterType>{},
                  "an aggregate of other clusters, or names that are looked up");
  fields.at_most_one({"type", "cluster_type"});
  fields.optional("eds_cluster_config", cluster.eds_cluster_config, Record<EdsClusterConfig>{},
                  "source of its load assignment");
  describe_policies(fields, cluster);
  describe_common_lb_config(fields, cluster);
  envoy::Cluster& plain = cluster.plain;
  optional(fields, "outlier_detection", plain.outlier_detection, Message<config::OutlierDetection>{},
           "ejection of hosts for their answers");
  write_http_protocol_options(fields, plain);
  const std::size_t before = fields.problems();
  optional(fields, "health_checks", plain.health_checks, Items<Message<config::HealthCheck>>{},
           "active checks of the hosts");
  if (fields.problems() == before) {
    refuse(config::within("health_checks", config::refusal(plain.health_checks)), "these health checks", fields);
  }
  optional_unless(false, fields, "ignore_health_on_host_removal", plain.ignore_health_on_host_removal, grammar::Flag{},
                  "a host that is no longer listed is removed immediately, not when it fails a check; default: false");
  optional(fields, "circuit_breakers", plain.circuit_breakers, Message<config::CircuitBreakers>{},
           "limits on concurrent use of the cluster");
  describe_idle_keys(fields, cluster);
}

void describe(Fields& fields, Cluster& cluster) {
  describe_cluster(fields, cluster);
  fields.not_simulated("load_assignment", "in a scenario the endpoints of a cluster are in `services`");
}

documents::Node write_cluster_type(const envoy::Cluster& cluster) {
  const bool aggregate = !cluster.aggregate_clusters.empty();
  documents::Node message;
  Fields fields(message);
  if (cluster.original_dst && !aggregate) {
    fields.write("type", Text{}.write("ORIGINAL_DST"));
  }
  if (cluster.original_dst || aggregate) {
    fields.write("lb_policy", Text{}.write("CLUSTER_PROVIDED"));
  }
  if (aggregate) {
    fields.write("cluster_type",
                 write_extension("envoy.clusters.aggregate", AggregateClusterConfig{cluster.aggregate_clusters}));
  } else if (cluster.original_dst) {
    fields.write("original_dst_lb_config", write_message(*cluster.original_dst));
    fields.write("cleanup_interval", grammar::ProtoDuration{}.write(cluster.original_dst->cleanup_interval));
  }
  return message;
}

documents::Node write_cluster(const envoy::Cluster& cluster) {
  documents::Node message;
  Fields fields(message);
  Cluster whole;
  whole.plain = cluster;
  if (auto& detection = whole.plain.outlier_detection) {
    // The value that Envoy would use by default.
    detection->max_ejection_time = config::effective_max_ejection_time(*detection);
  }
  describe_cluster(fields, whole);
  return message;
}

}  // namespace spillway::messages
