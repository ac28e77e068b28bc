// Requests in the fast lane, and requests whose state is opened late, have the results of requests that take the slow
// path with their state from the start, to the last bit. Traced requests all do the latter.
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/run.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/generated_scenarios.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using scenario::Scenario;

namespace {

Scenario short_scenario(const std::string& text) {
  scenario::Reading reading = scenario::read_scenario_text("short.yaml", text);
  INFO(text << documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return *std::move(reading.scenario);
}

std::string with_replaced(std::string text, const std::string& old, const std::string& anew) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + anew.size())) {
    text.replace(at, old.size(), anew);
  }
  return text;
}

// With connections that may run out, budgets, ways whose time varies and requests that are given up.
std::string drawn_to_fail(std::size_t number) {
  support::Draws draws(2026'11'23'700 + number);
  std::string text = support::generated_scenario(draws);
  const std::string breakers[] = {
      "max_connections: 8, max_pending_requests: 1024, retry_budget: { budget_percent: { value: 20 } }",
      "max_connections: 30, max_pending_requests: 2, max_requests: 6", "max_requests: 9, max_retries: 1",
      "max_requests: 1000, retry_budget: { budget_percent: { value: 5 }, min_retry_concurrency: 1 }"};
  if (number % 5 != 0) {
    text =
        with_replaced(text, "    common_lb_config",
                      "    circuit_breakers: { thresholds: [{ " + breakers[number % 4] + " }] }\n    common_lb_config");
  }
  text = with_replaced(text, "latency: 2ms", number % 2 == 0 ? "latency: 2ms, jitter: 0.7ms" : "latency: 2ms");
  text = with_replaced(text, "{ cluster: s", number % 3 == 0 ? "{ cluster: s, timeout: 0.021s" : "{ cluster: s");
  return number % 7 == 0 ? with_replaced(text, "consecutive_5xx: 5", "split_external_local_origin_errors: true") : text;
}

// All that requests have had an effect on, as text.
std::string reported(const run::Results& results) {
  std::ostringstream text;
  text.precision(17);
  text << results.result_fingerprint << ' ' << results.events.ejections << ' ' << results.events.unejections << '\n';
  for (const run::Outcomes& row : results.outcomes) {
    text << row.sent << ' ' << row.retries;
    for (const std::uint64_t count : row.counts.all) {
      text << ' ' << count;
    }
    text << '\n';
  }
  for (const auto& row : results.whole_latency) {
    for (const auto& of : {row.ok, row.errors}) {
      text << of.answers << ' ' << of.p50 << ' ' << of.p99 << ' ' << of.max << '\n';
    }
  }
  for (std::size_t row = 0; row < results.shares.size(); ++row) {
    text << results.shares[row].requests.value_or(0) << ' ' << results.shares[row].attempts.value_or(0) << '\n';
  }
  for (const run::Ejection& row : results.ejections) {
    text << row.at.count() << ' ' << row.client.value << ' ' << row.endpoint.value << ' ' << row.ejected << '\n';
  }
  for (const run::CheckedHealth& row : results.checked) {
    text << row.at.count() << ' ' << row.endpoint.value << ' ' << static_cast<int>(row.health) << '\n';
  }
  return text.str();
}

run::Results on_the_slow_path(const Scenario& scenario) {
  run::Options options;
  options.trace = [](const run::TracedRequest&) {};
  return run::Simulation(scenario, options).simulate();
}

}  // namespace

TEST_CASE("generated scenarios have the same results in the fast lane and on the slow path") {
  constexpr std::size_t scenarios = support::cases_of(400);
  // A process each, since a process has one world with links in it.
  const auto all_slow = run::fork_map(scenarios, 1, [](std::size_t number) {
    return reported(on_the_slow_path(short_scenario(drawn_to_fail(number))));
  });
  const auto most_fast = run::fork_map(scenarios, 1, [](std::size_t number) {
    return reported(run::Simulation(short_scenario(drawn_to_fail(number)), {}).simulate());
  });
  for (std::size_t number = 0; number < scenarios; ++number) {
    INFO(drawn_to_fail(number) << all_slow[number].failure << most_fast[number].failure);
    REQUIRE((all_slow[number].succeeded && most_fast[number].succeeded));
    REQUIRE(all_slow[number].bytes == most_fast[number].bytes);
  }
}

