#include "sim/plan/world.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

using namespace spillway;
using namespace std::chrono_literals;

namespace {

std::optional<plan::EndedFailure> failure_of(const std::string& timeline) {
  const auto reading = scenario::read_scenario_text(
      "world.yaml",
      "duration: 60s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: "
      "a }, { count: 3, zone: b }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 1rps } }]\n" +
          timeline);
  INFO(timeline);
  REQUIRE(reading.scenario);
  return plan::ended_failure(*reading.scenario);
}

}  // namespace

TEST_CASE("a failure that ended lasts from its first event to the one after which nothing is wrong", "[plan]") {
  CHECK_FALSE(failure_of(""));
  CHECK_FALSE(failure_of("timeline: [{ at: 10s, zone: b, outage: true }]\n"));
  // Endpoints that are removed are not a failure, and neither is a recovery of what was down from the start.
  CHECK_FALSE(failure_of("timeline: [{ at: 10s, zone: b, remove: 1 }, { at: 20s, zone: b, add: 1 }]\n"));
  CHECK_FALSE(failure_of("timeline: [{ at: 0s, zone: b, outage: true }, { at: 20s, zone: b, outage: false }]\n"));
  const auto whole = failure_of(
      "timeline: [{ at: 10s, zone: b, outage: true }, { at: 12s, zone: a, slow: 3 }, { at: 20s, zone: b, outage: false "
      "}, { at: 30s, zone: a, slow: 1 }, { at: 40s, zone: b, weight: 2 }]\n");
  REQUIRE(whole);
  CHECK(whole->begins == 10s);
  CHECK(whole->ends == 30s);
  // Only the last one counts.
  const auto last = failure_of(
      "timeline: [{ at: 5s, zone: a, healthy: 0% }, { at: 6s, zone: a, healthy: 100% }, { at: 20s, zone: b, fails: 50% "
      "}, { at: 25s, zone: b, fails: 0% }]\n");
  REQUIRE(last);
  CHECK(last->begins == 20s);
  CHECK(last->ends == 25s);
}
