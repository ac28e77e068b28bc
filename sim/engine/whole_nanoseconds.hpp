// Converts a duration in doubles to whole nanoseconds, the unit of time of a run.
//
//   whole_nanoseconds(2.5, 1e17)  // 3ns
//
// Halves are rounded up. Durations above `longest` (below 2^63) become `longest`, because they would not fit. The
// result is the same on every machine.
#pragma once

#include <chrono>
#include <cstdint>

namespace spillway::engine {

// Precondition: `time` is not negative.
[[nodiscard]] inline std::chrono::nanoseconds whole_nanoseconds(double time, double longest) noexcept {
  const double bounded = time < longest ? time : longest;
  const auto whole = static_cast<std::int64_t>(bounded);
  return std::chrono::nanoseconds{whole + (bounded - static_cast<double>(whole) >= 0.5 ? 1 : 0)};
}

}  // namespace spillway::engine
