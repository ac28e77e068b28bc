// Requests in the order of a rotation: a retry takes the next turn, so that with few requests at once the same host can
// be the first of every request.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spillway::config {
struct RetryPolicy;  // retry_policy.hpp
}  // namespace spillway::config

namespace spillway::envoy {
struct ClusterState;  // cluster_state.hpp
}  // namespace spillway::envoy

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::explain {

struct SimulatedProxy;     // simulated.hpp
struct SimulatedQuestion;  // simulated.hpp

// True if the order of picks is that of a cursor or a schedule, not drawn anew for each pick.
[[nodiscard]] bool follows_order(const envoy::ClusterState& state);

struct Rotation {
  std::vector<double> succeeded = {};         // by attempts, from 1 on: the part of the next requests
  double attempts = 1.0;                      // of each of them, on average
  std::vector<std::string> first_hosts = {};  // where they begin, each once
  bool locked = false;                        // each begins at a host that fails
};

// Follows the next picks, one request after the other. Returns nullopt unless each host either always fails or never
// does, and the retries that were counted around the moment agree better with this order than with draws of
// `drawn_attempts` on average.
[[nodiscard]] std::optional<Rotation> rotation_of(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                                  const SimulatedQuestion& question, const config::RetryPolicy& policy,
                                                  double drawn_attempts);

}  // namespace spillway::reports::explain
