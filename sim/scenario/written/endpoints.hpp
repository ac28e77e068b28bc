// envoy.config.endpoint.v3.ClusterLoadAssignment with its endpoints, and the Cluster that has one inside, as Envoy's
// own documents hold them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/address.hpp"
#include "sim/scenario/written/cluster.hpp"
#include "sim/scenario/written/load_assignment.hpp"
#include "sim/scenario/written/metadata.hpp"
#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// envoy.config.endpoint.v3.Endpoint.
struct NetworkEndpoint {
  static constexpr const char* definition = "envoy.config.endpoint.v3.Endpoint";
  Field<Address> address;
  Field<std::string> hostname;
  Field<HealthCheckConfig> health_check_config;
};
void describe(Fields& fields, NetworkEndpoint& endpoint);

// envoy.config.endpoint.v3.LbEndpoint.
struct LbEndpoint {
  static constexpr const char* definition = "envoy.config.endpoint.v3.LbEndpoint";
  Field<NetworkEndpoint> endpoint;
  Field<std::string> endpoint_name;
  Field<std::size_t> health_status;
  Field<std::uint64_t> load_balancing_weight;
  Field<Metadata> metadata;
};
void describe(Fields& fields, LbEndpoint& endpoint);

// envoy.config.endpoint.v3.LocalityLbEndpoints.LbEndpointList.
struct LbEndpointList {
  static constexpr const char* definition = "envoy.config.endpoint.v3.LocalityLbEndpoints.LbEndpointList";
  Field<std::vector<Field<LbEndpoint>>> lb_endpoints;
};
void describe(Fields& fields, LbEndpointList& list);

// envoy.config.endpoint.v3.LocalityLbEndpoints.
struct LocalityLbEndpoints {
  static constexpr const char* definition = "envoy.config.endpoint.v3.LocalityLbEndpoints of a document";
  Field<Locality> locality;
  Field<std::vector<Field<LbEndpoint>>> lb_endpoints;
  Field<LbEndpointList> load_balancer_endpoints;
  Field<std::uint64_t> load_balancing_weight;
  Field<std::uint64_t> priority;
};
void describe(Fields& fields, LocalityLbEndpoints& endpoints);

struct WholeLoadAssignment {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment of a document";
  Field<std::string> cluster_name;
  Field<std::vector<Field<LocalityLbEndpoints>>> endpoints;
  Field<const document::Node*> named_endpoints;
  Field<Described<LoadAssignmentPolicy>> policy;
};
void describe(Fields& fields, WholeLoadAssignment& assignment);

struct WholeCluster : Cluster {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster of a document";
  Field<WholeLoadAssignment> load_assignment;
};
void describe(Fields& fields, WholeCluster& cluster);

}  // namespace spillway::scenario::written
