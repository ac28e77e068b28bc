// What endpoints really do, as opposed to what anybody is told of them: whether they exist, fail, and how they answer
// checks.
//
//   Truth truth(scenario, seed);
//   truth.set(fails);                                   // a change of the scenario
//   if (auto failure = truth.fails(endpoint)) { ... failure->status ... }
//
// Questions are constant time. Draws: one for each request to an endpoint that fails some of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/engine/random_stream.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

class Truth {
 public:
  Truth(const scenario::Scenario& scenario, std::uint64_t seed);

  struct Failing {
    double fraction = 0.0;  // of the requests
    scenario::Failure failure = scenario::Failure::status;
    std::uint32_t status = 503;
  };

  void set(const scenario::Fails& change);
  void set(const scenario::Existence& change);
  void set(const scenario::AnswersChecks& change);

  [[nodiscard]] bool exists(config::EndpointIndex endpoint) const noexcept { return endpoints_[endpoint.value].exists; }
  // How this request fails; null: it does not.
  [[nodiscard]] const Failing* fails(config::EndpointIndex endpoint) noexcept {
    Endpoint& of = endpoints_[endpoint.value];
    if (of.failing.fraction <= 0.0 ||
        (of.failing.fraction < 1.0 && engine::unit_interval(*of.draws) > of.failing.fraction)) {
      return nullptr;
    }
    return &of.failing;
  }
  [[nodiscard]] scenario::CheckAnswer check_answer(config::EndpointIndex endpoint) const noexcept {
    return endpoints_[endpoint.value].check_answer;
  }

  // Visits every stream that was drawn from, in a fixed order.
  void for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const;

 private:
  struct Endpoint {
    bool exists = true;
    scenario::CheckAnswer check_answer = scenario::CheckAnswer::healthy;
    Failing failing = {};
    std::optional<engine::RandomStream> draws = {};
  };
  [[nodiscard]] config::EndpointIndex index_of(config::ServiceIndex service, config::HostIndex host) const {
    return scenario_->services[service.value].hosts[host.value].endpoint;
  }

  const scenario::Scenario* scenario_;
  std::uint64_t seed_;
  std::vector<Endpoint> endpoints_;  // by EndpointIndex
};

}  // namespace spillway::run