// What scripts/performance measures, in small.
TEST_CASE("requests that fail, wait, are ejected and are tried again end alike in the fast lane and on the slow path") {
  const Scenario scenario = short_scenario(
      "duration: 40s\nzones: [{ name: a }, { name: b }]\nlinks: [{ between: [a, b], latency: 2ms, jitter: 0.5ms }]\n"
      "services: [{ name: s, endpoints: [{ count: 5, zone: a, cores: 4, queue: 30, service_time: { mean: 10ms, "
      "distribution: exponential } }, { count: 5, zone: b, cores: 4, service_time: { mean: 10ms, distribution: "
      "exponential } }] }]\n"
      "clusters: [{ name: s, lb_policy: LEAST_REQUEST, outlier_detection: { consecutive_5xx: 5 }, circuit_breakers: { "
      "thresholds: [{ max_connections: 60, max_pending_requests: 40, max_requests: 1024, retry_budget: { "
      "budget_percent: { value: 20 } } }] }, health_checks: [{ timeout: 1s, interval: 10s, unhealthy_threshold: 3, "
      "healthy_threshold: 1, http_health_check: { path: / } }] }]\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.2s, retry_policy: { retry_on: 5xx, "
      "num_retries: 2 } } }]\n"
      "clients: [{ name: a, zone: a, count: 3, concurrency: 2, workload: { rate: 500rps } }, { name: b, zone: b, "
      "count: 3, concurrency: 2, workload: { rate: 500rps } }]\n"
      "timeline:\n  - { at: 0s, service: s, fails: 0.5% }\n  - { at: 0s, endpoints: [s-1, s-7], fails: 100% }\n");
  const run::Results all_slow = on_the_slow_path(scenario);
  CHECK(all_slow.events.ejections > 0);
  CHECK(all_slow.outcomes[0].ok() > 0);
  CHECK(reported(run::Simulation(scenario, {}).simulate()) == reported(all_slow));
}

// Several kinds of requests, which are drawn ahead, with routes, hashes and timeouts of their own; two services, one of
// which some of them are split between; and a client that goes off and comes back.
TEST_CASE("requests of several kinds end alike in the fast lane and on the slow path") {
  const Scenario scenario = short_scenario(
      "duration: 20s\nzones: [{ name: a, nodes: [{ name: n }, { name: o }] }, { name: b }]\n"
      "links: [{ between: [a, b], latency: 2ms }]\n"
      "services: [{ name: s, endpoints: [{ count: 6, zone: b, cores: 2, service_time: { mean: 10ms, distribution: "
      "exponential } }] }, { name: t, endpoints: [{ count: 4, zone: b, cores: 2, service_time: { mean: 5ms, "
      "distribution: exponential } }] }]\n"
      "clusters: [{ name: s, lb_policy: LEAST_REQUEST, outlier_detection: { consecutive_5xx: 2, max_ejection_percent: "
      "50 } }, { name: t, "
      "lb_policy: RING_HASH }]\n"
      "routes:\n"
      "  - { match: { prefix: /a }, route: { cluster: s, timeout: 0.05s, retry_policy: { retry_on: 5xx } } }\n"
      "  - { match: { prefix: /b }, route: { weighted_clusters: { clusters: [{ name: s, weight: 1 }, { name: t, "
      "weight: "
      "2 }] }, priority: HIGH, hash_policy: [{ header: { header_name: u } }] } }\n"
      "  - { match: { prefix: / }, route: { cluster: t, hash_policy: [{ header: { header_name: u } }] } }\n"
      "clients: [{ name: c, zone: a, count: 300, workload: { rate: 1.5rps, requests: [{ path: /a, weight: 3 }, { path: "
      "/b, weight: 2, headers: { u: x } }, { path: /c, headers: { u: y } }] } }]\n"
      "timeline:\n  - { at: 0s, service: s, fails: 15% }\n  - { at: 7s, node: n, outage: true }\n  - { at: 9s, node: "
      "n, outage: false }\n");
  const run::Results all_slow = on_the_slow_path(scenario);
  CHECK(all_slow.events.ejections > 0);
  CHECK(all_slow.outcomes.size() > 1);
  CHECK(reported(run::Simulation(scenario, {}).simulate()) == reported(all_slow));
}

TEST_CASE("users who wait for answers that may fail send alike in the fast lane and on the slow path") {
  const Scenario scenario = short_scenario(
      "duration: 30s\nzones: [{ name: a }, { name: b }]\nlinks: [{ between: [a, b], latency: 2ms }]\n"
      "services: [{ name: s, endpoints: [{ count: 6, zone: b, cores: 2, queue: 9, service_time: { mean: 10ms, "
      "distribution: exponential } }] }]\n"
      "clusters: [{ name: s, lb_policy: LEAST_REQUEST, outlier_detection: { consecutive_5xx: 2, max_ejection_percent: "
      "50 } }]\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.2s, retry_policy: { retry_on: 5xx } } }]\n"
      "clients: [{ name: c, zone: a, count: 30, workload: { users: 3, think_time: 60ms } }]\n"
      "timeline:\n  - { at: 0s, service: s, fails: 15% }\n");
  const run::Results all_slow = on_the_slow_path(scenario);
  CHECK(all_slow.events.ejections > 0);
  CHECK(all_slow.outcomes[0].retries > 0);
  CHECK(reported(run::Simulation(scenario, {}).simulate()) == reported(all_slow));
}
