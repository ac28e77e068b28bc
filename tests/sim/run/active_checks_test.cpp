#include <catch2/catch.hpp>

#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::ServiceIndex;
using spillway::run::Results;
using spillway::run::Simulation;
using spillway::scenario::AnswersChecks;
using spillway::scenario::CheckAnswer;
using spillway::scenario::Existence;
using spillway::scenario::Outcome;
using spillway::scenario::Scenario;
using spillway::support::one_service;
namespace config = spillway::config;

namespace {

// Two endpoints that are asked in turn, 100 times a second, and checked every second.
Scenario checked() {
  Scenario scenario = one_service({2});
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 100.0;
  config::HealthCheck check;
  check.timeout = 500ms;
  check.interval = 1s;
  check.no_traffic_interval = 1s;
  check.unhealthy_threshold = 2;
  check.healthy_threshold = 2;
  scenario.services[0].cluster.health_checks = {check};
  return scenario;
}

spillway::scenario::Change exists(std::chrono::nanoseconds at, bool value) {
  return {at, Existence{ServiceIndex{0}, {HostIndex{0}}, value}, {}};
}

}  // namespace

TEST_CASE("a run begins with checks that have passed") {
  const Results results = Simulation(checked(), {}).simulate();
  CHECK(results.outcomes[0].ok() == results.outcomes[0].sent);
  CHECK(results.epochs[0].states == 1);
}

TEST_CASE("an endpoint that has gone is asked until as many checks as unhealthy_threshold have failed") {
  Scenario scenario = checked();
  scenario.changes = {exists(5s, false)};
  const Results results = Simulation(scenario, {}).simulate();
  // Checks fail at 5 s and 6 s, so half of the hundred requests in between met nobody.
  CHECK(results.outcomes[0][Outcome::connect_failure] == 50);
  CHECK(results.outcomes[0].ok() == results.outcomes[0].sent - 50);
}

TEST_CASE("an endpoint that is back is asked after as many checks as healthy_threshold have passed") {
  Scenario scenario = checked();
  scenario.changes = {exists(2s, false), exists(5s, true)};
  const Results results = Simulation(scenario, {}).simulate();
  // Out from 3 s to 6 s. Of 1,000 requests the other endpoint gets half of 700 and all of 300.
  REQUIRE(results.shares.size() == 2);
  CHECK(results.shares[0].requests.value() + results.shares[1].requests.value() == results.outcomes[0].sent);
  CHECK(results.shares[1].requests.value() >= 649);
  CHECK(results.shares[1].requests.value() <= 651);
}

TEST_CASE("a wrong answer to a check fails the host at once") {
  Scenario scenario = checked();
  scenario.changes = {{4500ms, AnswersChecks{ServiceIndex{0}, {HostIndex{0}}, CheckAnswer::unhealthy}, {}}};
  const Results results = Simulation(scenario, {}).simulate();
  // Found out at 5 s: half of 500, then none.
  CHECK(results.shares[0].requests.value() >= 249);
  CHECK(results.shares[0].requests.value() <= 251);
  CHECK(results.outcomes[0].ok() == results.outcomes[0].sent);
}

TEST_CASE("a host that answers a check degraded is asked only if the healthy ones do not suffice") {
  Scenario scenario = checked();
  scenario.services[0].cluster.common_lb_config.healthy_panic_threshold = config::Percent{0.0};
  scenario.changes = {{4500ms, AnswersChecks{ServiceIndex{0}, {HostIndex{0}}, CheckAnswer::degraded}, {}}};
  const Results results = Simulation(scenario, {}).simulate();
  // From 5 s on: half of the hosts healthy is 70 %, the degraded one takes the rest.
  std::uint64_t degraded = 0;
  for (const auto& share : results.shares) {
    degraded += share.availability == spillway::envoy::Availability::degraded ? share.requests.value() : 0;
  }
  CHECK(static_cast<double>(degraded) == Approx(150.0).margin(6 * 10.3));
}

TEST_CASE("changes within an update merge window reach the balancer together") {
  Scenario scenario = one_service({4});
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 100.0;
  scenario.services[0].cluster.outlier_detection =
      config::OutlierDetection{.consecutive_5xx = 1, .max_ejection_percent = 100};
  scenario.services[0].cluster.common_lb_config.healthy_panic_threshold = config::Percent{0.0};
  scenario.changes = {{0s, spillway::scenario::Fails{ServiceIndex{0}, {HostIndex{0}, HostIndex{1}}, 1.0}, {}}};
  const Results results = Simulation(scenario, {}).simulate();
  CHECK(results.events.ejections == 2);
  // The first ejection acts at once, the second one a second later, while its host goes on being picked every third
  // time.
  CHECK(results.epochs[0].states == 3);
  CHECK(results.outcomes[0][Outcome::upstream_error] >= 33);
  CHECK(results.outcomes[0][Outcome::upstream_error] <= 37);
}

TEST_CASE("a host that is removed but passes its checks is asked until it fails them") {
  Scenario scenario = checked();
  scenario.changes = {{4s, spillway::scenario::EdsMembership{ServiceIndex{0}, {HostIndex{0}}, false}, {}},
                      exists(6500ms, false)};
  const Results results = Simulation(scenario, {}).simulate();
  // Checks fail at 7 s and 8 s: half of the 150 requests in between meet nobody, and half of those before are served.
  CHECK(results.outcomes[0][Outcome::connect_failure] + results.outcomes[1][Outcome::connect_failure] >= 74);
  CHECK(results.outcomes[0][Outcome::connect_failure] + results.outcomes[1][Outcome::connect_failure] <= 76);

  scenario.services[0].cluster.ignore_health_on_host_removal = true;
  const Results ignored = Simulation(scenario, {}).simulate();
  CHECK(ignored.outcomes[1].ok() == ignored.outcomes[1].sent);
  for (const auto& share : ignored.shares) {
    CHECK((share.epoch == 0 || share.endpoint == "backend-2"));
  }
}
