// What an active check of an endpoint finds, and when: by what the endpoint, its node and the link really are.
//
//   CheckOutcome outcome = send_check(check, result_of_well(check), place, truth, world, now);
//   // outcome.result is there at outcome.at
//
// A check takes the link's latency there and back; endpoints answer it at once. An endpoint that fails some of its
// requests fails checks alike unless its failures spare them; what it answers to checks may be its own (AnswersChecks).
// A TCP check without `receive` passes once it is connected. Source: docs/behaviour/envoy-host-pick.md 18.
#pragma once

#include <chrono>

#include "models/config/health_check.hpp"
#include "models/health/check_answer.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

// Who checks whom.
struct CheckPlace {
  config::NodeIndex client;
  config::NodeIndex node;  // of the endpoint
  config::EndpointIndex endpoint;
};

struct CheckOutcome {
  std::chrono::nanoseconds at{0};
  health::CheckResult result;
};

// `well`: what the check finds at an endpoint that is well (result_of_well).
[[nodiscard]] CheckOutcome send_check(const config::HealthCheck& check, const health::CheckResult& well,
                                      const CheckPlace& place, Truth& truth, const world::World& world,
                                      std::chrono::nanoseconds now);

[[nodiscard]] health::CheckResult result_of_well(const config::HealthCheck& check);

}  // namespace spillway::run
