// A host's health as printed by /clusters, and the corresponding EDS status.
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

// Returns the flag of Envoy's name without its slash: "failed_active_hc". nullopt if the flag is unknown.
[[nodiscard]] std::optional<envoy::HostFlag> host_flag_of(std::string_view name) noexcept;

// Sets the flag of a health that EDS reports, by its name: "DEGRADED". False if no HealthStatus has this name.
bool set_eds_health(envoy::HostFlags& flags, std::string_view status);

// Returns "healthy", or the flags as Envoy prints them: "/failed_active_hc/active_hc_timeout".
[[nodiscard]] std::string flags_text(envoy::HostFlags flags);

// Returns the status that puts a host into the same lists as its flags. An unhealthy host that is excluded (its check
// is pending) is like a draining one.
[[nodiscard]] config::HealthStatus status_of(envoy::HostFlags flags) noexcept;

// The health to use: from EDS or the configuration only, or including checks and ejections.
enum class HealthOf : std::uint8_t { eds_alone, everything };

// Returns the endpoints of every cluster as EDS would report them, without data missing in /clusters: weights of
// localities, metadata, policies. A host pending removal is a member.
[[nodiscard]] std::vector<config::ClusterLoadAssignment> memberships(const Clusters& clusters, HealthOf health);

// Returns a warning (SP792) about an unknown flag.
[[nodiscard]] Diagnostic unknown_flag(std::string_view name, Span where);

}  // namespace spillway::observed
