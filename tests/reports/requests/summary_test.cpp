#include "reports/requests/summary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "reports/shares/measure.hpp"
#include "sim/run/run.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;

namespace {

using Lines = std::vector<std::string>;

// Nobody of cart is healthy from 5 s on.
Lines summary_of(const std::string& threshold) {
  const scenario::Scenario scenario = scenario::test::accepted(
      "duration: 10s\nmode: exact\nzones: [{ name: a }]\n"
      "services:\n"
      "  - { name: cart, endpoints: [{ count: 2, zone: a }] }\n"
      "clusters: [{ name: cart, common_lb_config: { healthy_panic_threshold: { value: " +
      threshold +
      " } } }]\n"
      "clients: [{ name: shop, zone: a, workload: { service: cart, rate: 10rps } }]\n"
      "timeline: [{ at: 5s, service: cart, healthy: 0 }]\n");
  return reports::summary_lines(scenario, run::run(scenario, {scenario::Mode::exact, std::nullopt}));
}

}  // namespace

// Envoy: with a threshold of 0 there is no panic, and a cluster without a healthy host picks none.
TEST_CASE("exact shares that do not add up to all requests are told below the tables") {
  CHECK(summary_of("0") == Lines{"no host: 100 % of shop -> cart, 5 - 10 s"});
  CHECK(summary_of("50").empty());
}

// Kuma: other zones are left to the egress, which has nobody of theirs; the sidecar sees a connection that breaks.
TEST_CASE("requests that end at a zone proxy with nothing behind it find no host") {
  const scenario::Scenario scenario = scenario::test::accepted(
      "duration: 10s\nmode: exact\nzones: [{ name: z1 }, { name: z2 }, { name: z3 }]\n"
      "services: [{ name: s, endpoints: [{ zone: z1 }, { count: 2, zone: z2 }, { zone: z3 }] }]\n"
      "resources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] }, "
      "routing: { zoneEgress: true } }]\n"
      "policies: [{ type: MeshLoadBalancingStrategy, name: a, spec: { to: [{ targetRef: { kind: Mesh }, default: { "
      "localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [z3] } }] } } } }] } }]\n"
      "clients: [{ name: web, zone: z1, workload: { service: s, rate: 10rps } }]\n"
      "timeline: [{ at: 5s, service: s, zone: z1, remove: 1 }, { at: 5s, service: s, zone: z3, remove: 1 }]\n");
  const run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt});
  const Lines lines = reports::summary_lines(scenario, results);
  CHECK(std::count(lines.begin(), lines.end(), "no host: 100 % of web -> s, 5 - 10 s: nothing is behind z1 egress") ==
        1);
  const auto measured = [&](const scenario::Selector& of) {
    return reports::measure(scenario, results, results.epochs.back(), {"", scenario::Quantity::share, of}).exact;
  };
  scenario::Selector selector;
  selector.zone = "z1";
  CHECK(measured(selector) == 0.0);
  selector.endpoint = "z1 egress";
  CHECK(measured(selector) == 100.0);
}

TEST_CASE("a run that ends in overload says so, though all its requests succeed") {
  const auto last_line_of = [](const std::string& slow) {
    const scenario::Reading reading =
        scenario::read_scenario_text("slow.yaml",
                                     "duration: 4s\nzones: [{ name: a }]\n"
                                     "services: [{ name: s, endpoints: [{ count: 2, zone: a, capacity: 100rps }] }]\n"
                                     "clients: [{ name: c, zone: a, workload: { service: s, rate: 50rps } }]\n"
                                     "timeline: [{ at: 3s, service: s, endpoints: [s-1], slow: " +
                                         slow + " }]\n");
    REQUIRE(reading.scenario);
    return reports::summary_lines(*reading.scenario, run::run(*reading.scenario, {})).back();
  };
  // 25 requests a second of 90 ms each.
  CHECK(last_line_of("9") == "overloaded when the run ends: s-1 would need a utilisation of 225 %");
  CHECK(last_line_of("3").starts_with("latency: "));
}

TEST_CASE("users that wait and a limited queue are not called overloaded when the run ends") {
  const auto is_named = [](const std::string& queue, const std::string& sends) {
    const scenario::Reading reading = scenario::read_scenario_text(
        "busy.yaml",
        "duration: 4s\nzones: [{ name: a }]\n"
        "services: [{ name: s, endpoints: [{ count: 1, zone: a, cores: 1, service_time: 20ms" +
            queue +
            " }] }]\n"
            "clients: [{ name: c, zone: a, workload: { service: s, " +
            sends + " } }]\n");
    REQUIRE(reading.scenario);
    const auto lines = reports::summary_lines(*reading.scenario, run::run(*reading.scenario, {}));
    return std::any_of(lines.begin(), lines.end(),
                       [](const std::string& line) { return line.starts_with("overloaded when the run ends"); });
  };
  CHECK(is_named("", "rate: 60rps"));
  CHECK_FALSE(is_named(", queue: 3", "rate: 60rps"));
  CHECK_FALSE(is_named("", "users: 8, think_time: 10ms"));
}
