// Platform mode against requests mode and against theory.
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>

#include "sim/run/simulation.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/workload.hpp"

using namespace std::chrono_literals;
using spillway::run::Results;
using spillway::run::Simulation;
using spillway::scenario::Mode;
using spillway::scenario::Outcome;
using spillway::scenario::Scenario;

namespace {

Scenario read(const std::string& text) {
  auto reading = spillway::scenario::read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  return *std::move(reading.scenario);
}

Results simulate(const Scenario& scenario, Mode mode) {
  return Simulation(scenario, {.mode = mode, .seed = {}, .progress = {}}).simulate();
}

// Everything that is counted and measured, a line a row.
std::string all_of(const Results& results) {
  std::string text = fmt::format("draws {}, {} ejections, {} ended\n", results.result_fingerprint,
                                 results.events.ejections, results.events.unejections);
  for (const auto& row : results.shares) {
    text += fmt::format("{} {} {} {} {} {} {} {} {}\n", row.epoch, row.client.value, row.service.value,
                        static_cast<int>(row.availability), row.endpoint, row.exact.value_or(-1.0),
                        row.simulated.value_or(-1.0), row.requests.value_or(0), row.attempts.value_or(0));
  }
  for (const auto& row : results.outcomes) {
    text += fmt::format("{} {} {} sent {} by outcome {} retries {}\n", row.epoch, row.client.value, row.service.value,
                        row.sent, fmt::join(row.counts.all, " "), row.retries);
  }
  for (const auto& row : results.latency) {
    text += fmt::format("{} {} {} p50 {} p90 {} p99 {} max {}\n", row.epoch, row.client.value, row.service.value,
                        row.p50, row.p90, row.p99, row.max);
  }
  return text;
}

// Draws included.
Results check_equal(const Scenario& scenario) {
  Results requests = simulate(scenario, Mode::requests);
  CHECK(all_of(requests) == all_of(simulate(scenario, Mode::platform)));
  return requests;
}

const std::string two_zones = R"(
duration: 10s
zones: [{ name: zone-1 }, { name: zone-2, nodes: [{ name: z2, count: 2 }] }]
links: [{ between: [zone-1, zone-2], latency: 1500us }]
)";

}  // namespace

