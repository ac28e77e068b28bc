// What shares do not show: both sides simulated with the same draws.
//
//   const Simulating simulating = simulate(before, after, stages, {.replications = 10, .jobs = 2}, {});
//   simulating.simulated.figures[0].half_width;
//
// The two scenarios with all that happens in them, until the shorter one ends, and every failure of the stages in the
// state of its moment, from its beginning: after a warm-up, and in each replication at another moment of the intervals,
// where proxies check hosts or look for outliers. Nothing is simulated where the files say the same, where nothing is
// sent, or where it would be too much; the reason is one of `not_compared`.
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
  std::size_t jobs = 1;  // processes at a time
  // Of both sides and all replications together: of the scenarios themselves, with fewer replications (at least
  // `fewest_replications`) if need be; and of all failures, for a shorter time (at least `shortest_failure`) if need
  // be, and no more of them than there is room for.
  std::uint64_t most_requests = 50'000'000;
  std::uint64_t most_requests_of_failures = 8'000'000;
};
inline constexpr Nanoseconds shortest_failure = std::chrono::seconds{10};
inline constexpr std::uint32_t fewest_replications = 3;

struct Simulating {
  Simulated simulated = {};
  std::vector<std::string> not_compared = {};
};

// Whether the requests of the two may differ: something in the files does but names, texts, seed and mode, and what is
// expected, asked or assumed of a plan.
[[nodiscard]] bool may_differ(const Side& before, const Side& after);

// Figures of the scenarios themselves are of the context behind those of the stages. `effort.replications` is at least
// 2. `progress` is told the part that is done; it may be empty. The same for any number of jobs. Throws
// std::runtime_error if a replication ends by itself.
[[nodiscard]] Simulating simulate(const Side& before, const Side& after, const Stages& stages, const Effort& effort,
                                  const std::function<void(double done)>& progress);

}  // namespace spillway::diff
