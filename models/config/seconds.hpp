// Converts a time to seconds, as the nearest double: 300 ms is 0.3.
#pragma once

#include <chrono>

namespace spillway::config {

// Returns the time [s]. Divides, because multiplying by the inexact double 1e-9 would be off by one bit (3 ns:
// 3.0000000000000004e-09).
[[nodiscard]] constexpr double seconds(std::chrono::nanoseconds time) noexcept {
  return std::chrono::duration<double>(time).count();
}

}  // namespace spillway::config
