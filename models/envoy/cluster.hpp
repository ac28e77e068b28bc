// An Envoy cluster without its endpoints (envoy.config.cluster.v3.Cluster): the settings that affect where requests go.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "models/config/circuit_breakers.hpp"
#include "models/config/common_lb_config.hpp"
#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"
#include "models/envoy/policies/original_dst/config.hpp"
#include "models/envoy/policies/policy_config.hpp"

namespace spillway::envoy {

struct Cluster {
  std::string name;
  policies::Config lb_policy;  // a variant over all policies' configurations; default: round robin
  config::CommonLbConfig common_lb_config;
  std::optional<config::OutlierDetection> outlier_detection;
  std::optional<config::ErrorStatuses> error_statuses = {};  // nullopt means 500 and above
  std::vector<config::HealthCheck> health_checks = {};
  config::CircuitBreakers circuit_breakers = {};
  bool http2 = false;  // one connection carries any number of requests, so that limits of connections limit none
  bool ignore_health_on_host_removal = false;  // else a host that passes its checks stays until it fails them

  // HttpProtocolOptions.common_http_protocol_options.max_stream_duration, for each attempt; 0 means no limit.
  std::chrono::nanoseconds max_stream_duration{0};

  // A cluster of type ORIGINAL_DST: requests name their hosts, and lb_policy is unused.
  std::optional<policies::original_dst::Config> original_dst = {};

  // Not empty: an aggregate cluster (envoy.clusters.aggregate) over clusters of these names, and lb_policy is unused.
  std::vector<std::string> aggregate_clusters;
};

}  // namespace spillway::envoy
