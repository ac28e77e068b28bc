#include <catch2/catch.hpp>

#include "sim/run/simulation.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::RetryOn;
using spillway::config::ServiceIndex;
using spillway::run::Outcomes;
using spillway::run::Results;
using spillway::run::Simulation;
using spillway::scenario::Fails;
using spillway::scenario::Failure;
using spillway::scenario::Outcome;
using spillway::scenario::Scenario;
using spillway::support::one_service;
namespace config = spillway::config;
namespace policies = spillway::envoy::policies;

namespace {

// One client that asks evenly, ten times a second for ten seconds, by a route with this policy for retries.
Scenario with_retries(std::uint32_t endpoints, RetryOn retry_on) {
  Scenario scenario = one_service({endpoints});
  spillway::scenario::Route route;
  route.route.action.clusters = {{.name = "backend"}};
  route.clusters = {ServiceIndex{0}};
  route.retry_policy.emplace();
  route.retry_policy->retry_on.set(retry_on);
  scenario.routes = {route};
  scenario.clients[0].workload.requests = {{.name = "all", .request = {}}};
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  return scenario;
}

void fail(Scenario& scenario, std::uint32_t host, Failure failure, std::uint32_t status = 503) {
  scenario.changes.push_back({0s, Fails{ServiceIndex{0}, {HostIndex{host}}, 1.0, failure, status}, {}});
}

Outcomes outcomes_of(const Scenario& scenario) {
  const Results results = Simulation(scenario, {}).simulate();
  REQUIRE(results.outcomes.size() == 1);
  return results.outcomes[0];
}

}  // namespace

TEST_CASE("round robin sends a retry to the next host so that one failing of two costs nothing but retries") {
  Scenario scenario = with_retries(2, RetryOn::on_5xx);
  fail(scenario, 0, Failure::status);
  const Outcomes outcomes = outcomes_of(scenario);
  // A retry takes the turn of the healthy host, so every request begins at the failing one.
  CHECK(outcomes.ok() == 100);
  CHECK(outcomes.retries >= 99);
}

TEST_CASE("random retries meet the failing host again every second time") {
  Scenario scenario = with_retries(2, RetryOn::on_5xx);
  scenario.services[0].cluster.lb_policy = policies::random::Config{};
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_retries = 1000}};
  scenario.clients[0].workload.rate = 1000.0;
  fail(scenario, 0, Failure::status);
  const Outcomes outcomes = outcomes_of(scenario);
  CHECK(spillway::support::g_test(std::vector<std::uint64_t>{outcomes.ok(), outcomes[Outcome::upstream_error]},
                                  std::vector<double>{0.75, 0.25}) > 1e-6);
}

TEST_CASE("a retry budget counts the attempt that has just failed") {
  // One request at a time, as asked of a real Envoy 1.40: each is retried with 100 %, and none with 99 %, whether a
  // host answers 503, breaks off, or takes no connection.
  for (const Failure failure : {Failure::status, Failure::reset, Failure::connect_failure}) {
    for (const double percent : {100.0, 99.0}) {
      Scenario scenario = with_retries(1, RetryOn::on_5xx);
      fail(scenario, 0, failure);
      scenario.services[0].cluster.circuit_breakers.thresholds = {
          {.retry_budget = config::RetryBudget{config::Percent{percent}, 0}}};
      CHECK(outcomes_of(scenario).retries == (percent == 100.0 ? 100 : 0));
    }
  }
}

TEST_CASE("a retry that passes over previous hosts finds the other one of two") {
  Scenario scenario = with_retries(2, RetryOn::on_5xx);
  scenario.services[0].cluster.lb_policy = policies::random::Config{};
  scenario.routes[0].retry_policy->retry_host_predicate = {config::PreviousHosts{}};
  scenario.routes[0].retry_policy->host_selection_retry_max_attempts = 60;
  fail(scenario, 0, Failure::status);
  CHECK(outcomes_of(scenario).ok() == 100);
}

TEST_CASE("what is not to be retried is not") {
  Scenario scenario = with_retries(1, RetryOn::connect_failure);
  fail(scenario, 0, Failure::status, 500);
  const Outcomes outcomes = outcomes_of(scenario);
  CHECK(outcomes[Outcome::upstream_error] == 100);
  CHECK(outcomes.retries == 0);
}

TEST_CASE("a request whose last answer is one of 4xx has failed, while its host has not") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.services[0].cluster.outlier_detection.emplace();
  scenario.services[0].cluster.outlier_detection->consecutive_5xx = 1;
  scenario.services[0].cluster.outlier_detection->max_ejection_percent = 100;
  fail(scenario, 0, Failure::status, 429);
  const Outcomes outcomes = outcomes_of(scenario);
  CHECK(outcomes.ok() == 0);
  CHECK(outcomes[Outcome::upstream_error] == 100);
  CHECK(outcomes.retries == 0);
}

TEST_CASE("a conflict is retried where retriable-4xx says so, and ends well at another host") {
  Scenario scenario = with_retries(2, RetryOn::retriable_4xx);
  fail(scenario, 0, Failure::status, 409);
  const Outcomes outcomes = outcomes_of(scenario);
  CHECK(outcomes.ok() == 100);
  CHECK(outcomes.retries >= 99);
}

TEST_CASE("refused and broken connections have outcomes of their own") {
  Scenario scenario = with_retries(1, RetryOn::retriable_4xx);
  fail(scenario, 0, Failure::connect_failure);
  CHECK(outcomes_of(scenario)[Outcome::connect_failure] == 100);
  scenario.changes.clear();
  fail(scenario, 0, Failure::reset);
  CHECK(outcomes_of(scenario)[Outcome::upstream_error] == 100);
}

