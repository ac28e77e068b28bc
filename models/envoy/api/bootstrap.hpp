// The parts of envoy.config.bootstrap.v3.Bootstrap that affect routing: static clusters, the proxy's own locality, the
// local cluster, static runtime values. Also holds other messages in which Envoy's documents can be wrapped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/envoy/api/address.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

struct ProxyNode {
  static constexpr const char* definition = "envoy.config.core.v3.Node";
  Field<std::string> id;
  Field<Described<config::Locality>> locality;
};
void describe(Fields& fields, ProxyNode& node);

struct ClusterManager {
  static constexpr const char* definition = "envoy.config.bootstrap.v3.ClusterManager";
  Field<std::string> local_cluster_name;
  Field<BindConfig> upstream_bind_config;
};
void describe(Fields& fields, ClusterManager& manager);

struct RuntimeLayer {
  static constexpr const char* definition = "envoy.config.bootstrap.v3.RuntimeLayer";
  Field<std::string> name;
  Field<const documents::Node*> static_layer;
  Field<const documents::Node*> disk_layer;
  Field<const documents::Node*> rtds_layer;
};
void describe(Fields& fields, RuntimeLayer& layer);

struct LayeredRuntime {
  static constexpr const char* definition = "envoy.config.bootstrap.v3.LayeredRuntime";
  Field<std::vector<Field<RuntimeLayer>>> layers;
};
void describe(Fields& fields, LayeredRuntime& runtime);

// Clusters are kept unparsed, because only the relevant ones are read.
struct StaticResources {
  static constexpr const char* definition = "envoy.config.bootstrap.v3.Bootstrap.StaticResources";
  Field<std::vector<Field<const documents::Node*>>> clusters;
  Field<std::vector<Field<const documents::Node*>>> listeners;
};
void describe(Fields& fields, StaticResources& resources);

struct DynamicResources {
  static constexpr const char* definition = "envoy.config.bootstrap.v3.Bootstrap.DynamicResources";
  Field<const documents::Node*> cds_config;
  Field<const documents::Node*> cds_resources_locator;
};
void describe(Fields& fields, DynamicResources& resources);

struct Bootstrap {
  static constexpr const char* definition = "envoy.config.bootstrap.v3.Bootstrap";
  Field<ProxyNode> node;
  Field<StaticResources> static_resources;
  Field<DynamicResources> dynamic_resources;
  Field<ClusterManager> cluster_manager;
  Field<LayeredRuntime> layered_runtime;
};
void describe(Fields& fields, Bootstrap& bootstrap);

// A document with only {"clusters": [...]}.
struct ClusterList {
  static constexpr const char* definition = "a list of clusters";
  Field<std::vector<Field<const documents::Node*>>> clusters;
};
void describe(Fields& fields, ClusterList& list);

// A discovery response, as in files of EDS and CDS.
struct DiscoveryResponse {
  static constexpr const char* definition = "envoy.service.discovery.v3.DiscoveryResponse";
  Field<std::vector<Field<AnyMessage>>> resources;
};
void describe(Fields& fields, DiscoveryResponse& response);

}  // namespace spillway::messages
