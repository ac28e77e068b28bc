// Hosts that the proxies are told at another priority, in place: the same hosts as before (docs/behaviour/
// envoy-before-pick.md 1.1). What a real Envoy does with them is recorded by tests/parity/timelines.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "sim/run/run.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;

namespace {

scenario::Scenario read_moving(const std::string& text) {
  const auto reading = scenario::read_scenario_text("moves.yaml", text);
  for (const auto& problem : reading.diagnostics) {
    CHECK((problem.severity != Severity::error ? "" : problem.message + ": " + problem.label).empty());
  }
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

// By "endpoint Ppriority".
using SharesByPlace = std::map<std::string, double>;

SharesByPlace shares_at(const scenario::Scenario& of, int second) {
  const run::Snapshot snapshot(of, std::chrono::seconds{second});
  const run::Targets targets(of, {0});
  SharesByPlace shares;
  for (const run::Snapshot::Row& row : snapshot.shares({0}).rows) {
    const run::Target& target = targets.at(row.target);
    if (row.share > 0.0) {
      shares[of.endpoints[target.endpoint.value].id + " P" + std::to_string(target.priority.value)] += row.share;
    }
  }
  return shares;
}

void check_places(const SharesByPlace& found, const SharesByPlace& expected) {
  CHECK(found.size() == expected.size());
  for (const auto& [place, share] : expected) {
    INFO(place);
    REQUIRE(found.contains(place));
    CHECK(found.at(place) == Approx(share).margin(1e-9));
  }
}

// The requests that each endpoint got, wherever it stood.
std::map<std::string, std::uint64_t> requests_by_endpoint(const scenario::Scenario& of) {
  std::map<std::string, std::uint64_t> requests;
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    if (request.destination) {
      const std::string& endpoint = of.endpoints[request.destination->endpoint.value].id;
      ++requests[endpoint + " P" + std::to_string(request.destination->priority.value)];
    }
  };
  (void)run::run(of, options);
  return requests;
}

}  // namespace

TEST_CASE("A host that changes its priority takes its part there, with what is told of it") {
  const scenario::Scenario scenario = read_moving(
      "duration: 30s\nzones: [{ name: a }]\n"
      "services: [{ name: web, endpoints: [{ count: 4, zone: a }, { count: 4, zone: a, priority: 1 }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: web, rate: 100rps } }]\n"
      "timeline:\n"
      "  - { at: 10s, endpoints: [web-1, web-2], to_priority: 1 }\n"
      "  - { at: 12s, endpoints: [web-3], healthy: 0 }\n"
      "  - { at: 14s, endpoints: [web-1], health_status: UNHEALTHY }\n"
      "  - { at: 16s, endpoints: [web-2], remove: 1, lives_on: true }\n"
      "  - { at: 18s, endpoints: [web-2], add: 1, delay: 0s }\n"
      "  - { at: 20s, endpoints: [web-2], to_priority: 0 }\n"
      "  - { at: 22s, endpoints: [web-1, web-2], weight: 3 }\n"
      "  - { at: 24s, endpoints: [web-1], health_status: HEALTHY }\n");

  check_places(shares_at(scenario, 9),
               {{"web-1 P0", 0.25}, {"web-2 P0", 0.25}, {"web-3 P0", 0.25}, {"web-4 P0", 0.25}});
  check_places(shares_at(scenario, 11), {{"web-3 P0", 0.5}, {"web-4 P0", 0.5}});
  // Half of P0 is healthy: 50 x 1.4 = 70 %; the others are six at P1.
  SharesByPlace expected = {{"web-4 P0", 0.7}};
  for (const char* const place : {"web-1 P1", "web-2 P1", "web-5 P1", "web-6 P1", "web-7 P1", "web-8 P1"}) {
    expected[place] = 0.05;
  }
  check_places(shares_at(scenario, 13), expected);
  const auto without = [](SharesByPlace shares, const char* place, double others) {
    shares.erase(place);
    for (auto& [name, share] : shares) {
      share = name == "web-4 P0" ? share : others;
    }
    return shares;
  };
  const SharesByPlace one_unhealthy = without(expected, "web-1 P1", 0.06);
  check_places(shares_at(scenario, 15), one_unhealthy);
  check_places(shares_at(scenario, 17), without(one_unhealthy, "web-2 P1", 0.075));
  check_places(shares_at(scenario, 19), one_unhealthy);
  // Two of the three at P0 are healthy: 66.7 x 1.4 = 93 %.
  const SharesByPlace back = {{"web-2 P0", 0.465},  {"web-4 P0", 0.465},  {"web-5 P1", 0.0175},
                              {"web-6 P1", 0.0175}, {"web-7 P1", 0.0175}, {"web-8 P1", 0.0175}};
  check_places(shares_at(scenario, 21), back);
  check_places(shares_at(scenario, 23), {{"web-2 P0", 0.6975},
                                         {"web-4 P0", 0.2325},
                                         {"web-5 P1", 0.0175},
                                         {"web-6 P1", 0.0175},
                                         {"web-7 P1", 0.0175},
                                         {"web-8 P1", 0.0175}});
  CHECK(shares_at(scenario, 25).at("web-1 P1") == Approx(0.07 * 3 / 7).margin(1e-9));
}

