// A duration that was worked out in doubles, as the whole nanoseconds that a run counts with.
//
//   whole_nanoseconds(2.5, 1e17)  // 3ns
//
// Halves are rounded up; `longest` (below 2^63) stands for longer ones, which would not fit. The same on every machine.
#pragma once

#include <chrono>
#include <cstdint>

namespace spillway::engine {

// `time` is not negative.
[[nodiscard]] inline std::chrono::nanoseconds whole_nanoseconds(double time, double longest) noexcept {
  const double bounded = time < longest ? time : longest;
  const auto whole = static_cast<std::int64_t>(bounded);
  return std::chrono::nanoseconds{whole + (bounded - static_cast<double>(whole) >= 0.5 ? 1 : 0)};
}

}  // namespace spillway::engine
