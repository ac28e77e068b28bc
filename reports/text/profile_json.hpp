// The simulated profiles, as in every JSON output.
//
//   profile_json({});  // {"envoy":"current","kuma":"release-2.14","istio":"release-1.31"}
#pragma once

#include <nlohmann/json.hpp>

#include "models/config/profile.hpp"

namespace spillway::reports {

[[nodiscard]] nlohmann::ordered_json profile_json(const config::Profile& profile);

}  // namespace spillway::reports
