// The fast loop of plain requests gives what the general one gives, to the last bit.
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/records/results_bytes.hpp"
#include "sim/run/run.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/generated_scenarios.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using run::Results;
using scenario::Scenario;
using scenario::ServiceDistribution;
using support::one_service;

namespace {

void check_equal(const Results& fast, const Results& slow) {
  CHECK(fast.result_fingerprint == slow.result_fingerprint);
  REQUIRE(fast.shares.size() == slow.shares.size());
  for (std::size_t row = 0; row < fast.shares.size(); ++row) {
    CHECK(fast.shares[row].endpoint == slow.shares[row].endpoint);
    CHECK(fast.shares[row].exact == slow.shares[row].exact);
    CHECK(fast.shares[row].requests == slow.shares[row].requests);
    CHECK(fast.shares[row].attempts == slow.shares[row].attempts);
    CHECK(fast.shares[row].simulated == slow.shares[row].simulated);
  }
  REQUIRE(fast.outcomes.size() == slow.outcomes.size());
  for (std::size_t row = 0; row < fast.outcomes.size(); ++row) {
    CHECK(fast.outcomes[row].sent == slow.outcomes[row].sent);
    CHECK(fast.outcomes[row].ok() == slow.outcomes[row].ok());
    CHECK(fast.outcomes[row][scenario::Outcome::no_healthy_upstream] ==
          slow.outcomes[row][scenario::Outcome::no_healthy_upstream]);
    CHECK(fast.outcomes[row][scenario::Outcome::timeout] == slow.outcomes[row][scenario::Outcome::timeout]);
    CHECK(fast.outcomes[row][scenario::Outcome::overflow] == slow.outcomes[row][scenario::Outcome::overflow]);
    CHECK(fast.outcomes[row][scenario::Outcome::queue_full] == slow.outcomes[row][scenario::Outcome::queue_full]);
    CHECK(fast.outcomes[row][scenario::Outcome::connect_failure] ==
          slow.outcomes[row][scenario::Outcome::connect_failure]);
    CHECK(fast.latency[row].p50 == slow.latency[row].p50);
    CHECK(fast.latency[row].p90 == slow.latency[row].p90);
    CHECK(fast.latency[row].p99 == slow.latency[row].p99);
    CHECK(fast.latency[row].max == slow.latency[row].max);
  }
  REQUIRE(fast.whole_latency.size() == slow.whole_latency.size());
  for (std::size_t row = 0; row < fast.whole_latency.size(); ++row) {
    for (const auto of : {&run::WholeLatency::ok, &run::WholeLatency::errors}) {
      CHECK((fast.whole_latency[row].*of).answers == (slow.whole_latency[row].*of).answers);
      CHECK((fast.whole_latency[row].*of).p50 == (slow.whole_latency[row].*of).p50);
      CHECK((fast.whole_latency[row].*of).p999 == (slow.whole_latency[row].*of).p999);
      CHECK((fast.whole_latency[row].*of).max == (slow.whole_latency[row].*of).max);
    }
  }
}

void compare(const Scenario& scenario) {
  const Results slow = run::Simulation(scenario, {}).simulate();
  const auto with_calendar = run::Simulation(scenario, {}, run::plain::Way::calendar).try_to_simulate();
  check_equal(with_calendar.value(), slow);
  check_equal(run::run(scenario, {}), slow);
}

// Two zones, health that changes, rates that change, hosts that do not exist for a while.
Scenario eventful() {
  Scenario scenario = one_service({7, 10});
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{1}, 3ms});
  scenario.clients[0].count = 4;
  scenario.clients.push_back(scenario.clients[0]);
  scenario.clients[1].name = "other";
  scenario.clients[1].workload.rate = 300.0;
  scenario.clients[1].workload.arrivals = scenario::Arrivals::periodic;
  scenario.changes.push_back(support::tell(2s, 0, 7, 4));
  scenario.changes.push_back({3s, scenario::RateChange{config::ClientEntryIndex{0}, 1700.0}, {}});
  scenario.changes.push_back({4s, scenario::Existence{config::ServiceIndex{0}, {config::HostIndex{1}}, false}, {}});
  scenario.changes.push_back(support::tell(5s, 0, 7, 7));
  scenario.changes.push_back({6s, scenario::Existence{config::ServiceIndex{0}, {config::HostIndex{1}}, true}, {}});
  scenario.changes.push_back({7s, scenario::RateChange{config::ClientEntryIndex{1}, 0.0}, {}});
  return scenario;
}

