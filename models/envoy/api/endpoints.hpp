// envoy.config.endpoint.v3.ClusterLoadAssignment with its endpoints, and the Cluster that contains one, as in Envoy's
// own documents.
#pragma once

#include <string>
#include <vector>

#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/load_assignment.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::LbEndpoint> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.LbEndpoint";
  static void describe(Fields& fields, config::LbEndpoint& endpoint);
};

template <>
struct Grammar<config::LocalityLbEndpoints> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.LocalityLbEndpoints of a document";
  static void describe(Fields& fields, config::LocalityLbEndpoints& endpoints);
};

struct WholeLoadAssignment {
  std::string cluster_name = {};
  Described<LoadAssignmentPolicy> policy = {};
  std::vector<config::LocalityLbEndpoints> endpoints = {};
};
template <>
struct Grammar<WholeLoadAssignment> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment of a document";
  static void describe(Fields& fields, WholeLoadAssignment& assignment);
};

struct WholeCluster : Cluster {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster of a document";
  Field<Described<WholeLoadAssignment>> load_assignment;
};
void describe(Fields& fields, WholeCluster& cluster);

}  // namespace spillway::messages
