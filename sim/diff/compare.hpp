// Comparing two scenarios.
//
//   Difference difference = compare(before, after, {});
//
// Shares, loads, keys and cost at every moment at which something changes in either, and under every failure of the
// plan that both know: exact where there are closed forms, else by counted requests of each scenario's seed, where only
// what chance does not explain is a change. What shares do not show is simulated (played.hpp). Deterministic.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "sim/diff/side.hpp"
#include "sim/diff/simulated.hpp"

namespace spillway::diff {

struct Request {
  // The moment of the failures; else when the newer one's clients send most.
  std::optional<Nanoseconds> failures_at = {};
  Effort effort = {};
  std::function<void(double done)> progress = {};  // from 0 to 1; may be empty
};

// Both have been read without an error.
[[nodiscard]] Difference compare(const Side& before, const Side& after, const Request& request);

}  // namespace spillway::diff
