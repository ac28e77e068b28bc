// No rate and no number of endpoints is recommended at which a queue grows without end, however short the scenario is.
// The system of most tests: endpoints that answer 200 requests a second each, one of which is lost. Of n endpoints the
// others can answer 200 (n - 1).
#include "sim/plan/stability.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/plan/measured.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

using namespace spillway;

namespace {

std::string losing_one_of_five(const std::string& duration, const std::string& client, const std::string& objectives,
                               const std::string& endpoint = "", const std::string& more = "") {
  return "duration: " + duration +
         "\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 5, zone: a, service_time: 5ms, cores: 1" +
         endpoint + " }] }]\nclients: [{ name: c, zone: a, " + client + " }]\nobjectives: [{ " + objectives +
         " }]\nfailures: [{ any: 1, of: endpoints }]\n" + more;
}

const std::string at_200_rps = "workload: { service: s, rate: 200rps }";

plan::Plan planned_stably(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  plan::Request request;
  request.effort.jobs = 2;
  auto made = plan::make_plan(base, request);
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

std::vector<bool> endless_of(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  return plan::endless_queues(*base.reading().scenario, 60.0);
}

// What becomes of the objectives if the rate is raised to the headroom, and it stays there 20 times as long as the
// scenario lasts, with draws of its own.
study::Verdict followed_for_long(const std::string& text, const plan::Plan& plan) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  const plan::Variants variants(base, plan.at, 1.0);
  const plan::Variant variant = *variants.with({});
  std::vector<plan::Bound> bounds;
  for (const plan::Bound& bound : plan.bounds) {
    if (bound.metric != plan::Metric::utilisation) {
      bounds.push_back(bound);
    }
  }
  plan::Simulated simulated = variants.simulated(variant, variant.failures.back(), plan.headroom.growth);
  simulated.scenario.duration += 19 * (simulated.scenario.duration - simulated.measured_from);
  return judge(plan::Evaluator({.replications = 2, .jobs = 2, .first = 1000})(simulated, bounds));
}

}  // namespace

TEST_CASE("no rate that survivors cannot serve is headroom, however short the scenario is", "[plan][unsanitized]") {
  for (const auto& [duration, objectives] : {std::pair{"10s", "error_share: 1%"}, std::pair{"20s", "error_share: 1%"},
                                             std::pair{"10s", "error_share: 1%, p99: 1s"}}) {
    CAPTURE(duration, objectives);
    const std::string text = losing_one_of_five(duration, at_200_rps, objectives);
    const plan::Plan plan = planned_stably(text);
    CHECK(plan.headroom.growth * 200.0 < 800.0);
    CHECK(plan.headroom.growth * 200.0 > 650.0);
    REQUIRE(plan.headroom.fails);
    CHECK(*plan.headroom.fails * 200.0 <= Approx(800.0));
    // Two endpoints of which one is lost are at 100 %.
    REQUIRE(plan.fewest);
    CHECK(plan.fewest->endpoints == 3);
    CHECK(followed_for_long(text, plan) != study::Verdict::missed);
  }
}

// Each proxy has 1,024 requests in flight before it refuses any, and waits for 15 s: nothing fails for long.
TEST_CASE("no rate that survivors cannot serve is headroom, however many proxies hide it", "[plan][unsanitized]") {
  const plan::Plan plan =
      planned_stably(losing_one_of_five("10s", "count: 100, workload: { service: s, rate: 2rps }", "error_share: 1%"));
  CHECK(plan.headroom.growth * 200.0 < 800.0);
  CHECK(plan.headroom.growth * 200.0 > 700.0);
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == 3);
}

TEST_CASE("the present rate fails where a queue has 100 % to do and errors alone are bounded", "[plan]") {
  const plan::Plan plan = planned_stably(
      losing_one_of_five("1s", "workload: { service: s, rate: 800rps, arrivals: periodic }", "error_share: 1%"));
  REQUIRE(plan.rows.size() == 2);
  CHECK(plan.rows[0].judgement() == study::Verdict::met);
  CHECK(plan.rows[1].judgement() == study::Verdict::missed);
}

