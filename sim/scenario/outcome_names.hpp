// The names of the outcomes of a request, in scenario files, JSON and every other output: the only list.
//
//   outcome_name(Outcome::queue_full);   // "queue_full"
//   for (const Outcome failure : failures) { counts[failure]; }
//
// Everything that prints outcomes iterates over this list. reports/requests/kinds_of_failure.hpp has their texts.
#pragma once

#include <array>
#include <cstddef>

#include "sim/scenario/outcome.hpp"

namespace spillway::scenario {

// By Outcome.
inline constexpr std::array outcome_names{"ok",           "no_healthy_upstream", "upstream_error",  "timeout",
                                          "overflow",     "queue_full",          "connect_failure", "unfinished",
                                          "drop_overload"};
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
