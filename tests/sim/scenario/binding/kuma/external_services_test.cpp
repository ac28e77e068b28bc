// MeshExternalServices at the zone egress: MeshCircuitBreaker and MeshHealthCheck `to` them act there
// (applyToEgressRealResources of Kuma 2.14's policies/meshcircuitbreaker and policies/meshhealthcheck; kuma#18439).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/run/simulation.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {

namespace {

constexpr const char* breaker = R"(  - type: MeshCircuitBreaker
    name: outliers
    mesh: default
    spec: { TARGETto: [{ targetRef: { kind: MeshExternalService, name: db, LABELS }, default: { outlierDetection: { interval: 5s, baseEjectionTime: 30s, maxEjectionPercent: 100, detectors: { totalFailures: { consecutive: 5 } } } } }] }
)";
constexpr const char* check = R"(  - type: MeshHealthCheck
    name: checks
    mesh: default
    spec: { to: [{ targetRef: { kind: MeshExternalService, name: db, LABELS }, default: { interval: 1s, timeout: 1s, unhealthyThreshold: 2, healthyThreshold: 1, tcp: {} } }] }
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// Two endpoints, of priorities 0 and 1, of which the first fails from 5 s on.
std::string world(const std::string& policies, const std::string& target = "") {
  const std::string text = replaced(policies, ", LABELS", "");
  return R"(duration: 30s
zones: [{ name: zone-1 }]
resources:
  - type: MeshExternalService
    name: db
    mesh: default
    spec: { match: { type: HostnameGenerator, port: 5432, protocol: tcp }, endpoints: [{ address: primary.example.com, port: 5432, priority: 0 }, { address: secondary.example.com, port: 5432, priority: 1 }] }
)" + replaced(text, "TARGET", target) +
         R"(clients: [{ name: web, zone: zone-1, workload: { service: db, rate: 50rps } }]
timeline: [{ at: 5s, endpoints: ["primary.example.com:5432"], fails: 100%, fails_with: connect_failure }]
)";
}

// What the zone egress forwards to.
const Service& behind_egress(const Scenario& scenario) {
  for (const ClientEntry& client : scenario.clients) {
    if (client.zone_proxy && !client.forwards.empty()) {
      return scenario.services[client.forwards.front().value];
    }
  }
  throw std::logic_error("no zone egress forwards");
}

double failed(const Scenario& scenario) {
  const run::Results results = run::Simulation(scenario, {Mode::requests, std::nullopt, {}}).simulate();
  std::uint64_t sent = 0;
  std::uint64_t ok = 0;
  for (const run::Outcomes& row : results.outcomes) {
    sent += row.sent;
    ok += row.ok();
  }
  return 1.0 - static_cast<double>(ok) / static_cast<double>(sent);
}

Reading read(const std::string& text) {
  return read_scenario_text("test.yaml", text);
}

}  // namespace

TEST_CASE("A MeshCircuitBreaker of a MeshExternalService ejects its endpoints at the zone egress", "[kuma]") {
  const Reading reading = read(world(breaker));
  REQUIRE(reading.scenario);
  const auto& detection = behind_egress(*reading.scenario).cluster.outlier_detection;
  REQUIRE(detection);
  CHECK(detection->consecutive_5xx == 5);
  // Five failures, then the secondary for 30 s: without the ejection 83 % of all requests fail.
  CHECK(failed(*reading.scenario) < 0.05);
}

TEST_CASE("A MeshHealthCheck of a MeshExternalService is made by the zone egress", "[kuma]") {
  const Reading reading = read(world(check));
  REQUIRE(reading.scenario);
  CHECK(behind_egress(*reading.scenario).cluster.health_checks.size() == 1);
  // Two checks of a second each, of 50 requests a second.
  CHECK(failed(*reading.scenario) < 0.12);
}

TEST_CASE("A zone egress has the policies of all clients", "[kuma]") {
  const Reading reading = read(world(breaker, "targetRef: { kind: MeshSubset, tags: { kuma.io/service: another } }, "));
  REQUIRE(reading.scenario);
  CHECK(behind_egress(*reading.scenario).cluster.outlier_detection.has_value());
}

TEST_CASE("Priorities of a MeshExternalService that nothing leaves are named", "[kuma]") {
  const auto codes = [](const std::string& policies) {
    std::vector<std::string> found;
    for (const Diagnostic& problem : read(world(policies)).diagnostics) {
      found.push_back(problem.code);
    }
    return found;
  };
  const auto alone = codes("");
  CHECK(std::count(alone.begin(), alone.end(), "SP617") == 1);
  for (const char* const policy : {breaker, check}) {
    const auto with = codes(policy);
    CHECK(std::count(with.begin(), with.end(), "SP617") == 0);
  }
  const Reading reading = read(world(""));
  REQUIRE(reading.scenario);
  // 25 of 30 seconds.
  CHECK(failed(*reading.scenario) == Approx(25.0 / 30.0).margin(0.05));
}

}  // namespace spillway::scenario
