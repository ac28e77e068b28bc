// When what a proxy finds out reaches its picks: as real Envoys 1.40.0 did in recorded timelines (docs/parity.md).
#include <catch2/catch.hpp>
#include <map>

#include "models/envoy/policies/round_robin/round_robin.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::ServiceIndex;
using spillway::run::Options;
using spillway::run::Results;
using spillway::run::Simulation;
using spillway::run::TracedRequest;
using spillway::scenario::AnswersChecks;
using spillway::scenario::CheckAnswer;
using spillway::scenario::Fails;
using spillway::scenario::Scenario;
using spillway::support::one_service;
namespace config = spillway::config;

namespace {

// A hundred requests a second, evenly spaced, and no panic.
Scenario steady(const std::vector<std::uint32_t>& endpoints_by_priority) {
  Scenario scenario = one_service(endpoints_by_priority);
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 100.0;
  scenario.services[0].cluster.common_lb_config.healthy_panic_threshold = config::Percent{0.0};
  return scenario;
}

// Requests by endpoint that are sent in this stretch of time.
std::map<std::uint32_t, int> requests_between(const Scenario& scenario, std::chrono::nanoseconds from,
                                              std::chrono::nanoseconds to) {
  std::map<std::uint32_t, int> counted;
  Options options;
  options.trace = [&](const TracedRequest& request) {
    if (request.sent_at > from && request.sent_at < to && request.destination) {
      ++counted[request.destination->endpoint.value];
    }
  };
  (void)Simulation(scenario, options).simulate();
  return counted;
}

}  // namespace

TEST_CASE("of hosts that come back in one sweep the first acts at once, the others a window later") {
  Scenario scenario = steady({4});
  scenario.services[0].cluster.outlier_detection = config::OutlierDetection{
      .consecutive_5xx = 1, .interval = 1s, .base_ejection_time = 2500ms, .max_ejection_percent = 100};
  scenario.changes = {{0s, Fails{ServiceIndex{0}, {HostIndex{0}, HostIndex{1}}, 1.0}, {}},
                      {500ms, Fails{ServiceIndex{0}, {HostIndex{0}, HostIndex{1}}, 0.0}, {}}};
  // Both are ejected within 100 ms, and back with the sweep at 3 s.
  const auto first = requests_between(scenario, 3s, 4s);
  REQUIRE(first.size() == 3);
  CHECK(first.begin()->second == Approx(33).margin(1));
  const auto second = requests_between(scenario, 4s, 5s);
  REQUIRE(second.size() == 4);
  CHECK(second.at(0) == Approx(25).margin(1));
  CHECK(second.at(1) == Approx(25).margin(1));
}

TEST_CASE("a host that changes its health opens the window of every priority") {
  Scenario scenario = steady({1, 2});
  config::HealthCheck check;
  check.timeout = 500ms;
  check.interval = 1s;
  check.no_traffic_interval = 1s;
  check.unhealthy_threshold = 1;
  check.healthy_threshold = 1;
  scenario.services[0].cluster.health_checks = {check};
  scenario.changes = {
      {4500ms, AnswersChecks{ServiceIndex{0}, {HostIndex{0}, HostIndex{1}}, CheckAnswer::unhealthy}, {}}};
  // The checks at 5 s fail both: priority 0 is empty at once, but its host's neighbour in priority 1 is in the picks
  // for another second.
  const auto within = requests_between(scenario, 5s, 6s);
  REQUIRE(within.size() == 2);
  CHECK(within.at(1) == Approx(50).margin(1));
  const auto after = requests_between(scenario, 6s, 7s);
  REQUIRE(after.size() == 1);
  CHECK(after.begin()->first == 2);
}

TEST_CASE("where slow start is configured, a run begins with schedules that have forgotten it") {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    Scenario scenario = steady({4});
    scenario.seed = seed;
    scenario.services[0].cluster.lb_policy = spillway::envoy::policies::round_robin::Config{
        .slow_start_config = {.slow_start_window = 20s, .min_weight_percent = config::Percent{1.0}}};
    const auto first_second = requests_between(scenario, 0s, 1s);
    REQUIRE(first_second.size() == 4);
    for (const auto& [endpoint, count] : first_second) {
      CHECK(count == Approx(25).margin(1));
    }
  }
}

TEST_CASE("what active checks make of hosts is recorded, with its time") {
  Scenario scenario = steady({3});
  config::HealthCheck check;
  check.timeout = 500ms;
  check.interval = 1s;
  check.no_traffic_interval = 1s;
  check.unhealthy_threshold = 1;
  check.healthy_threshold = 2;
  scenario.services[0].cluster.health_checks = {check};
  scenario.changes = {{2500ms, AnswersChecks{ServiceIndex{0}, {HostIndex{1}}, CheckAnswer::unhealthy}, {}},
                      {4500ms, AnswersChecks{ServiceIndex{0}, {HostIndex{1}}, CheckAnswer::healthy}, {}}};
  const Results results = Simulation(scenario, {}).simulate();
  REQUIRE(results.checked.size() == 2);
  CHECK(results.checked[0].at == 3s);
  CHECK(results.checked[0].health == spillway::envoy::Health::unhealthy);
  CHECK(results.checked[1].at == 6s);
  CHECK(results.checked[1].health == spillway::envoy::Health::healthy);
  CHECK(results.checked[1].endpoint.value == 1);
}
