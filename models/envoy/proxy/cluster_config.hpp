// Reads a cluster's configuration apart from its endpoints, for scenarios and for Envoy's own documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/retry_policy.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/field.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/routes/hash_policy.hpp"

namespace spillway::messages {
struct Cluster;  // cluster.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

// Policies of HttpProtocolOptions that replace those of the routes to the cluster.
struct RequestPolicies {
  std::optional<config::RetryPolicy> retry_policy = {};
  std::vector<envoy::routes::HashPolicy> hash_policy = {};
  Span where = {};  // of the options

  [[nodiscard]] bool empty() const noexcept { return !retry_policy && hash_policy.empty(); }
};

struct ClusterConfig {
  envoy::Cluster cluster;                                  // with aggregate_clusters as written
  std::vector<grammar::Field<std::string>> children = {};  // aggregate_clusters with their places
  bool aggregate = false;
  // The discovery type of endpoints, a name of Cluster::types: from `type`, or from an equivalent `cluster_type`. Empty
  // if neither is set (an aggregate, a host for each request), or if it could not be read.
  std::string type = {};
  // The key of a type for which each request names its own host (ORIGINAL_DST, a dynamic forward proxy).
  std::optional<Span> hosts_by_request = {};
  RequestPolicies request_policies = {};
};

// True if the cluster cannot have endpoints of its own: an aggregate of others, or an unknown type.
[[nodiscard]] bool lacks_endpoints(const messages::Cluster& written);

// Reads the configuration and reports everything that Envoy refuses, with the reason. `load_assignment`: the cluster
// contains one.
[[nodiscard]] ClusterConfig read_cluster_config(const messages::Cluster& written, Diagnostics& problems,
                                                bool load_assignment = false);

// Returns where the cluster requests weighted localities: in its own fields, or in its typed policy. Returns nullopt if
// it does not.
[[nodiscard]] std::optional<Span> weighting_place(const messages::Cluster& written, const envoy::Cluster& cluster);

// Reports weights whose sums exceed the 32 bits that hash policies support. `where`: the cluster.
void refuse_weight_sums(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment, Span where,
                        Diagnostics& problems);

}  // namespace spillway::proxy
