// What a written cluster says, apart from its endpoints: for scenarios and for Envoy's own documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/grammar/field.hpp"
#include "models/envoy/cluster.hpp"

namespace spillway::messages {
struct Cluster;  // cluster.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

struct ClusterConfig {
  envoy::Cluster cluster;                                  // with aggregate_clusters as they are written
  std::vector<grammar::Field<std::string>> children = {};  // the same with their places
  bool aggregate = false;
  // How its endpoints are found, as a name of Cluster::types: by `type`, or by a `cluster_type` that does the same.
  // Empty: neither says so (an aggregate, a host for each request), or it could not be read.
  std::string type = {};
  // The key of the type by which each request names its own host (ORIGINAL_DST, a dynamic forward proxy).
  std::optional<Span> hosts_by_request = {};
};

// Whether endpoints of its own cannot stand in such a cluster: an aggregate of others, or a type that is not known.
[[nodiscard]] bool lacks_endpoints(const messages::Cluster& written);

// Whatever Envoy refuses of it is reported with the reason. `load_assignment`: one stands within the cluster.
[[nodiscard]] ClusterConfig read_cluster_config(const messages::Cluster& written, Diagnostics& problems,
                                                bool load_assignment = false);

// Where the cluster asks for localities by weight, if it does: in its own fields, or somewhere in its typed policy.
[[nodiscard]] std::optional<Span> weighting_place(const messages::Cluster& written, const envoy::Cluster& cluster);

// Hash policies cannot add up weights beyond 32 bits. `where`: the cluster.
void refuse_weight_sums(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment, Span where,
                        Diagnostics& problems);

}  // namespace spillway::proxy