void draw_service_times(Scenario& scenario) {
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.variation = std::make_shared<const scenario::ServiceVariation>(scenario::ServiceVariation{
        .distribution = ServiceDistribution::hyperexponential, .coefficient_of_variation = 3.0});
  }
}

}  // namespace

TEST_CASE("plain requests of stateless policies are the same without a calendar") {
  Scenario scenario = eventful();
  for (const envoy::policies::Config& policy : {envoy::policies::Config{envoy::policies::random::Config{}},
                                                envoy::policies::Config{envoy::policies::round_robin::Config{}},
                                                envoy::policies::Config{envoy::policies::maglev::Config{}}}) {
    scenario.services[0].cluster.lb_policy = policy;
    compare(scenario);
  }
}

TEST_CASE("plain requests are the same where proxies have several workers") {
  Scenario scenario = eventful();
  scenario.clients[0].concurrency = 3;
  for (const envoy::policies::Config& policy : {envoy::policies::Config{envoy::policies::random::Config{}},
                                                envoy::policies::Config{envoy::policies::round_robin::Config{}},
                                                envoy::policies::Config{envoy::policies::least_request::Config{}},
                                                envoy::policies::Config{envoy::policies::maglev::Config{}}}) {
    scenario.services[0].cluster.lb_policy = policy;
    compare(scenario);
  }
}

TEST_CASE("plain requests are the same with different weights and localities") {
  Scenario scenario = eventful();
  for (auto& group : scenario.services[0].load_assignment.endpoints) {
    for (auto& endpoint : group.lb_endpoints) {
      endpoint.load_balancing_weight = 1U + static_cast<unsigned char>(endpoint.address.back()) % 4U;
    }
  }
  compare(scenario);
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  compare(scenario);
}

TEST_CASE("plain requests are the same on ramps and with uniform arrivals") {
  Scenario scenario = eventful();
  scenario.clients[0].workload.slope = 150.0;
  scenario.clients[1].workload.arrivals = scenario::Arrivals::uniform;
  compare(scenario);
}

TEST_CASE("plain requests are the same where service times are drawn") {
  Scenario scenario = eventful();
  draw_service_times(scenario);
  compare(scenario);
  scenario.clients.resize(1);
  scenario.changes.resize(3);
  compare(scenario);
}

TEST_CASE("plain requests are the same where they queue, by least request too") {
  Scenario scenario = one_service({12});
  draw_service_times(scenario);
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.servers = scenario::Servers{.cores = 2, .queue = 6};
  }
  scenario.clients[0].count = 3;
  scenario.clients[0].workload.rate = 1800.0;
  scenario.changes.push_back(support::tell(2s, 0, 12, 9));
  compare(scenario);
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  compare(scenario);
}

// Two clients whose requests last long enough to meet each other at every host; the others send nothing.
TEST_CASE("clients that send nothing change nothing, though counters of requests in flight are sparse then",
          "[unsanitized]") {
  Scenario scenario = one_service({1000});
  scenario.services[0].cluster.lb_policy = envoy::policies::least_request::Config{};
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 100'000});
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.service_time = 3s;
  }
  std::vector<scenario::TracedArrival> arrivals;
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    arrivals.push_back({number * 400us, number % 2});
  }
  scenario.clients[0].workload.arrivals = scenario::Arrivals::trace;
  scenario.clients[0].workload.trace = std::make_shared<const std::vector<scenario::TracedArrival>>(arrivals);
  scenario.changes.push_back(support::tell(4s, 0, 1000, 900));
  scenario.clients[0].count = 2;
  const Results few = run::run(scenario, {});
  scenario.clients[0].count = 20'000;
  compare(scenario);
  Results many = run::run(scenario, {});
  many.result_fingerprint = few.result_fingerprint;  // of more streams
  check_equal(many, few);
}

