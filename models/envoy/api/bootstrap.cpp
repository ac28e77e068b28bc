#include "models/envoy/api/bootstrap.hpp"

#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, ProxyNode& node) {
  fields.message();
  fields.formerly("build_version", "user_agent_version");
  fields.optional("id", node.id, any_length, "name of the proxy");
  fields.optional("locality", node.locality, Record<Described<config::Locality>>{}, "where the proxy is");
  fields.without_influence({"cluster", "metadata", "dynamic_parameters", "user_agent_name", "user_agent_version",
                            "user_agent_build_version", "extensions", "client_features", "listening_addresses"});
}

void describe(Fields& fields, ClusterManager& manager) {
  fields.message();
  fields.formerly("clusters", "static_resources");
  fields.formerly("cds", "dynamic_resources");
  fields.formerly("sds", "dynamic_resources");
  fields.optional("local_cluster_name", manager.local_cluster_name, any_length,
                  "the cluster that this proxy belongs to");
  fields.optional("upstream_bind_config", manager.upstream_bind_config, Record<BindConfig>{},
                  "source address of connections");
  fields.without_influence({"outlier_detection", "load_stats_config", "enable_deferred_cluster_creation"});
}

void describe(Fields& fields, RuntimeLayer& layer) {
  fields.message();
  fields.required("name", layer.name, not_empty, "name");
  fields.optional("static_layer", layer.static_layer, Unread{}, "values");
  // An admin layer is empty until an operator sets a value by hand.
  fields.without_influence({"admin_layer"});
  fields.optional("disk_layer", layer.disk_layer, Unread{}, "files, which are not in the documents");
  fields.optional("rtds_layer", layer.rtds_layer, Unread{}, "discovered values, which are not in the documents");
}

void describe(Fields& fields, LayeredRuntime& runtime) {
  fields.message();
  fields.optional("layers", runtime.layers, ListOf<Record<RuntimeLayer>>{}, "the later ones win");
}

void describe(Fields& fields, StaticResources& resources) {
  fields.message();
  fields.optional("clusters", resources.clusters, ListOf<Unread>{}, "the clusters");
  fields.optional("listeners", resources.listeners, ListOf<Unread>{}, "where the proxy accepts requests");
  fields.without_influence({"secrets"});
}

void describe(Fields& fields, DynamicResources& resources) {
  fields.message();
  fields.without_influence({"lds_config", "lds_resources_locator", "ads_config"});
  fields.optional("cds_config", resources.cds_config, Unread{}, "clusters that are not in the documents");
  fields.optional("cds_resources_locator", resources.cds_resources_locator, Unread{},
                  "clusters that are not in the documents");
}

void describe(Fields& fields, Bootstrap& bootstrap) {
  fields.message();
  fields.optional("node", bootstrap.node, Record<ProxyNode>{}, "the proxy itself");
  fields.optional("static_resources", bootstrap.static_resources, Record<StaticResources>{}, "the clusters");
  fields.optional("dynamic_resources", bootstrap.dynamic_resources, Record<DynamicResources>{}, "what is discovered");
  fields.optional("cluster_manager", bootstrap.cluster_manager, Record<ClusterManager>{}, "the local cluster");
  fields.optional("layered_runtime", bootstrap.layered_runtime, Record<LayeredRuntime>{}, "runtime values");
  fields.without_influence({"node_context_params",
                            "flags_path",
                            "stats_sinks",
                            "deferred_stat_options",
                            "stats_config",
                            "stats_flush_interval",
                            "stats_flush_on_admin",
                            "stats_eviction_interval",
                            "watchdog",
                            "watchdogs",
                            "tracing",
                            "admin",
                            "overload_manager",
                            "enable_dispatcher_stats",
                            "header_prefix",
                            "stats_server_version_override",
                            "use_tcp_for_dns_lookups",
                            "dns_resolution_config",
                            "typed_dns_resolver_config",
                            "bootstrap_extensions",
                            "fatal_actions",
                            "config_sources",
                            "default_config_source",
                            "default_socket_interface",
                            "certificate_provider_instances",
                            "inline_headers",
                            "perf_tracing_file_path",
                            "default_regex_engine",
                            "xds_delegate_extension",
                            "xds_config_tracker_extension",
                            "listener_manager",
                            "application_log_config",
                            "grpc_async_client_manager_config",
                            "memory_allocator_manager",
                            "enable_worker_cpu_affinity"});
  // Describes hosts that Envoy checks for a management server, with clusters separate from its own.
  fields.without_influence({"hds_config"});
  fields.not_simulated("runtime", "Envoy has replaced it by `layered_runtime`");
}

void describe(Fields& fields, ClusterList& list) {
  fields.message();
  fields.required("clusters", list.clusters, ListOf<Unread>{{}, 1}, "the clusters");
}

void describe(Fields& fields, DiscoveryResponse& response) {
  fields.message();
  fields.required("resources", response.resources, ListOf<AnyShape>{}, "clusters and load assignments");
  fields.without_influence({"version_info", "type_url", "nonce", "control_plane", "canary", "resource_errors"});
}

}  // namespace spillway::messages
