// docs/behaviour/envoy-host-pick.md 17: with split origins a request that is given a connection is a success of local
// origin, whatever becomes of it.
#include <catch2/catch.hpp>

#include "sim/run/simulation.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::ServiceIndex;
using spillway::run::Results;
using spillway::run::Simulation;
using spillway::scenario::Failure;
using spillway::scenario::Scenario;
namespace config = spillway::config;

namespace {

// Five endpoints of which the first fails in this way; 100 requests a second one after the other, each given up after
// 5 ms; local origin failures are what ejects.
Scenario one_of_five_fails(Failure failure, std::uint32_t consecutive_local_origin_failure) {
  Scenario scenario = spillway::support::one_service({5});
  for (auto& endpoint : scenario.endpoints) {
    endpoint.service_time = 1ms;
  }
  spillway::scenario::Route route;
  route.route.action.clusters = {{.name = "backend"}};
  route.clusters = {ServiceIndex{0}};
  route.timeout = 5ms;
  scenario.routes = {route};
  scenario.clients[0].workload.requests = {{.name = "all", .request = {}}};
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 100.0;
  scenario.changes.push_back({0s, spillway::scenario::Fails{ServiceIndex{0}, {HostIndex{0}}, 1.0, failure, 503}, {}});
  scenario.services[0].cluster.outlier_detection = config::OutlierDetection{
      .consecutive_5xx = 0,
      .interval = 60s,
      .base_ejection_time = 60s,
      .max_ejection_percent = 100,
      .split_external_local_origin_errors = true,
      .consecutive_local_origin_failure = consecutive_local_origin_failure,
  };
  return scenario;
}

std::vector<spillway::run::Ejection> ejections_of(const Scenario& scenario) {
  return Simulation(scenario, {}).simulate().ejections;
}

}  // namespace

TEST_CASE("timeouts on pooled connections never reach a local origin limit of two, since each connect resets it") {
  CHECK(ejections_of(one_of_five_fails(Failure::no_answer, 2)).empty());
  CHECK(ejections_of(one_of_five_fails(Failure::no_answer, 1)).size() == 1);
}

TEST_CASE("resets never reach a local origin limit of two, and refused connections do") {
  CHECK(ejections_of(one_of_five_fails(Failure::reset, 2)).empty());
  CHECK(ejections_of(one_of_five_fails(Failure::reset, 1)).size() == 1);
  CHECK(ejections_of(one_of_five_fails(Failure::connect_failure, 2)).size() == 1);
}

TEST_CASE("a host that resets answers has half of the success rate of local origin and is ejected at the first sweep") {
  Scenario scenario = one_of_five_fails(Failure::reset, 1000);
  scenario.services[0].cluster.outlier_detection->interval = 8s;
  // {50, 100, 100, 100, 100}: mean 90, standard deviation 20, threshold 90 - 1.9 x 20 = 52.
  const auto ejections = ejections_of(scenario);
  REQUIRE(ejections.size() == 1);
  CHECK(ejections[0].at == 8s);
  CHECK(ejections[0].endpoint.value == 0);
}

TEST_CASE("requests that wait for answers at the same time add up their timeouts") {
  Scenario scenario = one_of_five_fails(Failure::no_answer, 2);
  // Poisson arrivals: of those that wait for the silent host two time out without a connect between them.
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::poisson;
  scenario.clients[0].workload.rate = 200.0;
  scenario.routes[0].timeout = 50ms;
  CHECK(ejections_of(scenario).size() == 1);
}
