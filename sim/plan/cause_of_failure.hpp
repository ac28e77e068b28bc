// The outcomes of requests as causes of failures in a plan.
#pragma once

#include "sim/plan/loads.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::plan {

// Returns the cause of requests that fail with this outcome. Refused connections count as the endpoint's failure;
// callers that know of lost endpoints or links attribute them to these.
[[nodiscard]] constexpr Cause cause_of_failure(scenario::Outcome outcome) noexcept {
  using scenario::Outcome;
  switch (outcome) {
    case Outcome::no_healthy_upstream:
    case Outcome::fault:
      return Cause::no_host;
    case Outcome::timeout:
      return Cause::timeout;
    case Outcome::overflow:
      return Cause::overflow;
    case Outcome::queue_full:
      return Cause::queue_full;
    case Outcome::unfinished:
      return Cause::unfinished;
    case Outcome::drop_overload:
      return Cause::drop_overload;
    default:
      return Cause::failing;
  }
}

// True if the cause occurs at overloaded endpoints only.
[[nodiscard]] constexpr bool is_of_overload(Cause cause) noexcept {
  return cause == Cause::overflow || cause == Cause::queue_full || cause == Cause::timeout ||
         cause == Cause::unfinished;
}

}  // namespace spillway::plan
