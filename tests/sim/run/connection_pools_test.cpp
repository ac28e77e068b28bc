#include <algorithm>
#include <catch2/catch.hpp>

#include "models/istio/proxy.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::ServiceIndex;
using spillway::run::Outcomes;
using spillway::run::Results;
using spillway::run::Simulation;
using spillway::scenario::Fails;
using spillway::scenario::Failure;
using spillway::scenario::Outcome;
using spillway::scenario::Scenario;
using spillway::support::one_service;

namespace {

// One client that sends 90 requests to three endpoints in turn, one at a time.
Scenario with_pools(std::uint32_t most, bool http2) {
  Scenario scenario = one_service({3});
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_connection_pools = most}};
  scenario.services[0].cluster.http2 = http2;
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 9.0;
  return scenario;
}

Outcomes pooled_outcomes(const Scenario& scenario) {
  const Results results = Simulation(scenario, {}).simulate();
  REQUIRE(results.outcomes.size() == 1);
  return results.outcomes[0];
}

}  // namespace

TEST_CASE("a proxy reaches only as many hosts as it may have connection pools") {
  // As a real Envoy 1.40 answers: 503 without a host (UH) for the others, as long as the connections stay open.
  for (const bool http2 : {false, true}) {
    for (const std::uint32_t most : {0U, 1U, 2U, 3U}) {
      const Outcomes outcomes = pooled_outcomes(with_pools(most, http2));
      CHECK(outcomes.ok() == 30 * most);
      CHECK(outcomes[Outcome::no_healthy_upstream] == 90 - 30 * most);
      CHECK(outcomes[Outcome::overflow] == 0);
    }
  }
}

TEST_CASE("a host whose connection broke off leaves its pool to the next one") {
  // Every answer closes its connection: no pool is there when the next request comes.
  for (const bool http2 : {false, true}) {
    Scenario scenario = with_pools(1, http2);
    scenario.changes.push_back({0s, Fails{ServiceIndex{0}, {HostIndex{1}}, 1.0, Failure::reset, 503}, {}});
    const Outcomes outcomes = pooled_outcomes(scenario);
    // The first pool stays with whichever host keeps its connection.
    CHECK(outcomes.ok() == 30);
    CHECK(outcomes[Outcome::upstream_error] <= 1);
  }
}

TEST_CASE("no share is exact where connection pools do not suffice for all hosts") {
  const auto known = [](std::uint32_t most) {
    const Results results = Simulation(with_pools(most, false), {}).simulate();
    return std::count_if(results.shares.begin(), results.shares.end(),
                         [](const auto& share) { return share.exact.has_value(); });
  };
  CHECK(known(2) == 0);
  CHECK(known(3) == 3);
}
