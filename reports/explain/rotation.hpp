// Simulates requests in the order of a rotation. A retry takes the next turn, so at low concurrency every request may
// start at the same host.
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
struct SimulatedQuestion;  // simulated_question.hpp

// True if the order of picks is that of a cursor or a schedule, instead of a new draw for each pick.
[[nodiscard]] bool follows_order(const envoy::ClusterState& state);

struct Rotation {
  std::vector<double> succeeded = {};         // by attempts, from 1 on: fraction of the next requests
  double attempts = 1.0;                      // per request, on average
  std::vector<std::string> first_hosts = {};  // where requests start, each host once
  bool locked = false;                        // every request starts at a failing host
};

// Follows the next picks, one request after the other. Returns nullopt unless each host fails either always or never.
// Also returns nullopt unless the retries counted around that time fit this order better than draws with
// `drawn_attempts` on average.
[[nodiscard]] std::optional<Rotation> rotation_of(const scenario::Scenario& scenario, const SimulatedProxy& simulated,
                                                  const SimulatedQuestion& question, const config::RetryPolicy& policy,
                                                  double drawn_attempts);

}  // namespace spillway::reports::explain
