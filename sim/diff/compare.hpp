// Compares two scenarios.
//
//   Difference difference = compare(before, after, {});
//
// Compares shares, loads, keys and cost at every time at which something changes in either scenario, and under every
// failure that is in both plans. Results are exact if there are closed forms. Otherwise requests are counted with each
// scenario's seed, and only statistically significant differences are changes. Results that shares do not show are
// simulated (simulated.hpp). Deterministic.
#pragma once

#include <functional>
#include <optional>

#include "sim/diff/side.hpp"
#include "sim/diff/simulated.hpp"

namespace spillway::diff {

struct Request {
  // Time of the failures; default: the time when the newer one's clients send most.
  std::optional<Nanoseconds> failures_at = {};
  Effort effort = {};
  std::function<void(double done)> progress = {};  // receives 0 to 1; may be empty
};

// Precondition: both sides were read without an error.
[[nodiscard]] Difference compare(const Side& before, const Side& after, const Request& request);

}  // namespace spillway::diff
