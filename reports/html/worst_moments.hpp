// What becomes of requests from one change of a scenario to the next, by exact shares: what is averaged away over
// longer rows, and what a run in mode exact does not play, as endpoints that do not answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::html {

struct WorstMoments {
  struct Failing {
    double share = 0.0;  // of the client's requests for the service that nobody answers well
    config::ClientEntryIndex client{};
    config::ServiceIndex service{};
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds end{0};
  };
  struct Overload {
    double utilisation = 0.0;  // that would be needed: above 1
    config::EndpointIndex endpoint{};
    std::chrono::nanoseconds start{0};
    std::chrono::nanoseconds end{0};
  };
  std::optional<Failing> failing = {};           // the largest share
  bool may_fail = false;                         // endpoints fail where shares have no closed form
  std::optional<Overload> overload = {};         // the highest
  std::optional<Overload> overload_at_end = {};  // the highest when the scenario ends
  std::size_t moments = 0;
  std::size_t looked_at = 0;  // of them, evenly, where they would take too long
};

// Loads of closed loops depend on answers, and are none here. So are those of moments where shares have no closed form.
[[nodiscard]] WorstMoments worst_moments(const scenario::Scenario& scenario);

}  // namespace spillway::reports::html
