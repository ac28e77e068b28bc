// One Envoy cluster as far as it decides where requests go (envoy.config.cluster.v3.Cluster), without its endpoints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/outlier_detection.hpp"
#include "models/envoy/policies/registry.hpp"

namespace spillway::envoy {

struct Cluster {
  std::string name;
  policies::Config lb_policy;  // a variant over the registry's policies; round robin unless said
  config::CommonLbConfig common_lb_config;
  std::optional<config::OutlierDetection> outlier_detection;

  // Not empty: an aggregate cluster (envoy.clusters.aggregate) over clusters of these names, and lb_policy is unused.
  std::vector<std::string> aggregate_clusters;
};

}  // namespace spillway::envoy
