// The times at which a scenario's clients send most, and which of these is the hardest to plan for.
//
//   BusiestMoments moments = plan::busiest_moments(scenario);
//   Nanoseconds at = plan::hardest_moment(base, moments, 1.0);
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "sim/plan/variants.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {

struct BusiestMoments;  // plan.hpp

// O((times + services + zones) x (scenario + changes)). Recorded arrivals yield only their busiest time.
[[nodiscard]] BusiestMoments busiest_moments(const scenario::Scenario& scenario);

// Returns the time of `all` with the least headroom under the scenario's failures; the first of equals. Of more than 16
// times, only those with the fewest endpoints are tried. Precondition: `base` was read without an error.
[[nodiscard]] std::chrono::nanoseconds hardest_moment(const scenario::ScenarioTemplate& base,
                                                      const BusiestMoments& moments, double growth);

// Returns the first time at which an objective that follows from shares fails with these endpoint counts. Of more than
// 16 times, only those with the fewest endpoints are tried. Returns nullopt if all objectives are met, or if the file
// does not allow the counts.
[[nodiscard]] std::optional<std::chrono::nanoseconds> moment_that_fails(const scenario::ScenarioTemplate& base,
                                                                        const BusiestMoments& moments, double growth,
                                                                        const Counts& counts);

// Returns the hardest time of busiest_moments(base).
[[nodiscard]] std::chrono::nanoseconds hardest_moment(const scenario::ScenarioTemplate& base, double growth = 1.0);

}  // namespace spillway::plan
