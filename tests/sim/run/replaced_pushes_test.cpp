// Pushes of one moment are one state: what a later push of that moment replaces is told by no event log. Native
// endpoints and those of Kuma's and Istio's documents.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/run/records/event_log.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

using namespace spillway;

namespace {

const std::string replaced_world =
    "duration: 20s\nzones: [{ name: a }, { name: b }]\n"
    "services: [{ name: s, endpoints: [{ count: 10, zone: a }, { count: 10, zone: b, priority: PRIORITY }] }]\n"
    "clients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\n";
// In the end 8 of 10 in zone a are healthy, and all in zone b.
const std::string replaced_pushes =
    "timeline:\n  - { at: 10s, zone: a, healthy: 0 }\n  - { at: 10s, zone: b, healthy: 0 }\n"
    "  - { at: 10s, zone: a, healthy: 8 }\n  - { at: 10s, zone: b, healthy: 10 }\n";
const std::string last_pushes =
    "timeline:\n  - { at: 10s, zone: a, healthy: 8 }\n  - { at: 10s, zone: b, healthy: 10 }\n";

std::vector<run::EventKind> logged_kinds_of(const std::string& text) {
  const scenario::Reading reading = scenario::read_scenario_text("test.yaml", text);
  INFO((reading.diagnostics.empty() ? "" : reading.diagnostics.front().label));
  REQUIRE(reading.scenario);
  run::Options options{scenario::Mode::requests, std::nullopt};
  options.logged_events = run::EventLog::Options{};
  std::vector<run::EventKind> kinds;
  for (const auto& group : run::run(*reading.scenario, options).logged_events.groups) {
    kinds.insert(kinds.end(), group.times, group.first.kind);
  }
  return kinds;
}

std::string of_native(const std::string& timeline) {
  std::string text = replaced_world;
  return text.replace(text.find("PRIORITY"), 8, "1") + timeline;
}

std::string of_kuma(const std::string& timeline) {
  std::string text = replaced_world;
  return text.replace(text.find(", priority: PRIORITY"), 20, "") + timeline +
         "policies:\n  - type: MeshLoadBalancingStrategy\n    name: p\n    mesh: default\n    spec:\n      targetRef: "
         "{ "
         "kind: Mesh }\n      to: [{ targetRef: { kind: MeshService, name: s }, default: { localityAwareness: { "
         "crossZone: { failover: [{ to: { type: Any } }] } } } }]\n";
}

}  // namespace

TEST_CASE("an event log tells the last push of a moment, as if it were the only one") {
  CHECK(logged_kinds_of(of_native(replaced_pushes)) == logged_kinds_of(of_native(last_pushes)));
  CHECK(logged_kinds_of(of_kuma(replaced_pushes)) == logged_kinds_of(of_kuma(last_pushes)));
  CHECK(logged_kinds_of(of_native(replaced_pushes)).size() == 2);
}

TEST_CASE("a push to some of the hosts replaces nothing of the others") {
  const auto kinds = logged_kinds_of(
      of_native("timeline:\n  - { at: 10s, zone: a, healthy: 0 }\n  - { at: 10s, endpoints: [s-1], healthy: 1 }\n"));
  CHECK(std::count(kinds.begin(), kinds.end(), run::EventKind::health_reported) == 2);
}

TEST_CASE("changes of how endpoints serve replace each other at one moment too") {
  const std::string last = "  - { at: 10s, zone: a, fails: 10% }\n  - { at: 10s, zone: a, slow: 2 }\n";
  CHECK(logged_kinds_of(of_native(
            "timeline:\n  - { at: 10s, zone: a, fails: 100% }\n  - { at: 10s, zone: a, slow: 50 }\n" + last)) ==
        logged_kinds_of(of_native("timeline:\n" + last)));
}
