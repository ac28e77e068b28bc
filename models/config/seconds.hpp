// A time as a number of seconds, the nearest double: 300 ms are 0.3.
#pragma once

#include <chrono>

namespace spillway::config {

// Divides: a product with 1e-9, which is no double, would be off by a bit (3 ns: 3.0000000000000004e-09).
[[nodiscard]] constexpr double seconds(std::chrono::nanoseconds time) noexcept {
  return std::chrono::duration<double>(time).count();
}

}  // namespace spillway::config
