// Reads the Envoy configuration objects that live cases carry, as a proxy's documents are read.
#pragma once

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/common_lb_config.hpp"
#include "models/config/locality.hpp"
#include "models/envoy/cluster.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

struct EnvoyCluster {
  envoy::Cluster cluster;
  config::ClusterLoadAssignment load_assignment;
};

// All of them throw std::invalid_argument for what they do not know.
[[nodiscard]] EnvoyCluster read_cluster(const json& cluster);
[[nodiscard]] scenario::Route read_route(const json& route);         // its clusters are not looked up
[[nodiscard]] config::Locality read_locality(const json& locality);  // null: empty
[[nodiscard]] config::Runtime read_runtime(const json& layer);       // null: empty

// Why Envoy refuses these clusters or routes; none: it takes them.
[[nodiscard]] config::Refusal refusal_of_documents(const json& clusters, const json& routes);

}  // namespace spillway::conformance
