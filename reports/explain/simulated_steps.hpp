// The steps of an explanation that need a run: what a proxy had detected and its requests in flight at the moment, what
// failed around it, what retries gain, and what to change.
#pragma once

#include <vector>

#include "reports/explain/simulated.hpp"

namespace spillway::reports::explain {

[[nodiscard]] Step found_out_step(const scenario::Scenario& scenario, const PlayedProxy& played);

// "split", "in flight", "next picks", "breakers", "sessions", "failed", "attempts", "change": those without facts have
// nothing to say.
[[nodiscard]] std::vector<Step> played_steps(const scenario::Scenario& scenario, const PlayedProxy& played,
                                             const PlayedQuestion& question, const Diagnostics& warnings,
                                             const Sources& sources);

}  // namespace spillway::reports::explain
