// The kinds of failures of requests with the names that every output gives them, in the order in which they are listed.
//
//   for (const auto& [name, count, step] : kinds_of_failure) { outcomes.*count; }
//
// Together with `ok` they are all that can become of a request.
#pragma once

#include <array>
#include <cstdint>

#include "sim/run/results.hpp"

namespace spillway::reports {

using OutcomeCount = std::uint64_t run::Outcomes::*;

struct KindOfFailure {
  const char* name;
  OutcomeCount count;
  const char* step;  // which step failed, in words
};

inline constexpr std::array kinds_of_failure{
    KindOfFailure{"no_healthy_upstream", &run::Outcomes::no_healthy_upstream, "no host could be picked"},
    KindOfFailure{"upstream_error", &run::Outcomes::upstream_error,
                  "the picked host answered with an error or a reset"},
    KindOfFailure{"timeout", &run::Outcomes::timeout, "no answer came in time"},
    KindOfFailure{"overflow", &run::Outcomes::overflow, "a circuit breaker turned the request away"},
    KindOfFailure{"queue_full", &run::Outcomes::queue_full, "the picked host had no room in its queue"},
    KindOfFailure{"connect_failure", &run::Outcomes::connect_failure, "the picked host refused the connection"},
    KindOfFailure{"unfinished", &run::Outcomes::unfinished, "no answer came before the end of the run"},
    KindOfFailure{"drop_overload", &run::Outcomes::drop_overload, "drop_overloads answered before any pick"}};

}  // namespace spillway::reports