TEST_CASE("a circuit breaker that fills up is found out, and the run played again with a calendar") {
  Scenario scenario = one_service({3});
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 6});
  run::Simulation bounded(scenario, {}, run::plain::Way::bounded);
  CHECK_FALSE(bounded.try_to_simulate());
}

TEST_CASE("plain requests are the same where a circuit breaker fills up") {
  Scenario scenario = one_service({3});
  scenario.services[0].cluster.circuit_breakers.thresholds.push_back({.max_requests = 6});
  const Results slow = run::Simulation(scenario, {}).simulate();
  CHECK(slow.outcomes[0][scenario::Outcome::overflow] > 0);
  check_equal(run::run(scenario, {}), slow);
}

TEST_CASE("answers that take longer than the timeout are the same without a calendar") {
  Scenario scenario = one_service({2});
  scenario.duration = 60s;
  scenario.clients[0].workload.rate = 5.0;
  scenario.endpoints[0].service_time = 16s;
  scenario.endpoints[1].service_time = 9s;
  compare(scenario);
  draw_service_times(scenario);
  compare(scenario);
}

namespace {

Scenario plain_scenario(const std::string& text) {
  scenario::Reading reading = scenario::read_scenario_text("plain.yaml", text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return *std::move(reading.scenario);
}

// Whether it was the fast loop that simulated it all.
bool simulated_plainly(const Scenario& scenario) {
  run::Simulation simulation(scenario, {}, run::plain::Way::calendar);
  const bool ended = simulation.try_to_simulate().has_value();
  return ended && simulation.simulates_plainly();
}

constexpr auto queues_in_two_zones = R"(
duration: 8s
zones: [{ name: a }, { name: b }, { name: c }]
links:
  - { between: [a, b], latency: 3ms }
  - { between: [a, c], latency: 7ms }
  - { between: [b, c], latency: 3ms }
services:
  - name: s
    endpoints:
      - { count: 9, zone: a, service_time: { mean: 4ms, distribution: exponential }, cores: 2 }
      - { count: 6, zone: b, service_time: { mean: 4ms, distribution: exponential }, cores: 2 }
)";

constexpr auto of_three_zones = R"(
clients:
  - { name: a, zone: a, count: 5, workload: { service: s, rate: 400rps } }
  - { name: b, zone: b, count: 3, workload: { service: s, rate: 300rps, arrivals: periodic } }
  - { name: c, zone: c, count: 2, workload: { service: s, rate: 100rps } }
)";

}  // namespace

TEST_CASE("plain requests are the same where zones are at different distances and requests overtake each other") {
  for (const std::string policy : {"LEAST_REQUEST", "ROUND_ROBIN", "RANDOM", "RING_HASH"}) {
    const Scenario scenario =
        plain_scenario(queues_in_two_zones + std::string("clusters: [{ name: s, lb_policy: ") + policy +
                       ", circuit_breakers: { thresholds: [{ max_requests: 5000 }] } }]\n" + of_three_zones);
    CHECK(simulated_plainly(scenario));
    compare(scenario);
  }
}

TEST_CASE("requests on their way when a row ends are counted in the row in which they were sent") {
  Scenario scenario = plain_scenario(
      queues_in_two_zones + std::string("clusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n") + of_three_zones +
      "timeline: [{ at: 3s, zone: b, healthy: 50% }, { at: 5s, zone: b, healthy: 100% }]\n");
  CHECK(simulated_plainly(scenario));
  compare(scenario);
}

TEST_CASE("queues that are full at the end of a way are the same") {
  std::string text = queues_in_two_zones;
  for (std::size_t at = text.find("cores: 2"); at != std::string::npos; at = text.find("cores: 2", at + 8)) {
    text.replace(at, 8, "cores: 1, queue: 1");
  }
  const Scenario scenario =
      plain_scenario(text + std::string("clusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n") + of_three_zones);
  const Results slow = run::Simulation(scenario, {}).simulate();
  CHECK(slow.outcomes[0][scenario::Outcome::queue_full] > 0);
  CHECK(simulated_plainly(scenario));
  compare(scenario);
}

