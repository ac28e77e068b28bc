// Differences of readings and ratios between seeds.
//
//   Results results = simulate(plane, duration, {.seed = 7, .interval = 10s});
//   simulate_other_seeds(plane, duration, 7, results);
//   results.settings[0].reading_draws[3].deviation.p99;   // seconds
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/control_plane/results.hpp"

namespace spillway::control_plane {

inline constexpr std::uint32_t seeds_of_draws = 20;

// Simulates seeds `seed`, `seed` + 1, ...: `seeds_of_draws` of them. `results` are those of the first.
void simulate_other_seeds(const scenario::ControlPlane& plane, std::chrono::nanoseconds duration, std::uint64_t seed,
                          Results& results);

}  // namespace spillway::control_plane
