// Flags and health of hosts by the names that cases give them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/envoy/host_health.hpp"

namespace spillway::conformance {

[[nodiscard]] envoy::HostFlags flags_of(const nlohmann::json& names);
[[nodiscard]] std::string name_of(envoy::Health health);
[[nodiscard]] config::HealthStatus health_status_of(const std::string& name);
[[nodiscard]] std::string name_of(config::HealthStatus status);

}  // namespace spillway::conformance