TEST_CASE("outlier detection and retries that no request has to do with change nothing, and cost nothing") {
  for (const std::string policy : {"LEAST_REQUEST", "ROUND_ROBIN", "MAGLEV"}) {
    const Scenario scenario =
        plain_scenario(queues_in_two_zones + std::string("clusters: [{ name: s, lb_policy: ") + policy +
                       ", outlier_detection: { consecutive_5xx: 5, interval: 1s } }]\n"
                       "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 2s, hash_policy: [{ "
                       "header: { header_name: x-user } }], "
                       "retry_policy: { retry_on: 5xx, num_retries: 2, per_try_timeout: 1s } } }]\n"
                       "clients:\n"
                       "  - { name: a, zone: a, count: 5, workload: { rate: 400rps } }\n"
                       "  - { name: c, zone: c, count: 2, workload: { rate: 100rps, keys: { header: "
                       "x-user, count: 40, prefix: u } } }\n");
    CHECK(simulated_plainly(scenario));
    compare(scenario);
  }
}

TEST_CASE("a failure that outlier detection has to do with is found out, and the run simulated another way") {
  Scenario scenario = eventful();
  scenario.services[0].cluster.outlier_detection.emplace();
  for (const auto way : {run::plain::Way::bounded, run::plain::Way::calendar}) {
    run::Simulation plain(scenario, {}, way);
    CHECK_FALSE(plain.try_to_simulate());
    CHECK(plain.met_failure());
  }
  const Results slow = run::Simulation(scenario, {}).simulate();
  CHECK(slow.events.ejections > 0);
  check_equal(run::run(scenario, {}), slow);
}

TEST_CASE("a timeout that retries have to do with is found out") {
  Scenario scenario = plain_scenario(
      "duration: 10s\nzones: [{ name: a }]\n"
      "services: [{ name: s, endpoints: [{ count: 3, zone: a, service_time: { mean: 100ms, distribution: exponential } "
      "}] }]\n"
      "clusters: [{ name: s }]\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.5s, retry_policy: { retry_on: reset } } }]\n"
      "clients: [{ name: c, zone: a, workload: { rate: 200rps } }]\n");
  CHECK_FALSE(run::Simulation(scenario, {}, run::plain::Way::calendar).try_to_simulate());
  const Results slow = run::Simulation(scenario, {}).simulate();
  CHECK(slow.outcomes[0][scenario::Outcome::timeout] > 0);
  check_equal(run::run(scenario, {}), slow);
}

TEST_CASE("a route's timeout that nothing follows from is the same") {
  const Scenario scenario = plain_scenario(
      "duration: 10s\nzones: [{ name: a }]\n"
      "services: [{ name: s, endpoints: [{ count: 3, zone: a, service_time: { mean: 100ms, distribution: exponential } "
      "}] }]\n"
      "clusters: [{ name: s }]\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.3s } }]\n"
      "clients: [{ name: c, zone: a, workload: { rate: 200rps } }]\n");
  CHECK(simulated_plainly(scenario));
  compare(scenario);
  CHECK(run::run(scenario, {}).outcomes[0][scenario::Outcome::timeout] > 0);
}

TEST_CASE("links whose latency varies are for the general loop") {
  const Scenario scenario = plain_scenario(
      "duration: 5s\nzones: [{ name: a }, { name: b }]\nlinks: [{ between: [a, b], latency: 5ms, jitter: 4ms }]\n"
      "services: [{ name: s, endpoints: [{ count: 3, zone: b, service_time: 4ms }] }]\nclusters: [{ name: s }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 200rps } }]\n");
  CHECK_FALSE(simulated_plainly(scenario));
  compare(scenario);
}