TEST_CASE("without contention on links, platform mode is requests mode to the nanosecond: queues for cores") {
  const Results results = check_equal(read(two_zones + R"(
services:
  - name: backend
    endpoints:
      - { count: 2, zone: zone-1, cores: 2, service_time: { mean: 8ms, distribution: exponential } }
      - { count: 2, zone: zone-2, cores: 1, queue: 3,
          service_time: { mean: 4ms, distribution: gamma, coefficient_of_variation: 2 } }
      - { count: 1, node: z2-1, cores: 2, discipline: processor_sharing, service_time: 6ms }
      - { count: 1, node: z2-2, service_time: { mean: 5ms, distribution: exponential } }
clusters: [{ name: backend, lb_policy: LEAST_REQUEST }]
clients:
  - { name: frontend, zone: zone-1, count: 3, workload: { service: backend, rate: 130rps } }
  - { name: other, zone: zone-2, workload: { service: backend, rate: 100rps } }
)"));
  CHECK(results.outcomes.at(0)[Outcome::queue_full] > 0);
}

TEST_CASE("without contention on links, platform mode is requests mode: outages, failures, retries, ejections") {
  const Results results = check_equal(read(two_zones + R"(
services:
  - name: backend
    endpoints:
      - { count: 3, zone: zone-1, cores: 1, service_time: { mean: 9ms, distribution: exponential } }
      - { count: 3, zone: zone-2, cores: 1, service_time: { mean: 9ms, distribution: exponential } }
clusters:
  - name: backend
    lb_policy: RANDOM
    outlier_detection: { consecutive_5xx: 4, interval: 1s, base_ejection_time: 2s, max_ejection_percent: 50 }
routes:
  - match: { prefix: / }
    route:
      cluster: backend
      timeout: 0.2s
      retry_policy: { retry_on: "5xx,reset,connect-failure", num_retries: 2, per_try_timeout: 0.05s }
clients:
  - { name: frontend, zone: zone-1, count: 2, workload: { rate: 120rps } }
timeline:
  - { at: 1s, service: backend, zone: zone-1, slow: 3 }
  - { at: 2s, service: backend, zone: zone-1, slow: 1 }
  - { at: 3s, node: z2-1, outage: true }
  - { at: 4500ms, node: z2-1, outage: false }
  - { at: 5s, service: backend, zone: zone-2, fails: 70% }
  - { at: 6s, service: backend, zone: zone-2, fails: 20%, fails_with: reset }
  - { at: 7s, service: backend, zone: zone-2, fails: 0% }
)"));
  CHECK(results.events.ejections > 0);
  CHECK(results.outcomes.at(0).retries > 0);
  CHECK(results.outcomes.at(0)[Outcome::timeout] > 0);
  CHECK(results.outcomes.at(0)[Outcome::upstream_error] > 0);
}

TEST_CASE("without contention on links, platform mode is requests mode: jitter on the way") {
  const Results results = check_equal(read(R"(
duration: 10s
zones: [{ name: zone-1 }, { name: zone-2 }]
links: [{ between: [zone-1, zone-2], latency: 3ms, jitter: 2ms }]
services: [{ name: b, endpoints: [{ count: 2, zone: zone-1, cores: 1, service_time: 2ms },
                                  { count: 2, zone: zone-2, cores: 1, service_time: { mean: 2ms, distribution: exponential } }] }]
clients: [{ name: c, zone: zone-1, count: 3, workload: { service: b, rate: 200rps } }]
)"));
  REQUIRE(results.latency.size() == 1);
  CHECK(results.latency[0].p99 > 0.008);
}

TEST_CASE("a link that fails refuses connections, and its latency is what it is when the way begins") {
  const Scenario scenario = read(two_zones + R"(
services:
  - name: backend
    endpoints: [{ count: 1, node: z2-1, service_time: 4ms }]
clients:
  - { name: frontend, zone: zone-1, workload: { service: backend, rate: 100rps, arrivals: periodic } }
timeline:
  - { at: 2001ms, link: [zone-1, zone-2], outage: true }
  - { at: 4s, link: [zone-1, zone-2], outage: false }
  - { at: 5002ms, link: [zone-1, zone-2], latency: 3ms }
)");
  const Results results = simulate(scenario, Mode::platform);
  REQUIRE(results.outcomes.size() == 1);
  // One was on its way there when the link failed, and the one of 4 s finds it working again.
  CHECK(results.outcomes[0][Outcome::connect_failure] == 200);
  CHECK(results.outcomes[0].ok() == 800);
  REQUIRE(results.latency.size() == 1);
  CHECK(results.latency[0].max == Approx(0.010));
}

TEST_CASE("clients that answers of the same size go back to at the same time share the link's bandwidth") {
  // 1 MB at 80 Mbps takes 100 ms alone. Two that begin together get half each, three a third.
  for (const int clients : {1, 2, 3}) {
    std::string text = R"(
duration: 10s
zones: [{ name: zone-1 }, { name: zone-2 }]
links: [{ between: [zone-1, zone-2], latency: 2ms, bandwidth: 80Mbps }]
services:
  - name: backend
    endpoints: [{ count: 1, zone: zone-2, service_time: 10ms, response_bytes: 1000000 }]
clients:
)";
    for (int client = 0; client < clients; ++client) {
      text += "  - { name: c" + std::to_string(client) +
              ", zone: zone-1, workload: { service: backend, rate: 2rps, arrivals: periodic } }\n";
    }
    const Results results = simulate(read(text), Mode::platform);
    REQUIRE(results.latency.size() == static_cast<std::size_t>(clients));
    for (const auto& latency : results.latency) {
      CHECK(latency.max == Approx(0.014 + 0.1 * clients));
    }
  }
}

// A guard page makes two mappings of each stack, and vm.max_map_count is 65,530 by default.
TEST_CASE("platform mode has as many requests in flight as come", "[unsanitized]") {
  const Results results =
      simulate(read("duration: 4s\nzones: [{ name: a }]\n"
                    "services: [{ name: s, endpoints: [{ zone: a, capacity: 1rps }] }]\n"
                    "clients: [{ name: c, zone: a, workload: { service: s, rate: 10000rps, arrivals: "
                    "periodic } }]\n"),
               Mode::platform);
  REQUIRE(results.outcomes.size() == 1);
  CHECK(results.outcomes.front().sent >= 39'999);
  // One a second, for at most the 15 s that a request waits after the last was sent.
  CHECK(results.outcomes.front().ok() <= 20);
}
