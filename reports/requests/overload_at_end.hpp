// Endpoints that are sent more than they can work on when a run ends: its figures are those of a queue that grows.
#pragma once

#include <cstddef>
#include <optional>

#include "models/config/strong.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

struct OverloadAtEnd {
  std::size_t endpoints = 0;
  config::EndpointIndex busiest{};
  double utilisation = 0.0;  // that the busiest would need: above 1
};

// By the exact shares of the last epochs, which the run has worked out, and what clients send in the last moment.
// Nothing: none is overloaded, or it is unknown, as where shares have no closed form. Loads of closed loops depend on
// answers, and recorded arrivals have no rate of a moment: both are left out. O(clients x endpoints) without
// simulating.
[[nodiscard]] std::optional<OverloadAtEnd> overload_at_end(const scenario::Scenario& scenario,
                                                           const run::Results& results);

}  // namespace spillway::reports
