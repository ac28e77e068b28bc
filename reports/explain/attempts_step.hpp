// The step about retries: how likely a client's request succeeds within n attempts at a given time.
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
struct SimulatedQuestion;  // simulated_question.hpp
struct Step;               // explanation.hpp

// Returns the retry policy of the client's first route to the service; nullopt if it has none.
[[nodiscard]] std::optional<config::RetryPolicy> retry_policy_for(const scenario::Scenario& scenario,
                                                                  const SimulatedQuestion& question);

// Returns how an endpoint treats a request under this policy.
[[nodiscard]] RetryTarget retry_target(const scenario::ActualState& actual, config::EndpointIndex endpoint,
                                       double share, const config::RetryPolicy& policy);

// Returns the hosts that the proxy picks from at that time, with how their endpoints treat requests under this policy.
[[nodiscard]] std::vector<RetryTarget> retry_targets(const scenario::Scenario& scenario,
                                                     const SimulatedProxy& simulated, const SimulatedQuestion& question,
                                                     const config::RetryPolicy& policy);

// Returns the step; it has no facts if no endpoint fails requests at that time, or nothing is retried.
[[nodiscard]] Step attempts_step(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                 const SimulatedQuestion& question);

}  // namespace spillway::reports::explain
