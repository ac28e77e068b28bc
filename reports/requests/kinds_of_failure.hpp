// The kinds of request failures, with their names in every output and in the order in which they are listed.
//
//   for (const auto& [name, count, step] : kinds_of_failure) { outcomes.*count; }
//
// Together with `ok` these are all possible outcomes of a request.
#pragma once

#include <array>
#include <cstdint>

#include "sim/run/results.hpp"
#include "sim/scenario/outcome_names.hpp"

namespace spillway::reports {

using OutcomeCount = std::uint64_t run::Outcomes::*;

struct KindOfFailure {
  const char* name;
  OutcomeCount count;
  const char* step;  // the failed step, in words
};

inline constexpr std::array kinds_of_failure = [] {
  using scenario::Outcome;
  using run::Outcomes;
  const auto kind = [](Outcome outcome, OutcomeCount count, const char* step) {
    return KindOfFailure{scenario::outcome_name(outcome), count, step};
  };
  return std::array{
      kind(Outcome::no_healthy_upstream, &Outcomes::no_healthy_upstream, "no host could be picked"),
      kind(Outcome::upstream_error, &Outcomes::upstream_error, "the picked host answered with an error or a reset"),
      kind(Outcome::timeout, &Outcomes::timeout, "no answer came in time"),
      kind(Outcome::overflow, &Outcomes::overflow, "a circuit breaker rejected the request"),
      kind(Outcome::queue_full, &Outcomes::queue_full, "the picked host had no room in its queue"),
      kind(Outcome::connect_failure, &Outcomes::connect_failure, "the picked host refused the connection"),
      kind(Outcome::unfinished, &Outcomes::unfinished, "no answer came before the end of the run"),
      kind(Outcome::drop_overload, &Outcomes::drop_overload, "drop_overloads answered before any pick")};
}();
static_assert(kinds_of_failure.size() + 1 == scenario::outcome_names.size(), "every outcome but ok");

// Returns the number of requests with this outcome.
[[nodiscard]] constexpr std::uint64_t count_of(const run::Outcomes& outcomes, scenario::Outcome outcome) noexcept {
  return outcome == scenario::Outcome::ok ? outcomes.ok
                                          : outcomes.*kinds_of_failure[static_cast<std::size_t>(outcome) - 1].count;
}

}  // namespace spillway::reports