TEST_CASE("a request that nobody answers ends with its route's timeout") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.routes[0].timeout = 300ms;
  fail(scenario, 0, Failure::no_answer);
  const Results results = Simulation(scenario, {}).simulate();
  CHECK(results.outcomes[0][Outcome::timeout] == 100);
  CHECK(results.outcomes[0].retries == 0);
}

TEST_CASE("a try that takes too long is tried again elsewhere within the request's time") {
  Scenario scenario = with_retries(2, RetryOn::on_5xx);
  scenario.routes[0].retry_policy->per_try_timeout = 50ms;
  scenario.routes[0].retry_policy->retry_host_predicate = {config::PreviousHosts{}};
  scenario.routes[0].retry_policy->host_selection_retry_max_attempts = 10;
  fail(scenario, 0, Failure::no_answer);
  const Results results = Simulation(scenario, {}).simulate();
  CHECK(results.outcomes[0].ok() == 100);
  CHECK(results.outcomes[0][Outcome::timeout] == 0);
  // Round robin sends every request to the silent host first: 50 ms, a back-off below 25 ms, and 4 ms there.
  REQUIRE(results.latency.size() == 1);
  CHECK(results.latency[0].max < 0.080);
}

TEST_CASE("a request without a timeout that is never answered is unfinished at the end of the run") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.routes[0].timeout = 0s;
  fail(scenario, 0, Failure::no_answer);
  CHECK(outcomes_of(scenario)[Outcome::timeout] == 0);
  CHECK(outcomes_of(scenario)[Outcome::unfinished] == 100);
}

TEST_CASE("what waits for a connection behind a request that is never answered is unfinished too") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.routes[0].timeout = 0s;
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_connections = 1, .max_pending_requests = 20}};
  fail(scenario, 0, Failure::no_answer);
  const Outcomes outcomes = outcomes_of(scenario);
  CHECK(outcomes[Outcome::unfinished] == 21);
  CHECK(outcomes[Outcome::overflow] == 79);
}

TEST_CASE("without a timeout a retry that comes after the end of the run is made like any other") {
  // Each request meets the failing host first and is tried again a back-off of up to 2 s later.
  Scenario scenario = with_retries(2, RetryOn::on_5xx);
  scenario.routes[0].timeout = 0s;
  scenario.routes[0].retry_policy->retry_host_predicate = {config::PreviousHosts{}};
  scenario.routes[0].retry_policy->host_selection_retry_max_attempts = 60;
  scenario.routes[0].retry_policy->retry_back_off.base_interval = 2s;
  scenario.routes[0].retry_policy->retry_back_off.max_interval = 2s;
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_retries = 1000}};
  fail(scenario, 0, Failure::status);
  const Outcomes outcomes = outcomes_of(scenario);
  CHECK(outcomes.ok() == 100);
  CHECK(outcomes.retries > 20);
  CHECK(outcomes[Outcome::timeout] == 0);
}

TEST_CASE("an answer that is a failure has no latency") {
  Scenario scenario = with_retries(2, RetryOn::connect_failure);
  fail(scenario, 0, Failure::status, 500);
  const Results results = Simulation(scenario, {}).simulate();
  REQUIRE(results.latency.size() == 1);
  CHECK(results.outcomes[0][Outcome::upstream_error] == 50);
  CHECK(results.latency[0].answers == 50);
}

TEST_CASE("requests beyond max_requests overflow and are not retried") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.endpoints[0].service_time = 100ms;
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_requests = 1}};
  scenario.clients[0].workload.rate = 100.0;
  const Outcomes outcomes = outcomes_of(scenario);
  // Every tenth request finds the endpoint free.
  CHECK(outcomes.ok() == 100);
  CHECK(outcomes[Outcome::overflow] == 900);
  CHECK(outcomes.retries == 0);
}

TEST_CASE("requests wait for a connection where connections are limited and overflow when too many wait") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.endpoints[0].service_time = 100ms;
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_connections = 1, .max_pending_requests = 1}};
  scenario.clients[0].workload.rate = 20.0;
  const Results results = Simulation(scenario, {}).simulate();
  const Outcomes& outcomes = results.outcomes[0];
  // Ten a second are served, one waits, and so does one more after the last arrival.
  CHECK(outcomes.ok() >= 100);
  CHECK(outcomes.ok() <= 102);
  CHECK(outcomes.ok() + outcomes[Outcome::overflow] == 200);
  CHECK(results.latency[0].max == Approx(0.2).margin(0.051));
}

// Measured: Envoy 1.40 with http2_protocol_options and max_connections 1 serves 98.6 requests a second of 100 ms by one
// connection, where it serves 11.8 by HTTP/1.1.
TEST_CASE("a connection of HTTP/2 carries any number of requests, so that limits of connections limit none") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.endpoints[0].service_time = 100ms;
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_connections = 1, .max_pending_requests = 1}};
  scenario.services[0].cluster.http2 = true;
  scenario.clients[0].workload.rate = 100.0;
  CHECK(outcomes_of(scenario).ok() == 1000);
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_connections = 1, .max_requests = 1}};
  CHECK(outcomes_of(scenario).ok() == 100);
}

TEST_CASE("retries beyond max_retries give the answer that there is") {
  Scenario scenario = with_retries(1, RetryOn::on_5xx);
  scenario.services[0].cluster.circuit_breakers.thresholds = {{.max_retries = 0}};
  fail(scenario, 0, Failure::status);
  const Outcomes outcomes = outcomes_of(scenario);
  CHECK(outcomes[Outcome::upstream_error] == 100);
  CHECK(outcomes.retries == 0);
}
