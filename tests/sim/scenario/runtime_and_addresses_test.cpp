// `runtime` of a scenario, and addresses that are listed again.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/state_at.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;
using test::scenario_with;
using test::the_only_diagnostic;

namespace {

std::string with_event(const std::string& event) {
  return scenario_with("timeline:\n  - " + event + "\n");
}

// Two endpoints of one address in two priorities, and one more.
std::string listed_twice(const std::string& rest, const std::string& first = "") {
  return scenario_with(rest, "      - { id: a, zone: zone-1, address: '10.0.0.1:80'" + first +
                                 " }\n"
                                 "      - { id: b, zone: zone-2 }\n"
                                 "      - { id: c, zone: zone-2, priority: 1, address: '10.0.0.1:80' }\n");
}

Reading taken(const std::string& text) {
  Reading reading = read_scenario_text("test.yaml", text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return reading;
}

std::vector<std::uint8_t> absent_at(const Scenario& scenario, Nanoseconds at, std::uint32_t zone = 0) {
  return eds_state_at(scenario, config::ZoneIndex{zone}, at).of({0}).absent;
}

using Absent = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("Runtime values are read as in a static layer, and change over time", "[runtime]") {
  const Scenario scenario = *taken(scenario_with("runtime: { upstream: { healthy_panic_threshold: '30' } }\n"
                                                 "timeline:\n"
                                                 "  - { at: 10s, runtime: { upstream.zone_routing.enabled: 20.9 } }\n"
                                                 "  - { at: 20s, runtime: { upstream.healthy_panic_threshold: 40, "
                                                 "upstream.zone_routing.min_cluster_size: 3 } }\n"))
                                 .scenario;
  CHECK(scenario.runtime.healthy_panic_threshold == 30U);
  const config::Runtime first = runtime_at(scenario, 10s);
  CHECK(first.healthy_panic_threshold == 30U);
  CHECK(first.zone_routing_enabled == 20U);
  const config::Runtime last = runtime_at(scenario, 59s);
  CHECK(last.healthy_panic_threshold == 40U);
  CHECK(last.zone_routing_enabled == 20U);
  CHECK(last.zone_routing_min_cluster_size == 3U);
}

TEST_CASE("Runtime keys and values that mean nothing here are named", "[runtime]") {
  the_only_diagnostic(scenario_with("runtime: { «upstream.use_retry»: 0 }\n"), "SP302");
  the_only_diagnostic(with_event("{ at: 1s, runtime: { upstream: { «use_retry»: 0 } } }"), "SP302");
  the_only_diagnostic(with_event("{ at: 1s, runtime: { upstream.healthy_panic_threshold: «[»1] } }"), "SP139");
  the_only_diagnostic(with_event("{ at: 1s, runtime: «3» }"), "SP022");
  the_only_diagnostic(with_event("{ at: 1s, runtime: { upstream.healthy_panic_threshold: 3 }, «service»: backend }"),
                      "SP111");
  const Reading reading = taken(with_event("{ at: 1s, runtime: { upstream.healthy_panic_threshold: -1 } }"));
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics.front().code == "SP213");
}

TEST_CASE("An address that is listed again is a host while no endpoint before it is listed", "[addresses]") {
  const Reading reading =
      taken(listed_twice("timeline:\n"
                         "  - { at: 10s, remove: 1, endpoints: [a] }\n"
                         "  - { at: 20s, remove: 1, endpoints: [c] }\n"
                         "  - { at: 30s, add: 1, endpoints: [a] }\n"
                         "  - { at: 40s, add: 1, endpoints: [c] }\n"));
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics.front().code == "SP231");
  const Scenario& scenario = *reading.scenario;
  CHECK(absent_at(scenario, 0s) == Absent{0, 0, 1});
  CHECK(absent_at(scenario, 10s) == Absent{1, 0, 0});
  CHECK(absent_at(scenario, 20s) == Absent{1, 0, 1});
  CHECK(absent_at(scenario, 30s) == Absent{0, 0, 1});
  CHECK(absent_at(scenario, 40s) == Absent{0, 0, 1});
  // It is no host, and there all the same.
  CHECK(actual_at(scenario, 0s).of(config::EndpointIndex{2}).exists);
}

TEST_CASE("What one zone is told of a repeated address is its own", "[addresses]") {
  const Scenario scenario =
      *taken(listed_twice("timeline: [{ at: 10s, remove: 1, endpoints: [a], audience: [zone-2] }]\n")).scenario;
  CHECK(absent_at(scenario, 10s, 0) == Absent{0, 0, 1});
  CHECK(absent_at(scenario, 10s, 1) == Absent{1, 0, 0});
}

TEST_CASE("A static cluster has two hosts of one address, and original destinations cannot", "[addresses]") {
  const Reading reading = taken(listed_twice("clusters: [{ name: backend, type: STATIC }]\n"));
  CHECK(reading.diagnostics.empty());
  CHECK(absent_at(*reading.scenario, 0s) == Absent{0, 0, 0});
  const Reading refused = read_scenario_text(
      "test.yaml", listed_twice("clusters: [{ name: backend, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED }]\n"));
  CHECK_FALSE(refused.scenario.has_value());
}
