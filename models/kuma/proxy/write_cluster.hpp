// Writes clusters and load assignments as Kuma sends them to a proxy, in protobuf's JSON with Envoy's field names.
//
// Transport sockets, and the metadata of endpoints that selects them, are left out: they do not change where requests
// go. Source: Kuma's meshcircuitbreaker/plugin/xds, meshhealthcheck/plugin/xds, meshtimeout/plugin/xds,
// meshloadbalancingstrategy/plugin/v1alpha1; recorded in tests/conformance/cases/kuma-settings.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/kuma/names.hpp"

namespace spillway::config {
struct ClusterLoadAssignment;  // cluster_load_assignment.hpp
}  // namespace spillway::config

namespace spillway::kuma {

struct ClusterSource;  // cluster_source.hpp

// Returns the Cluster that Kuma sends. `tags` are the proxy's; Kuma sends them with health checks.
[[nodiscard]] nlohmann::ordered_json cluster_json(const std::string& name, const ClusterSource& source,
                                                  const Tags& tags);

[[nodiscard]] nlohmann::ordered_json load_assignment_json(const std::string& cluster,
                                                          const config::ClusterLoadAssignment& assignment);

}  // namespace spillway::kuma
