// What to change where a rule says so: what keeps proxies from doing what their settings are for, with numbers.
#pragma once

#include "reports/explain/played.hpp"

namespace spillway::reports::explain {

// `warnings`: of the scenario; those about settings that do nothing or the opposite (SP750 to SP789) are repeated.
[[nodiscard]] Step change_step(const scenario::Scenario& scenario, const PlayedProxy& played,
                               const PlayedQuestion& question, const scenario::Diagnostics& warnings,
                               const scenario::Sources& sources);

}  // namespace spillway::reports::explain
