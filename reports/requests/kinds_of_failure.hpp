// The texts of the kinds of request failures (scenario::failures), in the order in which they are listed.
//
//   for (const KindOfFailure& kind : kinds_of_failure) { kind.name; outcomes[kind.outcome]; }
//
// Together with `ok` these are all possible outcomes of a request.
#pragma once

#include <array>
#include <cstddef>

#include "sim/scenario/outcome.hpp"

namespace spillway::reports {

struct KindOfFailure {
  scenario::Outcome outcome;
  const char* requests;  // the requests that fail in this way
  const char* step;      // the failed step, in words
  const char* name = scenario::outcome_name(outcome);
};

inline constexpr std::array kinds_of_failure = [] {
  using scenario::Outcome;
  return std::array<KindOfFailure, scenario::failures.size()>{{
      {Outcome::no_healthy_upstream, "requests without a healthy host", "no host could be picked"},
      {Outcome::upstream_error, "upstream errors", "the picked host answered with an error or a reset"},
      {Outcome::timeout, "timeouts", "no answer came in time"},
      {Outcome::overflow, "requests refused by a circuit breaker", "a circuit breaker rejected the request"},
      {Outcome::queue_full, "requests refused by a full queue", "the picked host had no room in its queue"},
      {Outcome::connect_failure, "connect failures", "the picked host refused the connection"},
      {Outcome::unfinished, "requests without an answer at the end", "no answer came before the end of the run"},
      {Outcome::drop_overload, "requests dropped by drop_overloads", "drop_overloads answered before any pick"},
      {Outcome::fault, "requests answered by a `fault`", "the route's `fault` answered before any pick"},
  }};
}();

// Returns the texts of a failure. Precondition: the outcome is not `ok`.
[[nodiscard]] constexpr const KindOfFailure& kind_of_failure(scenario::Outcome outcome) noexcept {
  return kinds_of_failure[static_cast<std::size_t>(outcome) - 1];
}

static_assert(
    [] {
      for (const scenario::Outcome failure : scenario::failures) {
        if (kind_of_failure(failure).outcome != failure || kind_of_failure(failure).step == nullptr) {
          return false;
        }
      }
      return true;
    }(),
    "every outcome but ok has its texts, in its place");

}  // namespace spillway::reports
