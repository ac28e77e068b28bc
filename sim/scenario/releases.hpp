// A release of Envoy as a scenario is played by it: what it does not know is left out, what cannot be simulated is
// said.
//
//   use_release(scenario, config::EnvoyProfile::release_1_27);
//   scenario.assumptions;   // "Envoy 1.27 does not know `always_eject_one_host`, which is left out"
//
// Rules that changed are those of `scenario.profile.envoy` wherever they are asked (config::before). Source:
// docs/behaviour/releases.md, which has the evidence of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::config {
enum class EnvoyProfile : std::uint8_t;  // profile.hpp
}  // namespace spillway::config

namespace spillway::scenario {

struct Scenario;  // scenario.hpp

// Of Envoy 1.x, the x. "1.36.2", "release-1.36", "1.36.2-dev"; none: no such text, or another major version.
[[nodiscard]] std::optional<std::uint32_t> envoy_release_in(std::string_view version);

// The profile of a version that a proxy tells; none: it tells none. Older and newer releases than are known are the
// nearest one; 1.40 is current.
[[nodiscard]] std::optional<config::EnvoyProfile> profile_of_version(std::string_view version);

// Sets the profile. Fields that are younger than the release are left out, as Envoy ignores them in what a control
// plane sends; what it would refuse, and what changed and is not simulated, is said among the assumptions. To be called
// once. Linear in the clusters and endpoints.
void use_release(Scenario& scenario, config::EnvoyProfile profile);

// What a scenario uses that came with a later release than that: fields that the release ignores, and what it refuses
// a cluster for.
struct LaterSetting {
  std::uint32_t since = 0;  // of Envoy 1.x, the x
  std::string what;         // "`always_eject_one_host`", "the policy override_host"
  bool refused = false;     // else it is ignored
};
// By release. Linear in the clusters and endpoints.
[[nodiscard]] std::vector<LaterSetting> settings_later_than(std::uint32_t release, Scenario scenario);

}  // namespace spillway::scenario
