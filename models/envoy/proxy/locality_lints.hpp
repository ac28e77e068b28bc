// Lints of locality and priority settings without an effect, with the field that would give them one.
#pragma once

#include <map>
#include <optional>

#include "models/config/strong.hpp"
#include "models/documents/diagnostic.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
}  // namespace spillway::config

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::proxy {

// The places of the settings.
struct LocalityPlaces {
  std::optional<Span> weight = {};     // the first weight of a locality
  std::optional<Span> weighting = {};  // locality_weighted_lb_config
  std::map<config::Priority, Span> priorities = {};
  bool typed_policy = false;  // the cluster has a load_balancing_policy
};

// Adds warnings: weights of localities that the policy ignores (SP208), locality weighting without a weight (SP209), a
// priority without endpoints before one that has some (SP210). Linear in the endpoints.
// Source: docs/behaviour/envoy-before-pick.md 1, 8 and envoy-host-pick.md 12.
void warn_of_idle_localities(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment,
                             const LocalityPlaces& places, Diagnostics& problems);

// Warns of locality weights that a policy needs but that are missing from /clusters, the source of these endpoints
// (SP236).
void warn_of_missing_weights(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment,
                             const LocalityPlaces& places, Diagnostics& problems);

// Warns of hosts of a priority with equal keys, which a hash policy cannot distinguish (SP217). `where`: the cluster.
// Linear.
// Source: docs/behaviour/envoy-host-pick.md 10.1, 10.3 and 10.4.
void warn_of_equal_keys(const envoy::Cluster& cluster, const config::ClusterLoadAssignment& assignment, Span where,
                        Diagnostics& problems);

}  // namespace spillway::proxy
