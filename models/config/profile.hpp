// Profiles: which release of Envoy, Kuma or Istio is simulated if their behaviour differs.
//
//   before(EnvoyProfile::release_1_27, 28);   // true: what came with 1.28 does not hold
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace spillway::config {

// A version of Envoy.
// - current: Envoy 1.40 (docs/behaviour/envoy-before-pick.md).
// - seed: the documents' 1.6-era text (docs/behaviour/versions-before-pick.md 3); newer features behave as in current.
// - release_...: that release, as far as the rules that changed since are known (docs/behaviour/releases.md). 1.40
// equals current.
enum class EnvoyProfile : std::uint8_t {
  current,
  seed,
  release_1_20,
  release_1_21,
  release_1_22,
  release_1_23,
  release_1_24,
  release_1_25,
  release_1_26,
  release_1_27,
  release_1_28,
  release_1_29,
  release_1_30,
  release_1_31,
  release_1_32,
  release_1_33,
  release_1_34,
  release_1_35,
  release_1_36,
  release_1_37,
  release_1_38,
  release_1_39,
  release_1_40
};

// Names of the profiles in scenarios and --profile, by EnvoyProfile.
inline constexpr std::array<std::string_view, 23> envoy_profile_names = {
    "current",      "seed",         "release-1.20", "release-1.21", "release-1.22", "release-1.23",
    "release-1.24", "release-1.25", "release-1.26", "release-1.27", "release-1.28", "release-1.29",
    "release-1.30", "release-1.31", "release-1.32", "release-1.33", "release-1.34", "release-1.35",
    "release-1.36", "release-1.37", "release-1.38", "release-1.39", "release-1.40"};

// The oldest and newest Envoy 1.x supported.
inline constexpr std::uint32_t oldest_envoy_release = 20;
inline constexpr std::uint32_t newest_envoy_release = 40;

// Returns the minor version x of Envoy 1.x; 6 for the seed profile.
[[nodiscard]] constexpr std::uint32_t release_of(EnvoyProfile profile) noexcept {
  constexpr std::uint32_t of_the_seed = 6;
  switch (profile) {
    case EnvoyProfile::current:
      return newest_envoy_release;
    case EnvoyProfile::seed:
      return of_the_seed;
    default:
      return oldest_envoy_release + static_cast<std::uint32_t>(profile) -
             static_cast<std::uint32_t>(EnvoyProfile::release_1_20);
  }
}

// Returns the profile of a release from 1.20 to 1.40; the nearest one if the release is outside that range.
[[nodiscard]] constexpr EnvoyProfile profile_of_release(std::uint32_t release) noexcept {
  const std::uint32_t known = release < oldest_envoy_release   ? oldest_envoy_release
                              : release > newest_envoy_release ? newest_envoy_release
                                                               : release;
  return static_cast<EnvoyProfile>(static_cast<std::uint32_t>(EnvoyProfile::release_1_20) + known -
                                   oldest_envoy_release);
}

// True if the profile is older than Envoy 1.`release`, so that a rule introduced there does not apply.
[[nodiscard]] constexpr bool before(EnvoyProfile profile, std::uint32_t release) noexcept {
  return release_of(profile) < release;
}

// Kuma release-2.14, Kuma head, or the design document read literally.
enum class KumaProfile : std::uint8_t { release_2_14, head, document };

// An Istio release (docs/behaviour/istio.md 0).
enum class IstioProfile : std::uint8_t { release_1_31, release_1_30 };

struct Profile {
  EnvoyProfile envoy = EnvoyProfile::current;
  KumaProfile kuma = KumaProfile::release_2_14;
  IstioProfile istio = IstioProfile::release_1_31;
};

}  // namespace spillway::config
