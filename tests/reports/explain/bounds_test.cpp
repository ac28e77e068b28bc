// Bounds of explanations: held against simulations of generated worlds.
#include "reports/explain/bounds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <map>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "reports/explain/explain.hpp"
#include "reports/explain/explanation.hpp"
#include "sim/run/run.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/generated_scenarios.hpp"

using namespace spillway;
using namespace std::chrono_literals;
namespace explain = reports::explain;

namespace {

scenario::Reading reading_of_world(const std::string& text) {
  scenario::Reading reading = scenario::read_scenario_text("bounds.yaml", text);
  INFO(text << documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return reading;
}

std::vector<std::string> bounds_of(const std::string& text) {
  const scenario::Reading reading = reading_of_world(text);
  const config::ServiceIndex service = explain::asked_services(*reading.scenario, {0}).front();
  return explain::explain(*reading.scenario, reading.sources, {.client = {0}, .service = service}).bounds;
}

// A world whose health stays: without checks and ejections, and with changes at its start only.
bool stays(const scenario::Scenario& scenario) {
  const auto judges = [](const scenario::Service& service) {
    return service.cluster.outlier_detection || !service.cluster.health_checks.empty();
  };
  return std::none_of(scenario.services.begin(), scenario.services.end(), judges) &&
         std::all_of(scenario.changes.begin(), scenario.changes.end(),
                     [](const scenario::Change& change) { return change.at == 0s; });
}

std::string world(const std::string& policy, const std::string& endpoints, const std::string& workload,
                  const std::string& more = "") {
  return "duration: 100s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [" + endpoints +
         "] }]\nclusters: [{ name: s, lb_policy: " + policy + " }]\nclients: [{ name: c, zone: z" + workload + "\n" +
         more;
}

}  // namespace

TEST_CASE("No endpoint of generated worlds gets more than the bound of its explanation", "[explain]") {
  std::size_t worlds = 0;
  std::size_t below_everything = 0;
  std::size_t inexact = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    support::Draws draws(2026'11'28'000 + seed);
    const std::string text = support::generated_scenario(draws);
    const scenario::Reading reading = reading_of_world(text);
    if (!stays(*reading.scenario)) {
      continue;
    }
    const run::Results results = run::run(*reading.scenario, {});
    const run::Snapshot snapshot(*reading.scenario, 0s);
    for (std::uint32_t client = 0; client < reading.scenario->clients.size(); ++client) {
      const config::ServiceIndex service = explain::asked_services(*reading.scenario, {client}).front();
      const auto largest = explain::largest_share(snapshot, snapshot.flow_group({client}, service));
      if (!largest) {
        continue;
      }
      ++worlds;
      below_everything += largest->share < 1.0 ? 1 : 0;
      inexact += largest->exact ? 0 : 1;
      std::map<std::string, double> requests;
      double sent = 0.0;
      for (const run::Share& share : results.shares) {
        if (share.client == config::ClientEntryIndex{client}) {
          requests[share.endpoint] += static_cast<double>(share.requests.value_or(0));
        }
      }
      for (const run::Outcomes& outcomes : results.outcomes) {
        sent += outcomes.client == config::ClientEntryIndex{client} ? static_cast<double>(outcomes.sent) : 0.0;
      }
      // Five standard deviations, and one round of a schedule for each worker.
      const double deviation = std::sqrt(sent * largest->share * (1.0 - std::min(1.0, largest->share)));
      for (const auto& [endpoint, count] : requests) {
        INFO(text << endpoint << " of " << sent << " requests, at most " << largest->share);
        CHECK(count <= sent * largest->share + 5.0 * deviation + 10.0);
      }
    }
  }
  CHECK(worlds > 60);
  CHECK(below_everything > 50);
  CHECK(inexact > 10);
}

TEST_CASE("Of ten hosts, least request with two choices gives none more than 20 %, however slow the others",
          "[explain]") {
  const std::string text =
      world("LEAST_REQUEST", "{ id: fast, zone: z, service_time: 1ms }, { count: 9, zone: z, service_time: 1s }",
            ", workload: { service: s, rate: 500rps } }]");
  const scenario::Reading reading = reading_of_world(text);
  const run::Snapshot snapshot(*reading.scenario, 0s);
  const auto largest = explain::largest_share(snapshot, snapshot.flow_group({0}, {0}));
  REQUIRE(largest);
  CHECK(largest->share == Approx(0.2));
  CHECK_FALSE(largest->exact);
  CHECK(bounds_of(text).front() ==
        "the largest share that one endpoint can get is 20 % (fast and 9 more), whatever is in flight");
  // The fast one gets nearly all requests that draw it: 1 - 0.9^2.
  const run::Results results = run::run(*reading.scenario, {});
  double fast = 0.0;
  for (const run::Share& share : results.shares) {
    fast += share.endpoint == "fast" ? share.simulated.value_or(0.0) : 0.0;
  }
  CHECK(fast == Approx(0.19).margin(0.01));
}

TEST_CASE("If nothing is in flight in a scenario, the bound of least request says so", "[explain]") {
  CHECK(
      bounds_of(world("LEAST_REQUEST", "{ count: 4, zone: z }", ", workload: { service: s, rate: 1rps } }]")).front() ==
      "the largest share that one endpoint can get is 25 % (s-1 and 3 more) with no request in flight");
}

TEST_CASE("The largest share follows priorities and the weights of localities", "[explain]") {
  const std::string zones =
      "duration: 10s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [{ id: one, zone: a }, { "
      "count: 3, zone: b }] }]\n";
  CHECK(bounds_of(zones + "clients: [{ name: c, zone: a, workload: { service: s, rate: 1rps } }]\n").front() ==
        "the largest share that one endpoint can get is 25 % (one and 3 more)");
  CHECK(bounds_of(zones +
                  "clusters: [{ name: s, common_lb_config: { locality_weighted_lb_config: {} } }]\nload_assignments: "
                  "[{ cluster_name: s, endpoints: [{ locality: { zone: a }, load_balancing_weight: 1 }, { locality: { "
                  "zone: b }, load_balancing_weight: 1 }] }]\nclients: [{ name: c, zone: a, workload: { service: s, "
                  "rate: 1rps } }]\n")
            .front() == "the largest share that one endpoint can get is 50 % (one)");
}

TEST_CASE("A limit of retries cannot bind where each proxy has as few users", "[explain]") {
  const std::string route =
      "routes: [{ match: { prefix: / }, route: { cluster: s, retry_policy: { retry_on: 5xx, num_retries: 5, "
      "retry_back_off: { base_interval: 1s, max_interval: 1s } } } }]\n"
      "timeline: [{ at: 0s, service: s, fails: 100%, fails_with: 503 }]\n";
  const auto text_of = [&](const std::string& count, const std::string& users) {
    return world("ROUND_ROBIN", "{ count: 4, zone: z, service_time: 10ms }",
                 ", count: " + count + ", workload: { path: /, users: " + users + ", think_time: 1ms } }]", route);
  };
  const auto overflows = [&](const std::string& text) {
    std::uint64_t retries = 0;
    std::uint64_t sent = 0;
    for (const run::Outcomes& outcomes : run::run(*reading_of_world(text).scenario, {}).outcomes) {
      retries += outcomes.retries;
      sent += outcomes.sent;
    }
    return retries < 5 * sent;
  };
  const std::string one = text_of("10000", "1");
  CHECK(bounds_of(one).back() ==
        "each of 10,000 proxies has at most 1 request in flight: a limit of 3 retries cannot bind");
  const std::string three = text_of("2", "3");
  CHECK(bounds_of(three).back() ==
        "each of 2 proxies has at most 3 requests in flight: a limit of 3 retries cannot bind");
  CHECK_FALSE(overflows(three));
  const std::string four = text_of("2", "4");
  CHECK(bounds_of(four).empty());
  CHECK(overflows(four));
}