TEST_CASE("The locality weight at the new priority is the one that the file gives there, or changes there") {
  const scenario::Scenario scenario = read_moving(
      "duration: 30s\nzones: [{ name: a }, { name: b }]\n"
      "services: [{ name: web, endpoints: [{ count: 2, zone: a }, { count: 1, zone: b, priority: 1 }] }]\n"
      "clusters:\n"
      "  - name: web\n"
      "    common_lb_config: { locality_weighted_lb_config: {} }\n"
      "clients: [{ name: c, zone: a, workload: { service: web, rate: 100rps } }]\n"
      "timeline:\n"
      "  - { at: 0s, endpoints: [web-1, web-2, web-3], locality_weight: 1 }\n"
      "  - { at: 10s, endpoints: [web-1, web-2], to_priority: 1 }\n"
      "  - { at: 20s, endpoints: [web-3], locality_weight: 3 }\n");
  check_places(shares_at(scenario, 5), {{"web-1 P0", 0.5}, {"web-2 P0", 0.5}});
  check_places(shares_at(scenario, 15), {{"web-1 P1", 0.25}, {"web-2 P1", 0.25}, {"web-3 P1", 0.5}});
  check_places(shares_at(scenario, 25), {{"web-1 P1", 0.125}, {"web-2 P1", 0.125}, {"web-3 P1", 0.75}});
}

TEST_CASE("An ejection goes on at the new priority") {
  const scenario::Scenario scenario = read_moving(
      "duration: 9s\nmode: requests\nzones: [{ name: a }]\n"
      "services: [{ name: web, endpoints: [{ count: 4, zone: a }] }]\n"
      "clusters:\n"
      "  - name: web\n"
      "    outlier_detection: { consecutive_5xx: 2, interval: 1s, base_ejection_time: 30s, max_ejection_percent: 100 "
      "}\n"
      "clients: [{ name: c, zone: a, workload: { service: web, rate: 100rps } }]\n"
      "timeline:\n"
      "  - { at: 0s, endpoints: [web-1], fails: 100% }\n"
      "  - { at: 5s, endpoints: [web-1, web-2, web-3, web-4], to_priority: 1 }\n");
  const auto requests = requests_by_endpoint(scenario);
  CHECK(requests.at("web-1 P0") == 2);
  CHECK(!requests.contains("web-1 P1"));
  CHECK(requests.at("web-2 P1") > 100);
  const run::Results results = run::run(scenario, {});
  CHECK(results.ejections.size() == 1);
}

TEST_CASE("Failures in a row are counted on at the new priority") {
  const scenario::Scenario scenario = read_moving(
      "duration: 10s\nmode: requests\nzones: [{ name: a }]\n"
      "services: [{ name: web, endpoints: [{ count: 1, zone: a }] }]\n"
      "clusters:\n"
      "  - name: web\n"
      "    outlier_detection: { consecutive_5xx: 7, interval: 1s, base_ejection_time: 30s, max_ejection_percent: 100 "
      "}\n"
      "clients: [{ name: c, zone: a, workload: { service: web, rate: 1rps, arrivals: periodic } }]\n"
      "timeline:\n"
      "  - { at: 0s, endpoints: [web-1], fails: 100% }\n"
      "  - { at: 4500ms, endpoints: [web-1], to_priority: 1 }\n");
  const run::Results results = run::run(scenario, {});
  REQUIRE(results.ejections.size() == 1);
  CHECK(results.ejections.front().at == std::chrono::seconds{6});
}

TEST_CASE("Least request counts on, at the new priority, what is in flight at a host") {
  const scenario::Scenario scenario = read_moving(
      "duration: 14s\nmode: requests\nzones: [{ name: a }]\n"
      "services:\n"
      "  - name: web\n"
      "    endpoints: [{ id: slow, zone: a, service_time: 60s }, { id: quick, zone: a, service_time: 1ms }]\n"
      "clusters:\n"
      "  - name: web\n"
      "    load_balancing_policy:\n"
      "      policies:\n"
      "        - typed_extension_config:\n"
      "            name: envoy.load_balancing_policies.least_request\n"
      "            typed_config:\n"
      "              '@type': type.googleapis.com/"
      "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest\n"
      "              selection_method: FULL_SCAN\n"
      "clients: [{ name: c, zone: a, workload: { service: web, rate: 10rps, arrivals: periodic } }]\n"
      "timeline: [{ at: 10s, endpoints: [slow, quick], to_priority: 2 }]\n");
  const auto requests = requests_by_endpoint(scenario);
  CHECK(requests.at("slow P0") == 1);
  CHECK(!requests.contains("slow P2"));
  CHECK(requests.at("quick P2") > 30);
}

TEST_CASE("Priorities under documents of a control plane are refused") {
  const auto reading =
      scenario::read_scenario_text("moves.yaml",
                                   "duration: 30s\nzones: [{ name: a }]\n"
                                   "services: [{ name: web, endpoints: [{ count: 4, zone: a }] }]\n"
                                   "policies: []\n"
                                   "clients: [{ name: c, zone: a, workload: { service: web, rate: 100rps } }]\n"
                                   "timeline: [{ at: 1s, endpoints: [web-1], to_priority: 1 }]\n");
  const auto refused = [](const Diagnostic& problem) {
    return problem.code == "SP303" && problem.message == "a priority under documents of a control plane" &&
           problem.label == "the control plane gives endpoints their priorities";
  };
  CHECK(std::any_of(reading.diagnostics.begin(), reading.diagnostics.end(), refused));
}

TEST_CASE("who is told the priority that all of them have stays where it is") {
  const scenario::Scenario scenario = read_moving(
      "duration: 20s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ count: 1, zone: a }, "
      "{ zone: b, priority: 1 }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 50rps } }]\n"
      "timeline: [{ at: 1s, zone: b, to_priority: 1 }, { at: 2s, zone: a, to_priority: 0 }]\n");
  check_places(shares_at(scenario, 5), {{"s-1 P0", 1.0}});
  CHECK(requests_by_endpoint(scenario).size() == 1);
}
