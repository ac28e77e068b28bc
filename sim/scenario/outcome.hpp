// The outcomes of a request, their names, and counts of them.
// Everything that prints outcomes iterates over the names. reports/requests/kinds_of_failure.hpp has their texts.
#pragma once

#include <array>
#include <cstddef>
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
  unfinished,     // no timeout, and no response by the end of the run
  drop_overload,  // dropped by the load assignment's policy, before any pick
  fault           // answered by the route's `fault`, before any pick (Envoy's response flag FI)
};
inline constexpr std::uint8_t outcome_count = static_cast<std::uint8_t>(Outcome::fault) + 1;

struct OutcomeCounts {
  std::array<std::uint64_t, outcome_count> all = {};

  [[nodiscard]] constexpr auto& operator[](Outcome of) noexcept { return all[static_cast<std::uint8_t>(of)]; }
  [[nodiscard]] constexpr auto operator[](Outcome of) const noexcept { return all[static_cast<std::uint8_t>(of)]; }
};

// By Outcome: the names in scenario files, JSON and every other output.
inline constexpr std::array outcome_names{
    "ok",         "no_healthy_upstream", "upstream_error", "timeout",       "overflow",
    "queue_full", "connect_failure",     "unfinished",     "drop_overload", "fault"};
static_assert(outcome_names.size() == outcome_count);

[[nodiscard]] constexpr const char* outcome_name(Outcome outcome) noexcept {
  return outcome_names[static_cast<std::size_t>(outcome)];
}

// Every outcome but `ok`, in the order in which outputs list them.
inline constexpr auto failures = [] {
  std::array<Outcome, outcome_names.size() - 1> all{};
  for (std::size_t place = 0; place < all.size(); ++place) {
    all[place] = static_cast<Outcome>(place + 1);
  }
  return all;
}();

}  // namespace spillway::scenario
