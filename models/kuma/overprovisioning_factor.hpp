// The threshold at which traffic starts to leave the zone, turned into Envoy's overprovisioning factor.
//
//   overprovisioning_factor(Decimal 70, release_2_14);   // 100: spills below 100 % healthy, not below 70 %
//   overprovisioning_factor(Decimal 70, document);       // 143: spills below 70 %
//
// Kuma truncates 100 / percentage before it multiplies by 100, in 32 bits that wrap; the design document's factor is
// the smallest at which nothing spills at exactly the threshold. Source: docs/behaviour/kuma.md 9; Kuma's
// meshloadbalancingstrategy/plugin/v1alpha1/plugin.go as compiled for x86-64.
#pragma once

#include <cstdint>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

// What is written where no threshold is given, or none that is a number other than 0.
inline constexpr std::uint32_t default_overprovisioning_factor = 200;

// In percent. A conf that does not rewrite endpoints has no factor of its own: Envoy's 140 stands.
[[nodiscard]] std::uint32_t overprovisioning_factor(const Conf& conf, config::KumaProfile profile);

// The same for a threshold alone.
[[nodiscard]] std::uint32_t overprovisioning_factor(const IntOrString& percentage, config::KumaProfile profile);

}  // namespace spillway::kuma