TEST_CASE("an objective of utilisation says what is allowed, up to 100 %", "[plan]") {
  const plan::Plan plan = planned_stably(losing_one_of_five("1s", at_200_rps, "utilisation: 100%, error_share: 100%"));
  CHECK(plan.headroom.growth * 200.0 == Approx(800.0));
  for (const plan::Bound& bound : plan.bounds) {
    CHECK_FALSE(bound.below);
  }
}

TEST_CASE("a service that nothing is asked of need not be stable", "[plan]") {
  const scenario::ScenarioTemplate base("plan.yaml",
                                        losing_one_of_five("1s", at_200_rps, "service: s, cross_zone_share: 50%"));
  const std::vector<plan::Bound> bounds = plan::bounds_of(*base.reading().scenario);
  CHECK(std::count_if(bounds.begin(), bounds.end(), [](const plan::Bound& bound) { return bound.below; }) == 1);
}

TEST_CASE("a queue has an end where one is written that fills in a fiftieth of the time", "[plan]") {
  CHECK(endless_of(losing_one_of_five("60s", at_200_rps, "error_share: 1%"))[0]);
  // 240 requests of 5 ms wait for 1.2 s, a fiftieth of 60 s.
  CHECK_FALSE(endless_of(losing_one_of_five("60s", at_200_rps, "error_share: 1%", ", queue: 240"))[0]);
  CHECK(endless_of(losing_one_of_five("60s", at_200_rps, "error_share: 1%", ", queue: 241"))[0]);
  const auto breaker = [](const std::string& max_requests) {
    return "clusters: [{ name: s, circuit_breakers: { thresholds: [{ max_requests: " + max_requests + " }] } }]\n";
  };
  CHECK_FALSE(endless_of(losing_one_of_five("60s", at_200_rps, "error_share: 1%", "", breaker("240")))[0]);
  CHECK(endless_of(losing_one_of_five("60s", at_200_rps, "error_share: 1%", "", breaker("1024")))[0]);
  // Of each of two proxies.
  CHECK(endless_of(losing_one_of_five("60s", "count: 2, " + at_200_rps, "error_share: 1%", "", breaker("240")))[0]);
  // Without cores nothing waits.
  const scenario::ScenarioTemplate base(
      "plan.yaml",
      "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, service_time: 5ms }] }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 1rps } }]\n");
  CHECK_FALSE(plan::endless_queues(*base.reading().scenario, 60.0)[0]);
}

TEST_CASE("queues settle within a tenth of the scenario up to the growth that M/D/1 gives", "[plan]") {
  // 2 s / (1 - u)^2 is 1 s at 90 %: 200 rps over five endpoints are 20 %, 4.5 times as many 90 %.
  const scenario::ScenarioTemplate base("plan.yaml", losing_one_of_five("10s", at_200_rps, "error_share: 1%"));
  const plan::Variants variants(base, {}, 1.0);
  const plan::Variant variant = *variants.with({});
  const scenario::Scenario still = variants.still(variant, variant.failures.front());
  CHECK(plan::settled_growth(still, variants.loads(variant, variant.failures.front(), still)) == Approx(4.5));
}

namespace {

// One proxy with `connections` over HTTP/1.1 to endpoints of four cores each, which serve a request in 10 ms: each
// connection carries 100 requests per second, and each endpoint 400.
std::string over_connections(int connections, int endpoints, int rate, const std::string& more = "") {
  return "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: " +
         std::to_string(endpoints) +
         ", zone: a, service_time: 10ms, cores: 4 }] }]\nclusters: [{ name: s, circuit_breakers: { thresholds: [{ "
         "max_connections: " +
         std::to_string(connections) + more +
         " }] } }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: " + std::to_string(rate) +
         "rps, arrivals: poisson } }]\nobjectives: [{ error_share: 1% }]\nfailures: []\n";
}

}  // namespace

TEST_CASE("no rate beyond the connections of a proxy is headroom", "[plan][unsanitized]") {
  const plan::Plan over = planned_stably(over_connections(1, 1, 120));
  CHECK(over.judgement() == study::Verdict::missed);
  CHECK(over.headroom.growth * 120.0 < 100.0);
  // Three connections carry 300 requests per second, whatever the endpoints could serve.
  const std::string text = over_connections(3, 1, 150);
  const plan::Plan below = planned_stably(text);
  CHECK(below.holds());
  CHECK(below.headroom.growth * 150.0 < 300.0);
  CHECK(below.headroom.growth * 150.0 > 250.0);
  CHECK(followed_for_long(text, below) == study::Verdict::met);
  // A proxy has a connection to each endpoint, even beyond max_connections.
  const plan::Plan one_each = planned_stably(over_connections(1, 3, 150));
  CHECK(one_each.holds());
  CHECK(one_each.headroom.growth * 150.0 < 300.0);
}

