// Writes a proxy's settings as in a scenario file: only those that differ from Envoy's defaults.
#pragma once

#include <string>

#include "models/documents/node.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
struct Runtime;                // common_lb_config.hpp
}  // namespace spillway::config

namespace spillway::envoy {
struct Cluster;  // cluster.hpp
}  // namespace spillway::envoy

namespace spillway::reports::importing {

// Returns an entry of `clusters` without its name and the fields of an aggregate. Payloads of checks, and queries of
// their paths, are left out because they may be secret.
[[nodiscard]] documents::Node own_settings(const envoy::Cluster& cluster);

// Returns `policy` of an entry of `load_assignments`; empty if all values are the defaults.
[[nodiscard]] documents::Node own_policy(const config::ClusterLoadAssignment& assignment);

// Returns a line `runtime: {...}`; empty if nothing is set.
[[nodiscard]] std::string runtime_text(const config::Runtime& runtime);

}  // namespace spillway::reports::importing
