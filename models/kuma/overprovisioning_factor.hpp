// The threshold at which traffic starts to leave the zone, turned into Envoy's overprovisioning factor.
//
//   overprovisioning_factor(Decimal 70, release_2_14);   // 100: spills below 100 % healthy, not below 70 %
//   overprovisioning_factor(Decimal 70, document);       // 143: spills below 70 %
//
// Kuma truncates 100 / percentage before it multiplies by 100, in 32 bits that wrap. The design document's factor is
// the smallest at which no traffic spills at exactly the threshold. Source: docs/behaviour/kuma.md 9; Kuma's
// meshloadbalancingstrategy/plugin/v1alpha1/plugin.go as compiled for x86-64.
#pragma once

#include <cstdint>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

// The factor if there is no threshold, or if the threshold is 0 or not a number.
inline constexpr std::uint32_t default_overprovisioning_factor = 200;

// Returns the factor [%]. A conf that does not rewrite endpoints has no factor of its own: Envoy's 140 applies.
[[nodiscard]] std::uint32_t overprovisioning_factor(const Conf& conf, config::KumaProfile profile);

// Returns the factor [%] for a threshold.
[[nodiscard]] std::uint32_t overprovisioning_factor(const IntOrString& percentage, config::KumaProfile profile);

}  // namespace spillway::kuma
