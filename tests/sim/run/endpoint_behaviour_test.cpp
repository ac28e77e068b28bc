// What a timeline says of endpoints, from the file to the counts: failures in turn, checks that are answered otherwise
// than requests, endpoints that live on when EDS has dropped them, statuses and weights that change in place.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace run = spillway::run;

namespace {

// Two endpoints that are asked in turn, 100 times a second for 10 s, checked every second if `checked` says so.
spillway::scenario::Scenario scenario_of(const std::string& timeline, bool checked,
                                         const std::string& of_cluster = "") {
  const std::string checks =
      checked ? ", health_checks: [{ timeout: 0.5s, interval: 1s, no_traffic_interval: 1s, unhealthy_threshold: 2, "
                "healthy_threshold: 2, http_health_check: { path: /, expected_statuses: [{ start: 200, end: 202 }] } }]"
              : "";
  const auto reading = spillway::scenario::read_scenario_text(
      "behaviour.yaml",
      "duration: 10s\n"
      "zones: [{ name: z }]\n"
      "services: [{ name: c, endpoints: [{ count: 2, zone: z }] }]\n"
      "clusters: [{ name: c" +
          checks + of_cluster +
          " }]\n"
          "clients: [{ name: a, zone: z, workload: { service: c, rate: 100rps, arrivals: periodic } }]\n"
          "timeline: [" +
          timeline + "]\n");
  INFO(spillway::documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

run::Results simulated(const std::string& timeline, bool checked, const std::string& of_cluster = "") {
  return run::Simulation(scenario_of(timeline, checked, of_cluster), {}).simulate();
}

std::uint64_t requests_to(const run::Results& results, const std::string& endpoint) {
  std::uint64_t sum = 0;
  for (const run::Share& share : results.shares) {
    sum += share.endpoint == endpoint ? share.requests.value_or(0) : 0;
  }
  return sum;
}

run::Outcomes outcomes_of(const run::Results& results) {
  run::Outcomes sum;
  for (const run::Outcomes& row : results.outcomes) {
    run::add(sum, row);
  }
  return sum;
}

}  // namespace

TEST_CASE("Every third request to an endpoint fails, of each endpoint by itself") {
  const run::Results one = simulated("{ at: 0s, endpoints: [c-1], fails: every 3rd }", false);
  CHECK(outcomes_of(one)[spillway::scenario::Outcome::upstream_error] == requests_to(one, "c-1") / 3);
  CHECK(requests_to(one, "c-1") >= 499);
  // Asked in turn, each of the two fails its own third ones; counting begins anew with each event.
  const run::Results both = simulated("{ at: 0s, fails: every 3rd }, { at: 4s, fails: every 250th }", false);
  CHECK(outcomes_of(both)[spillway::scenario::Outcome::upstream_error] == 2 * (200 / 3) + 2);
  CHECK(outcomes_of(simulated("{ at: 0s, fails: every 1st }", false)).ok() == 0);
}

TEST_CASE("Checks that are answered otherwise than requests take an endpoint out while it answers every request") {
  // Checks are sent at 5 s, 6 s and so on. A wrong status counts at once, a broken connection at the second time, and
  // silence after its timeout, which puts off the next check.
  const std::map<std::string, std::uint64_t> asked = {{"404", 250},
                                                      {"302", 250},
                                                      {"200", 500},
                                                      {"201", 500},
                                                      {"reset", 300},
                                                      {"no_answer", 350},
                                                      {"connect_failure", 300}};
  for (const auto& [answer, requests] : asked) {
    INFO(answer);
    const run::Results results = simulated("{ at: 4.5s, endpoints: [c-1], answers_checks: " + answer + " }", true);
    CHECK(outcomes_of(results).ok() == outcomes_of(results).sent);
    CHECK(requests_to(results, "c-1") >= requests - 1);
    CHECK(requests_to(results, "c-1") <= requests + 1);
  }
}

TEST_CASE("An endpoint whose checks pass is asked on although it fails every request") {
  const std::string fails = "{ at: 4.5s, endpoints: [c-1], fails: 100%";
  const run::Outcomes spared = outcomes_of(simulated(fails + ", fails_checks: false }", true));
  CHECK(spared[spillway::scenario::Outcome::upstream_error] >= 274);
  CHECK(spared[spillway::scenario::Outcome::upstream_error] <= 276);
  const run::Outcomes checked = outcomes_of(simulated(fails + " }", true));
  CHECK(checked[spillway::scenario::Outcome::upstream_error] >= 24);
  CHECK(checked[spillway::scenario::Outcome::upstream_error] <= 26);
}

TEST_CASE("A connection is all that a TCP check without bytes wants") {
  const std::string tcp =
      ", health_checks: [{ timeout: 0.5s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, "
      "tcp_health_check: {} }]";
  const auto to_first = [&](const std::string& answer) {
    return requests_to(simulated("{ at: 4.5s, endpoints: [c-1], answers_checks: " + answer + " }", false, tcp), "c-1");
  };
  CHECK(to_first("no_answer") >= 499);
  CHECK(to_first("reset") >= 499);
  CHECK(to_first("connect_failure") <= 251);
}

TEST_CASE("An endpoint that EDS drops and that lives on is asked while its checks pass, unless they are ignored") {
  const std::string dropped = "{ at: 4s, endpoints: [c-1], remove: 1, lives_on: true }";
  const run::Results lives = simulated(dropped, true);
  CHECK(requests_to(lives, "c-1") >= 499);
  CHECK(outcomes_of(lives).ok() == outcomes_of(lives).sent);
  const run::Results fails = simulated(dropped + ", { at: 6.5s, endpoints: [c-1], answers_checks: 503 }", true);
  CHECK(requests_to(fails, "c-1") >= 349);
  CHECK(requests_to(fails, "c-1") <= 351);
  const run::Results ignored = simulated(dropped, true, ", ignore_health_on_host_removal: true");
  CHECK(requests_to(ignored, "c-1") >= 199);
  CHECK(requests_to(ignored, "c-1") <= 201);
  CHECK(requests_to(simulated(dropped, false), "c-1") <= 201);
}

TEST_CASE("Proxies are told statuses and weights of endpoints while they run") {
  for (const std::string status : {"DRAINING", "TIMEOUT", "UNHEALTHY"}) {
    const run::Results out = simulated("{ at: 5s, endpoints: [c-1], health_status: " + status + " }", false,
                                       ", common_lb_config: { healthy_panic_threshold: { value: 0 } }");
    CHECK(requests_to(out, "c-1") >= 249);
    CHECK(requests_to(out, "c-1") <= 251);
  }
  std::vector<double> shares;
  for (const run::Share& share : simulated("{ at: 5s, endpoints: [c-1], weight: 3 }", false).shares) {
    shares.push_back(share.exact.value_or(-1.0));
  }
  CHECK(shares == std::vector<double>{0.5, 0.5, 0.75, 0.25});
}

TEST_CASE("Proxies are told weights of localities while they run") {
  const auto reading = spillway::scenario::read_scenario_text(
      "localities.yaml",
      "duration: 10s\n"
      "zones: [{ name: z }, { name: y }]\n"
      "services: [{ name: c, endpoints: [{ zone: z }, { zone: y, count: 2 }] }]\n"
      "clusters: [{ name: c, common_lb_config: { locality_weighted_lb_config: {} } }]\n"
      "load_assignments: [{ cluster_name: c, endpoints: [{ locality: { zone: z }, load_balancing_weight: 1 }, "
      "{ locality: { zone: y }, load_balancing_weight: 1 }] }]\n"
      "clients: [{ name: a, zone: z, workload: { service: c, rate: 100rps } }]\n"
      "timeline: [{ at: 5s, zone: z, locality_weight: 3 }, { at: 7s, endpoints: [c-2], locality_weight: 9, delay: 1s "
      "}]\n");
  INFO(spillway::documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  std::vector<double> shares;
  for (const run::Share& share : run::Simulation(*reading.scenario, {}).simulate().shares) {
    shares.push_back(share.exact.value_or(-1.0));
  }
  CHECK(shares == std::vector<double>{0.5, 0.25, 0.25, 0.75, 0.125, 0.125, 0.25, 0.375, 0.375});
}
