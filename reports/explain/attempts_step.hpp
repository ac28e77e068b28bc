// What retries gain at a moment: how likely a request of a client succeeds within so many attempts.
#pragma once

#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "reports/explain/retry_chances.hpp"

namespace spillway::config {
struct RetryPolicy;  // retry_policy.hpp
}  // namespace spillway::config

namespace spillway::scenario {
class ActualState;  // state_at.hpp
struct Scenario;    // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated.hpp
struct Step;               // explanation.hpp

// Of the client's first route to the service: its policy; none: it has none.
[[nodiscard]] std::optional<config::RetryPolicy> retry_policy_for(const scenario::Scenario& scenario,
                                                                  const SimulatedQuestion& question);

// What an endpoint does to a request under this policy.
[[nodiscard]] RetryTarget retry_target(const scenario::ActualState& actual, config::EndpointIndex endpoint,
                                       double share, const config::RetryPolicy& policy);

// The hosts that the proxy picks from at the moment, with what their endpoints do to requests under this policy.
[[nodiscard]] std::vector<RetryTarget> retry_targets(const scenario::Scenario& scenario,
                                                     const SimulatedProxy& simulated, const SimulatedQuestion& question,
                                                     const config::RetryPolicy& policy);

// No facts: no endpoint fails requests at the moment, or nothing is tried again.
[[nodiscard]] Step attempts_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                 const SimulatedQuestion& question);

}  // namespace spillway::reports::explain
