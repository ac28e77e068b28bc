// Findings of admission about locality settings, in a rule or in the mesh's configuration.
//
// Source: docs/behaviour/istio.md 6.3, 6.5, 8, 11; istiod's pkg/config/validation/agent/validation.go.
#pragma once

#include <string>
#include <vector>

#include "models/istio/destination_rule.hpp"
#include "models/istio/validation.hpp"

namespace spillway::istio {

// Adds the findings. `outlier` is true if outlier detection is written next to the setting.
void check_locality(const LocalityLbSetting& setting, bool outlier, const std::string& path,
                    std::vector<Finding>& findings);
void check_zone_aware(const ZoneAwareLbSetting& setting, bool outlier, const std::string& path,
                      std::vector<Finding>& findings);

}  // namespace spillway::istio
