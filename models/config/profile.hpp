// Whose behaviour is played where versions or documents differ.
#pragma once

#include <cstdint>

namespace spillway::config {

// current: Envoy 1.40 (docs/behaviour/envoy-before-pick.md). seed: the documents' 1.6-era text
// (docs/behaviour/versions-before-pick.md 3); what is younger than it behaves as current.
enum class EnvoyProfile : std::uint8_t { current, seed };

// release-2.14, head, or the design document taken at its word.
enum class KumaProfile : std::uint8_t { release_2_14, head, document };

// Istio's (docs/behaviour/istio.md 0).
enum class IstioProfile : std::uint8_t { release_1_31, release_1_30 };

struct Profile {
  EnvoyProfile envoy = EnvoyProfile::current;
  KumaProfile kuma = KumaProfile::release_2_14;
  IstioProfile istio = IstioProfile::release_1_31;
};

}  // namespace spillway::config
