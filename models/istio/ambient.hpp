// Ambient mode: detects workloads whose requests a ztunnel carries, which ignores VirtualServices and DestinationRules.
//
// Source: istio.io, ambient/usage/add-workloads; istiod's pilot/pkg/xds/endpoints/endpoint_builder.go
// (findServiceWaypoint: gateways go to waypoints, sidecars do not).
#pragma once

#include <string>

#include "models/istio/names.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

inline constexpr const char* dataplane_label = "istio.io/dataplane-mode";
inline constexpr const char* waypoint_label = "istio.io/use-waypoint";
inline constexpr const char* ambient_mode = "ambient";

// Returns the object that puts a workload into ambient mode: "its label" or "namespace shop". Empty if the workload has
// a sidecar or no proxy. `labels` are those of the workload.
[[nodiscard]] std::string ambient_by(const Documents& documents, const std::string& name_space, const Labels& labels);

}  // namespace spillway::istio
