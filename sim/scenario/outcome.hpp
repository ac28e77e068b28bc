// The outcomes of a request, and counts of them.
#pragma once

#include <array>
#include <cstdint>

namespace spillway::scenario {

enum class Outcome : std::uint8_t {
  ok,
  no_healthy_upstream,
  upstream_error,
  timeout,
  overflow,
  queue_full,
  connect_failure,
  unfinished,    // no timeout, and no response by the end of the run
  drop_overload  // dropped by the load assignment's policy, before any pick
};
inline constexpr std::uint8_t outcome_count = static_cast<std::uint8_t>(Outcome::drop_overload) + 1;

struct OutcomeCounts {
  std::array<std::uint64_t, outcome_count> all = {};

  [[nodiscard]] constexpr auto& operator[](Outcome of) noexcept { return all[static_cast<std::uint8_t>(of)]; }
  [[nodiscard]] constexpr auto operator[](Outcome of) const noexcept { return all[static_cast<std::uint8_t>(of)]; }
};

}  // namespace spillway::scenario
