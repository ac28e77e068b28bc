// Settings of a proxy as a scenario file has them: only those that differ from Envoy's defaults.
#pragma once

#include <string>

#include "reports/envoy/envoy_json.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
struct Runtime;                // common_lb_config.hpp
}  // namespace spillway::config

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::reports::importing {

// An entry of `clusters` without its name and what makes it an aggregate. What checks send, and queries of their paths
// that may be secret, are left out.
[[nodiscard]] envoy_export::Json own_settings(const envoy::Cluster& cluster);

// `policy` of an entry of `load_assignments`; empty: all are the defaults.
[[nodiscard]] envoy_export::Json policy_json(const config::ClusterLoadAssignment& assignment);

// A line `runtime: {...}`, or nothing.
[[nodiscard]] std::string runtime_text(const config::Runtime& runtime);

}  // namespace spillway::reports::importing