namespace {

// How many of them the fast loop simulates; all have the same results from both.
std::size_t compare_generated(std::size_t scenarios, const std::function<Scenario(std::size_t number)>& drawn) {
  // A process each, since a process has one world with links in it.
  const auto slow = run::fork_map(scenarios, 1, [&](std::size_t number) {
    return run::results_to_bytes(run::Simulation(drawn(number), {}).simulate());
  });
  const auto any = run::fork_map(
      scenarios, 1, [&](std::size_t number) { return run::results_to_bytes(run::run(drawn(number), {})); });
  const auto plain = run::fork_map(scenarios, 1, [&](std::size_t number) -> std::string {
    return simulated_plainly(drawn(number)) ? "plainly" : "generally";
  });
  std::size_t plainly = 0;
  for (std::size_t number = 0; number < scenarios; ++number) {
    INFO("scenario " << number << ": " << slow[number].failure << any[number].failure << plain[number].failure);
    REQUIRE((slow[number].succeeded && any[number].succeeded && plain[number].succeeded));
    check_equal(run::results_from_bytes(any[number].bytes), run::results_from_bytes(slow[number].bytes));
    plainly += plain[number].bytes == "plainly" ? 1 : 0;
  }
  return plainly;
}

std::string generated(std::size_t number) {
  support::Draws draws(2026'11'23'000 + number);
  return support::generated_scenario(draws);
}

}  // namespace

TEST_CASE("generated scenarios have the same results whatever loop simulates them") {
  constexpr std::size_t scenarios = support::under_sanitizers ? 50 : 120;
  const std::size_t plainly = compare_generated(scenarios, [](std::size_t number) {
    return scenario::read_scenario_text("drawn.yaml", generated(number)).scenario.value();
  });
  CHECK(plainly >= scenarios / 10);
}

// Constant times of work and of thinking, so that many answers come at one nanosecond; drawn ones; and both kinds of
// clients beside each other.
TEST_CASE("generated scenarios of users have the same results whatever loop simulates them") {
  constexpr std::size_t scenarios = support::under_sanitizers ? 12 : 60;
  const std::size_t plainly = compare_generated(scenarios, [](std::size_t number) {
    std::string text = generated(number);
    const auto put = [&](const std::string& old, const std::string& anew) {
      for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + anew.size())) {
        text.replace(at, old.size(), anew);
      }
    };
    put(", arrivals: periodic", "");
    put("rate: 300rps", "users: 7, think_time: 20ms");
    put("rate: 600rps", number % 3 == 0 ? "users: 30, think_time: { mean: 30ms, distribution: exponential }"
                                        : "users: 30, think_time: 0s");
    put("rate: 1000rps", number % 2 == 0 ? "users: 3, think_time: 1ms" : "rate: 1000rps ");
    return scenario::read_scenario_text("drawn.yaml", text).scenario.value();
  });
  CHECK(plainly >= scenarios / 10);
}

TEST_CASE("users whom a breaker turns away and a full queue refuses are the same") {
  const Scenario scenario = plain_scenario(
      "duration: 10s\nzones: [{ name: a }, { name: b }, { name: c }]\n"
      "links: [{ between: [a, b], latency: 3ms }, { between: [c, b], latency: 1ms }]\n"
      "services: [{ name: s, endpoints: [{ count: 3, zone: b, cores: 1, queue: 2, service_time: 5ms }, "
      "{ count: 2, zone: a, service_time: 3ms }] }]\n"
      "clusters: [{ name: s, lb_policy: LEAST_REQUEST, circuit_breakers: { thresholds: [{ max_requests: 12 }] } }]\n"
      "clients:\n"
      "  - { name: x, zone: a, count: 2, workload: { service: s, users: 15, think_time: 10ms } }\n"
      "  - { name: y, zone: c, workload: { service: s, rate: 300rps } }\n"
      "timeline: [{ at: 3s, zone: b, healthy: 0 }, { at: 5s, zone: b, healthy: 100% }]\n");
  CHECK(simulated_plainly(scenario));
  compare(scenario);
  const Results results = run::run(scenario, {});
  CHECK(results.outcomes[0][scenario::Outcome::overflow] > 0);
  CHECK(results.outcomes[0][scenario::Outcome::queue_full] > 0);
}

TEST_CASE("requests that are given up on their way take up a core all the same") {
  const std::string text = std::string(queues_in_two_zones) +
                           "clusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
                           "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.004s } }]\n"
                           "clients:\n"
                           "  - { name: a, zone: a, count: 5, workload: { rate: 400rps } }\n"
                           "  - { name: c, zone: c, count: 3, workload: { rate: 500rps } }\n";
  const Scenario scenario = plain_scenario(text);
  CHECK(simulated_plainly(scenario));
  CHECK(run::Simulation(scenario, {}).simulate().outcomes[1].ok() == 0);
  compare(scenario);
}
