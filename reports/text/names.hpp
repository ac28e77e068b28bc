// The words that stand for enumerations in every output.
#pragma once

#include <string_view>

#include "models/config/profile.hpp"
#include "models/envoy/load_balancer.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {

// "healthy", "degraded" or "all".
[[nodiscard]] std::string_view name_of(envoy::Availability availability);

// "exact", "requests" or "platform".
[[nodiscard]] std::string_view name_of(scenario::Mode mode);

// "current" or "seed".
[[nodiscard]] std::string_view name_of(config::EnvoyProfile profile);

// "release-2.14", "head" or "document".
[[nodiscard]] std::string_view name_of(config::KumaProfile profile);

// "release-1.31" or "release-1.30".
[[nodiscard]] std::string_view name_of(config::IstioProfile profile);

// "ok", "no_healthy_upstream" and so on: the JSON's own names.
[[nodiscard]] std::string_view name_of(scenario::Outcome outcome);

}  // namespace spillway::reports
