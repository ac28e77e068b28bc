// Finds the worst times of a run by exact shares, in each period between changes of a scenario: loads that longer rows
// average away, and failures that mode exact does not simulate, such as endpoints that do not respond.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::html {

struct WorstMoments {
  struct Failing {
    double share = 0.0;  // of the client's requests for the service: the failed fraction
    config::ClientEntryIndex client{};
    config::ServiceIndex service{};
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds end{0};
  };
  struct Overload {
    double utilisation = 0.0;  // required: above 1
    config::EndpointIndex endpoint{};
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds end{0};
  };
  std::optional<Failing> failing = {};           // the largest share
  bool may_fail = false;                         // endpoints fail where shares have no closed form
  std::optional<Overload> overload = {};         // the highest
  std::optional<Overload> overload_at_end = {};  // the highest when the scenario ends
  std::size_t moments = 0;                       // number of periods
  std::size_t looked_at = 0;  // number of periods evaluated, evenly spread; fewer than all if that would take too long
};

// Returns the worst times. Closed loops have no load here, since it depends on responses. Times at which shares have no
// closed form have no load either.
[[nodiscard]] WorstMoments worst_moments(const scenario::Scenario& scenario);

}  // namespace spillway::reports::html
