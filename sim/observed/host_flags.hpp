// A host's health as /clusters prints it, and what EDS would tell of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/documents/diagnostic.hpp"
#include "sim/observed/clusters.hpp"

namespace spillway::observed {

// Envoy's name of a flag, without its slash: "failed_active_hc". Nothing for a flag that is not known.
[[nodiscard]] std::optional<envoy::HostFlag> host_flag_of(std::string_view name) noexcept;

// "healthy", or as Envoy prints it: "/failed_active_hc/active_hc_timeout".
[[nodiscard]] std::string flags_text(envoy::HostFlags flags);

// What a host's flags tell, as the status that puts a host into the same lists: one that is unhealthy and excluded
// (a check is pending) is as one that drains.
[[nodiscard]] config::HealthStatus status_of(envoy::HostFlags flags) noexcept;

// Whose health: what EDS or the configuration told, or with what checks and ejections found out.
enum class HealthOf : std::uint8_t { eds_alone, everything };

// The endpoints of every cluster as EDS would tell them, without what /clusters does not say: weights of localities,
// metadata, policies. A host that is about to be removed is a member.
[[nodiscard]] std::vector<config::ClusterLoadAssignment> memberships(const Clusters& clusters, HealthOf health);

// A warning (SP792) about a flag that is not known.
[[nodiscard]] Diagnostic unknown_flag(std::string_view name, Span where);

}  // namespace spillway::observed
