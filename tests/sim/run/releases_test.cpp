// What releases of Envoy find out otherwise while requests are played: docs/behaviour/releases.md.
#include <catch2/catch.hpp>
#include <string>

#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::run {
namespace {

Results simulated_by(const std::string& release, const std::string& rest) {
  const scenario::Reading reading = scenario::read_scenario_text(
      "s.yaml", "profile: { envoy: " + release +
                    " }\nduration: 8s\nseed: 7\nzones: [{ name: a }]\nclients: [{ name: c, zone: a, workload: { "
                    "service: s, rate: 100rps } }]\n" +
                    rest);
  for (const auto& problem : reading.diagnostics) {
    UNSCOPED_INFO(problem.code << ": " << problem.message << " " << problem.label);
  }
  REQUIRE(reading.scenario.has_value());
  return run(*reading.scenario, {scenario::Mode::requests, std::nullopt, {}});
}

}  // namespace

// Release notes of Envoy 1.26: resets of requests that a circuit breaker turned away are no failures of the host.
TEST_CASE("Before Envoy 1.26 what circuit breakers turn away ejects hosts", "[releases]") {
  const std::string cluster =
      "services: [{ name: s, endpoints: [{ count: 4, zone: a, service_time: 500ms }] }]\nclusters: [{ name: s, "
      "circuit_breakers: { thresholds: [{ max_requests: 2 }] }, outlier_detection: { max_ejection_percent: 50 } }]\n";
  CHECK(simulated_by("release-1.25", cluster).events.ejections > 0);
  CHECK(simulated_by("release-1.26", cluster).events.ejections == 0);
  CHECK(simulated_by("current", cluster).events.ejections == 0);
}

// Release notes of Envoy 1.26 and 1.31: a check that passes ends an ejection; until 1.31 so did one that fails, as long
// as the host did not count as failed.
TEST_CASE("From Envoy 1.26 to 1.30 a check that fails ends an ejection", "[releases]") {
  const std::string cluster =
      "services: [{ name: s, endpoints: [{ count: 4, zone: a }] }]\nclusters: [{ name: s, health_checks: [{ timeout: "
      "1s, interval: 1s, no_traffic_interval: 1s, unhealthy_threshold: 100, healthy_threshold: 1, http_health_check: { "
      "path: / } }], outlier_detection: { max_ejection_percent: 50, base_ejection_time: 300s } }]\ntimeline: [{ at: "
      "2s, "
      "service: s, endpoints: [s-1], fails: 100%, fails_with: 500, fails_checks: false }, { at: 2s, service: s, "
      "endpoints: [s-1], answers_checks: reset }]\n";
  CHECK(simulated_by("release-1.25", cluster).events.unejections == 0);
  CHECK(simulated_by("release-1.26", cluster).events.unejections > 0);
  CHECK(simulated_by("release-1.30", cluster).events.unejections > 0);
  CHECK(simulated_by("release-1.31", cluster).events.unejections == 0);
  CHECK(simulated_by("release-1.31", cluster).events.ejections == 1);
}

}  // namespace spillway::run
