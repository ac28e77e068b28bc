// The simulated profiles, as in every JSON output.
//
//   profile_json({});  // {"envoy":"current","kuma":"release-2.14","istio":"release-1.31"}
#pragma once

#include "models/config/profile.hpp"
#include "models/documents/json_writer.hpp"

namespace spillway::reports {

[[nodiscard]] documents::JsonText profile_json(const config::Profile& profile);

}  // namespace spillway::reports
