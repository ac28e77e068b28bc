// Results that shares do not show: both sides simulated with the same random streams.
//
//   const Simulating simulating = simulate(before, after, stages, {.replications = 10, .jobs = 2}, {});
//   simulating.simulated.figures[0].half_width;
//
// Simulates the two scenarios with all their changes, until the shorter one ends. Also simulates every failure of the
// stages, in the state of its time, after a warm-up. If proxies check hosts or look for outliers, each replication
// starts the failure at another phase of these intervals. Otherwise the failure applies from the beginning. Nothing is
// simulated if the files are equivalent, if nothing is sent, or if it would be too much; `not_compared` has the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/diff/difference.hpp"
#include "sim/diff/side.hpp"

namespace spillway::diff {

struct Stages;  // contexts.hpp

struct Effort {
  std::uint32_t replications = 10;
  std::size_t jobs = 1;  // concurrent processes
  // Limits for both sides and all replications together. For the scenarios, the number of replications is reduced if
  // necessary (to at least `fewest_replications`). For all failures, the simulated time is reduced (to at least
  // `shortest_failure`), then the number of failures.
  std::uint64_t most_requests = 50'000'000;
  std::uint64_t most_requests_of_failures = 8'000'000;
};
inline constexpr Nanoseconds shortest_failure = std::chrono::seconds{10};
inline constexpr std::uint32_t fewest_replications = 3;

struct Simulating {
  Simulated simulated = {};
  std::vector<std::string> not_compared = {};
};

// True if the requests of the two sides may differ. Names, texts, seed, mode, expectations, objectives and assumptions
// of a plan do not count.
[[nodiscard]] bool may_differ(const Side& before, const Side& after);

// Figures of the scenarios themselves have the context after those of the stages. Precondition: `effort.replications`
// is at least 2. `progress` receives the done fraction; it may be empty. The result is independent of the number of
// jobs. Throws std::runtime_error if a replication terminates early.
[[nodiscard]] Simulating simulate(const Side& before, const Side& after, const Stages& stages, const Effort& effort,
                                  const std::function<void(double done)>& progress);

}  // namespace spillway::diff
