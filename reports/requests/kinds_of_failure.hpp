// The kinds of failures of requests with the names that every output gives them, in the order in which they are listed.
//
//   for (const auto& [name, count] : kinds_of_failure) { outcomes.*count; }
//
// Together with `ok` they are all that can become of a request.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "sim/run/results.hpp"

namespace spillway::reports {

using OutcomeCount = std::uint64_t run::Outcomes::*;

inline constexpr std::array<std::pair<const char*, OutcomeCount>, 8> kinds_of_failure{
    {{"no_healthy_upstream", &run::Outcomes::no_healthy_upstream},
     {"upstream_error", &run::Outcomes::upstream_error},
     {"timeout", &run::Outcomes::timeout},
     {"overflow", &run::Outcomes::overflow},
     {"queue_full", &run::Outcomes::queue_full},
     {"connect_failure", &run::Outcomes::connect_failure},
     {"unfinished", &run::Outcomes::unfinished},
     {"drop_overload", &run::Outcomes::drop_overload}}};

}  // namespace spillway::reports
