// The names of the outcomes of a request, in scenario files, JSON and every other output: the only list.
//
//   outcome_name(Outcome::queue_full);   // "queue_full"
#pragma once

#include <array>
#include <cstddef>

#include "sim/scenario/expectation.hpp"

namespace spillway::scenario {

// By Outcome.
inline constexpr std::array outcome_names{"ok",           "no_healthy_upstream", "upstream_error",  "timeout",
                                          "overflow",     "queue_full",          "connect_failure", "unfinished",
                                          "drop_overload"};
static_assert(outcome_names.size() == static_cast<std::size_t>(Outcome::drop_overload) + 1);

[[nodiscard]] constexpr const char* outcome_name(Outcome outcome) noexcept {
  return outcome_names[static_cast<std::size_t>(outcome)];
}

}  // namespace spillway::scenario
