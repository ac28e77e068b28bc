// The outcomes of a request, with their names in scenario files, JSON and every other output: the only list of them.
//
//   outcome_name(Outcome::queue_full);   // "queue_full"
//   for (const Outcome failure : failures) { counts[failure]; }
//
// Everything that counts outcomes is indexed by them (OutcomeCounts), and everything that prints them iterates over
// this list. reports/requests/kinds_of_failure.hpp has their texts.
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
  unfinished,    // has no timeout, and no answer by the end of the run
  drop_overload  // by the load assignment's policy, before anything is picked
};

// In the order of Outcome.
inline constexpr std::array outcome_names{"ok",           "no_healthy_upstream", "upstream_error",  "timeout",
                                          "overflow",     "queue_full",          "connect_failure", "unfinished",
                                          "drop_overload"};
static_assert(outcome_names.size() == static_cast<std::size_t>(Outcome::drop_overload) + 1);

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

// One count per outcome.
struct OutcomeCounts {
  std::array<std::uint64_t, outcome_names.size()> all = {};

  [[nodiscard]] constexpr std::uint64_t& operator[](Outcome outcome) noexcept {
    return all[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] constexpr std::uint64_t operator[](Outcome outcome) const noexcept {
    return all[static_cast<std::size_t>(outcome)];
  }
};

}  // namespace spillway::scenario