TEST_CASE("requests that may not wait for a connection, or share one, form no queue", "[plan]") {
  const auto pools_of = [](const std::string& text) {
    const scenario::ScenarioTemplate base("plan.yaml", text);
    REQUIRE(base.reading().scenario);
    return plan::endless_pools(*base.reading().scenario, 20.0);
  };
  CHECK(pools_of(over_connections(1, 1, 50)) == std::vector<bool>{true});
  CHECK(pools_of(over_connections(1, 1, 50, ", max_pending_requests: 4")) == std::vector<bool>{false});
  std::string http2 = over_connections(1, 1, 50);
  http2.replace(http2.find("name: s, circuit"), 7, "name: s, http2_protocol_options: {}");
  CHECK(pools_of(http2) == std::vector<bool>{false});
  std::string unlimited = over_connections(1, 1, 50);
  unlimited.replace(unlimited.find("max_connections: 1"), 18, "max_retries: 1");
  CHECK(pools_of(unlimited) == std::vector<bool>{false});
}

TEST_CASE("connections to one endpoint, and those behind an aggregate, are no more than there are",
          "[plan][unsanitized]") {
  // Five connections to each endpoint carry 50 requests of 100 ms a second; three endpoints are left.
  const plan::Plan of_hosts = planned_stably(
      "duration: 60s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 4, zone: a, cores: 10, "
      "service_time: 100ms }] }]\nclusters: [{ name: s, circuit_breakers: { per_host_thresholds: [{ max_connections: 5 "
      "}] } }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\nobjectives: [{ error_share: "
      "1% "
      "}]\nfailures: [{ any: 1, of: endpoints }]\n");
  CHECK(of_hosts.headroom.growth * 100.0 < 150.0);
  CHECK(of_hosts.headroom.growth * 100.0 > 130.0);
  // Eight connections to the first cluster carry 80 requests of 100 ms a second, ten to the second one 100.
  const plan::Plan of_aggregate = planned_stably(
      "duration: 60s\nzones: [{ name: a }, { name: b }]\nservices:\n  - { name: one, endpoints: [{ count: 2, zone: a, "
      "cores: 10, service_time: 100ms }] }\n  - { name: two, endpoints: [{ count: 2, zone: b, cores: 10, service_time: "
      "100ms }] }\n  - { name: both }\nclusters:\n  - { name: one, circuit_breakers: { thresholds: [{ max_connections: "
      "8 }] } }\n  - { name: two, circuit_breakers: { thresholds: [{ max_connections: 10 }] } }\n  - name: both\n    "
      "lb_policy: CLUSTER_PROVIDED\n    cluster_type: { name: envoy.clusters.aggregate, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [one, two] } }\nclients: [{ "
      "name: c, zone: a, workload: { service: both, rate: 40rps } }]\nobjectives: [{ error_share: 1% }]\nfailures: [{ "
      "each: zone, zone: a }]\n");
  CHECK(of_aggregate.headroom.growth * 40.0 < 80.0);
  const auto bounds = of_aggregate.rows.front().margins;
  const auto connections = std::find_if(bounds.begin(), bounds.end(), [](const plan::Margin& margin) {
    return margin.bound.metric == plan::Metric::connection_utilisation;
  });
  REQUIRE(connections != bounds.end());
  CHECK(connections->value == Approx(0.5));  // 40 x 0.1 of 8
  const auto& lost = of_aggregate.rows.back().margins;
  const auto at_second = std::find_if(lost.begin(), lost.end(), [](const plan::Margin& margin) {
    return margin.bound.metric == plan::Metric::connection_utilisation;
  });
  REQUIRE(at_second != lost.end());
  CHECK(at_second->value == Approx(0.4));  // 40 x 0.1 of 10
}
