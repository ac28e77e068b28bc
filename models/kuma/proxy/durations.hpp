// Durations as protobuf's JSON writes them in Go: "15s", "0.500s".
#pragma once

#include <chrono>
#include <fmt/format.h>
#include <string>

namespace spillway::kuma {

// Returns the seconds with 0, 3, 6 or 9 decimals, as few as are exact.
[[nodiscard]] inline std::string duration_text(std::chrono::nanoseconds duration) {
  constexpr std::int64_t nanos = 1'000'000'000;
  const std::int64_t count = duration.count();
  const std::int64_t part = count % nanos;
  if (part == 0) {
    return fmt::format("{}s", count / nanos);
  }
  return part % 1'000'000 == 0 ? fmt::format("{}.{:03}s", count / nanos, part / 1'000'000)
         : part % 1'000 == 0   ? fmt::format("{}.{:06}s", count / nanos, part / 1'000)
                               : fmt::format("{}.{:09}s", count / nanos, part);
}

}  // namespace spillway::kuma
