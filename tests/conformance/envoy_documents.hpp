// Reads the Envoy configuration objects that live cases carry, as far as the models play them.
#pragma once

#include <map>
#include <string>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/common_lb_config.hpp"
#include "models/config/locality.hpp"
#include "models/envoy/cluster.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

struct EnvoyCluster {
  envoy::Cluster cluster;
  config::ClusterLoadAssignment load_assignment;
};

// All of them throw std::invalid_argument for what they do not know.
[[nodiscard]] EnvoyCluster read_cluster(const json& cluster);
[[nodiscard]] config::Locality read_locality(const json& locality);  // null: empty
[[nodiscard]] config::Runtime read_runtime(const json& layer);       // null: empty

}  // namespace spillway::conformance
