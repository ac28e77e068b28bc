// The log against the events of hosts, which tests/parity holds against what a real Envoy logs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "sim/run/run.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace std::chrono_literals;

namespace {

using HostEvent = std::tuple<run::Nanoseconds, config::EndpointIndex, run::EventKind>;

std::vector<HostEvent> host_events(const run::Results& results) {
  std::vector<HostEvent> events;
  for (const run::Ejection& of : results.ejections) {
    events.emplace_back(of.at, of.endpoint, of.ejected ? run::EventKind::ejected : run::EventKind::returned);
  }
  for (const run::CheckedHealth& of : results.checked) {
    events.emplace_back(
        of.at, of.endpoint,
        of.health == envoy::Health::unhealthy ? run::EventKind::marked_unhealthy : run::EventKind::marked_healthy);
  }
  std::sort(events.begin(), events.end());
  return events;
}

std::vector<HostEvent> logged_events(const run::Results& results) {
  std::vector<HostEvent> events;
  for (const run::EventRecord& of : results.logged_events.each) {
    switch (of.kind) {
      case run::EventKind::ejected:
      case run::EventKind::returned:
      case run::EventKind::marked_unhealthy:
      case run::EventKind::marked_healthy:
        events.emplace_back(of.at, *of.endpoint, of.kind);
        break;
      default:
        break;
    }
  }
  std::sort(events.begin(), events.end());
  return events;
}

}  // namespace

TEST_CASE("ejections, returns and results of checks are logged exactly where hosts change", "[happenings]") {
  const std::string text =
      "duration: 90s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 4, zone: a }] }]\n"
      "clusters: [{ name: s, outlier_detection: { interval: 5s, base_ejection_time: 10s, max_ejection_percent: 50 }, "
      "health_checks: [{ timeout: 1s, interval: 2s, unhealthy_threshold: 2, healthy_threshold: 2, no_traffic_interval: "
      "2s, "
      "http_health_check: { path: / } }] }]\n"
      "clients: [{ name: c, zone: a, count: 3, workload: { service: s, rate: 20rps } }]\n"
      "timeline: [{ at: 10s, endpoints: [s-1], fails: 100%, fails_checks: false }, { at: 20s, endpoints: [s-2], "
      "outage: true "
      "}, "
      "{ at: 50s, endpoints: [s-2], outage: false }, { at: 60s, endpoints: [s-1], fails: 0% }]\n";
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.logged_events.emplace();
  const run::Results results = run::run(scenario::test::accepted(text), options);
  CHECK(results.ejections.size() >= 6);
  CHECK(results.checked.size() >= 6);
  CHECK(logged_events(results) == host_events(results));
}

TEST_CASE("a host that has left EDS is logged unhealthy with the check that ends it", "[happenings]") {
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.logged_events.emplace();
  const run::Results results =
      run::run(scenario::test::accepted(
                   "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: a }] }]\n"
                   "clusters: [{ name: s, health_checks: [{ timeout: 1s, interval: 2s, no_traffic_interval: 2s, "
                   "unhealthy_threshold: 2, healthy_threshold: 1, http_health_check: { path: / } }] }]\n"
                   "clients: [{ name: c, zone: a, workload: { service: s, rate: 20rps } }]\n"
                   "timeline: [{ at: 5s, endpoints: [s-1], remove: 1 }]\n"),
               options);
  REQUIRE(results.checked.size() == 1);
  CHECK(results.checked.front().health == envoy::Health::unhealthy);
  CHECK(logged_events(results) == host_events(results));
}
