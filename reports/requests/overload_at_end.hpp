// Finds endpoints that are overloaded when a run ends: their queue grows, so the figures depend on the run's length.
#pragma once

#include <cstddef>
#include <optional>

#include "models/config/strong.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

struct OverloadAtEnd {
  std::size_t endpoints = 0;
  config::EndpointIndex busiest{};
  double utilisation = 0.0;  // required by the busiest endpoint: above 1
};

// True if any client is a closed loop: how much its users send depends on responses.
[[nodiscard]] bool has_users(const scenario::Scenario& scenario);
// True if the endpoint's queue grows without limit while it is overloaded: it has none, and no users wait for
// responses.
[[nodiscard]] bool queue_may_grow(const scenario::Scenario& scenario, config::EndpointIndex endpoint);

// Computes the overload from the exact shares of the last epochs, which the run has computed, and the clients' final
// rates. Returns nullopt if no endpoint is overloaded. Also returns nullopt if the overload is unknown because shares
// have no closed form. Closed loops, whose load depends on responses, and recorded arrivals, which have no momentary
// rate, are excluded. O(clients x endpoints), without simulating.
[[nodiscard]] std::optional<OverloadAtEnd> overload_at_end(const scenario::Scenario& scenario,
                                                           const run::Results& results);

}  // namespace spillway::reports
