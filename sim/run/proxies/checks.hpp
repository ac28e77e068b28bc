// Results of active checks of an endpoint and their times, from the actual state of the endpoint, its node and the
// link.
//
//   CheckRound round(scenario, check, result_of_well(check), client, truth, world, now);
//   CheckOutcome outcome = round.send(host);
//   // outcome.result is there at outcome.at
//
// A check takes the link's latency in both directions; endpoints respond to it at once. An endpoint that fails some of
// its requests also fails checks, unless Fails::checks is false. Its response to checks may be set separately
// (AnswersChecks). A TCP check without `receive` passes once it is connected. A zone proxy forwards the connection of a
// check, so the check examines the endpoints behind it: it passes if any of them responds as healthy. Source:
// docs/behaviour/envoy-host-pick.md 18.
#pragma once

#include <chrono>
#include <optional>

#include "models/config/strong.hpp"
#include "models/health/check_answer.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

class Truth;  // truth.hpp

struct CheckOutcome {
  std::chrono::nanoseconds at{0};
  health::CheckResult result;
};

// One check of several endpoints by one proxy at one time. The constructor's arguments must outlive this.
class CheckRound {
 public:
  // Prepares a round. `client` is the proxy's node, `well` the check's result at a healthy endpoint (result_of_well).
  CheckRound(const scenario::Scenario& scenario, const config::HealthCheck& check, const health::CheckResult& well,
             config::NodeIndex client, Truth& truth, const world::World& world, std::chrono::nanoseconds now)
      : scenario_(&scenario),
        check_(&check),
        well_(&well),
        client_(client),
        truth_(&truth),
        world_(&world),
        now_(now) {}

  [[nodiscard]] CheckOutcome send(const scenario::Host& host);
  [[nodiscard]] CheckOutcome send(config::EndpointIndex endpoint);

 private:
  // The path to a node, common to all its endpoints.
  struct Way {
    config::NodeIndex to;
    bool linked = false;
    bool on = false;
    std::chrono::nanoseconds there_and_back{0};
  };
  [[nodiscard]] const Way& way_to(config::NodeIndex node);
  [[nodiscard]] std::chrono::nanoseconds timeout() const noexcept {
    return check_->timeout.value_or(std::chrono::nanoseconds::max());
  }

  const scenario::Scenario* scenario_;
  const config::HealthCheck* check_;
  const health::CheckResult* well_;
  config::NodeIndex client_;
  Truth* truth_;
  const world::World* world_;
  std::chrono::nanoseconds now_;
  std::optional<Way> way_;  // to the previous endpoint
};

[[nodiscard]] health::CheckResult result_of_well(const config::HealthCheck& check);

}  // namespace spillway::run
