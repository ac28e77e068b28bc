// Adapts a scenario to a release of Envoy: fields unknown to the release are removed, and behaviour that cannot be
// simulated is reported.
//
//   use_release(scenario, config::EnvoyProfile::release_1_27);
//   scenario.assumptions;   // "Envoy 1.27 does not know `always_eject_one_host`, which is left out"
//
// Behaviour that changed follows `scenario.profile.envoy` at each place (config::before). Source:
// docs/behaviour/releases.md, which has the evidence of each change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/forward.hpp"

namespace spillway::scenario {

struct Scenario;  // scenario.hpp

// Returns the x of Envoy 1.x from "1.36.2", "release-1.36" or "1.36.2-dev"; nullopt for other texts and other major
// versions.
[[nodiscard]] std::optional<std::uint32_t> envoy_release_in(std::string_view version);

// Returns the profile for a version that a proxy reports; nullopt if it reports none. Versions outside the known range
// get the nearest release; 1.40 is current.
[[nodiscard]] std::optional<config::EnvoyProfile> profile_of_version(std::string_view version);

// Sets the profile. Fields newer than the release are removed, as Envoy ignores them if a control plane sends them.
// Assumptions list the settings that it would refuse, and changes that are not simulated. Precondition: called once per
// scenario. Linear in the clusters and endpoints.
void use_release(Scenario& scenario, config::EnvoyProfile profile);

// A setting of a scenario that a later release introduced: a field that the release ignores, or the reason why it
// refuses a cluster.
struct LaterSetting {
  std::uint32_t since = 0;  // the x of Envoy 1.x
  std::string what;         // "`always_eject_one_host`", "the policy override_host"
  bool refused = false;     // if false, it is ignored
};
// Returns the settings sorted by release. Linear in the clusters and endpoints.
[[nodiscard]] std::vector<LaterSetting> settings_later_than(std::uint32_t release, Scenario scenario);

}  // namespace spillway::scenario
