// Limits of requests in flight and of time: what they end is in the plan, and costs no simulation where they are far.
#include "sim/plan/load_limits.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "sim/plan/plan.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

using namespace spillway;

namespace {

std::string of_one_proxy(const std::string& endpoints, const std::string& rate, const std::string& more = "") {
  return "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, " + endpoints +
         " }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: " + rate + " } }]\nfailures: []\n" + more;
}

plan::Plan planned_within_defaults(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

double near_defaults_at(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  const plan::Variants variants(base, {}, 1.0);
  const plan::Variant variant = *variants.with({});
  const scenario::Scenario still = variants.still(variant, variant.failures.front());
  const plan::Loads loads = variants.loads(variant, variant.failures.front(), still);
  return plan::LoadLimits(still, loads).growth_to({0});
}

// Erlang's formula: the part of Poisson arrivals that finds all servers busy.
double erlang_b(double load, int servers) {
  double blocked = 1.0;
  for (int server = 1; server <= servers; ++server) {
    blocked = load * blocked / (server + load * blocked);
  }
  return blocked;
}

}  // namespace

TEST_CASE("a plan counts what the 1,024 requests refuse that a proxy may have in flight by default",
          "[plan][unsanitized]") {
  const plan::Plan plan = planned_within_defaults(of_one_proxy(
      "count: 4, cores: 10000, service_time: 1s", "1500rps", "objectives: [{ utilisation: 80%, error_share: 1% }]\n"));
  REQUIRE(plan.rows.front().estimates.size() == 1);
  const plan::Estimate& failed = plan.rows.front().estimates.front();
  const double refused = erlang_b(1500.0, 1024);
  CHECK(failed.low < refused);
  CHECK(failed.high > refused);
  CHECK(failed.judgement() == study::Verdict::missed);
  REQUIRE(plan.measured);
  // At 1,000 requests of 1 s one in a hundred finds 1,024 there.
  CHECK(plan.measured->holds * 1500.0 < 1030.0);
}

TEST_CASE("a plan counts the requests that take longer than 15 s by default", "[plan]") {
  const plan::Plan plan =
      planned_within_defaults(of_one_proxy("cores: 1000, service_time: { mean: 8s, distribution: exponential }",
                                           "20rps", "objectives: [{ utilisation: 80%, error_share: 1% }]\n"));
  REQUIRE(plan.rows.front().estimates.size() == 1);
  const double late = std::exp(-15.0 / 8.0);
  CHECK(plan.rows.front().estimates.front().low < late);
  CHECK(plan.rows.front().estimates.front().high > late);
  CHECK_FALSE(plan.holds());
}

TEST_CASE("default limits that are far cost no simulation", "[plan]") {
  const plan::Plan plan = planned_within_defaults(of_one_proxy(
      "count: 4, cores: 4, service_time: 10ms", "100rps", "objectives: [{ utilisation: 80%, error_share: 1% }]\n"));
  CHECK_FALSE(plan.measured);
  CHECK(plan.rows.front().estimates.empty());
  CHECK(plan.holds());
}

TEST_CASE("requests in flight come near their limit by Little's law, and only from some growth on", "[plan]") {
  // Without a limit of cores 128 rps of 0.5 s are 64 in flight, and half of 1,024 at eight times that.
  CHECK(near_defaults_at(of_one_proxy("service_time: 0.5s", "128rps")) == Approx(8.0).epsilon(0.01));
  CHECK(near_defaults_at(of_one_proxy("service_time: 0.1s", "10rps")) == std::numeric_limits<double>::infinity());
  // One in 10^10 exponential times of 1 s is above 15 s, whatever the rate is; no constant one is.
  CHECK(near_defaults_at(of_one_proxy("service_time: { mean: 1s, distribution: exponential }", "1rps")) < 0.01);
  CHECK(near_defaults_at(of_one_proxy("service_time: 1s", "1rps")) == std::numeric_limits<double>::infinity());
  // Queues grow without end where there is more to do than can be done: 100 rps of 5 ms at twice the rate.
  CHECK(near_defaults_at(of_one_proxy("cores: 1, service_time: 5ms", "100rps")) < 2.0);
}

TEST_CASE("limits that are written and far cost no simulation either", "[plan]") {
  const std::string text =
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, count: 4, cores: 4, "
      "service_time: 10ms }] }]\nclients: [{ name: c, zone: a, workload: { rate: 100rps } }]\nfailures: []\n"
      "objectives: [{ utilisation: 80%, error_share: 1% }]\n";
  const auto with = [&](const std::string& max_requests, const std::string& timeout) {
    return planned_within_defaults(
        text + "clusters: [{ name: s, circuit_breakers: { thresholds: [{ max_requests: " + max_requests +
        " }] } }]\nroutes: [{ match: { prefix: / }, route: { cluster: s, timeout: " + timeout + " } }]\n");
  };
  const plan::Plan far = with("4294967295", "0s");
  CHECK_FALSE(far.measured);
  CHECK(far.rows.front().estimates.empty());
  CHECK(far.holds());
  // Two in flight at most, where one is the mean: Erlang's formula refuses a fifth.
  const plan::Plan near = with("2", "0s");
  REQUIRE(near.rows.front().estimates.size() == 1);
  CHECK(near.rows.front().estimates.front().missed == Approx(erlang_b(1.0, 2)).epsilon(0.1));
  // Nothing is answered within 5 ms.
  const plan::Plan late = with("4294967295", "0.005s");
  REQUIRE(late.rows.front().estimates.size() == 1);
  CHECK(late.rows.front().estimates.front().missed == Approx(1.0));
}

TEST_CASE("the time of a request comes near a timeout where one in 10^10 is late in M/D/1", "[plan]") {
  // The tail of the wait is exp(-x t / s) with u (e^x - 1) = x. At 0.2 s and s = 5 ms: x = 0.5897, u = 0.734.
  const double near = near_defaults_at(
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, cores: 1, service_time: 5ms "
      "}] }]\n"
      "clients: [{ name: c, zone: a, workload: { rate: 100rps } }]\nfailures: []\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.2s } }]\n");
  CHECK(near * 0.5 < 0.735);
  CHECK(near * 0.5 > 0.65);
}

TEST_CASE("a timeout of one service's route says nothing of another service", "[plan]") {
  const auto with = [](const std::string& timeout) {
    return planned_within_defaults(
        "duration: 20s\nzones: [{ name: a }]\nservices:\n  - { name: s, endpoints: [{ zone: a, cores: 4, service_time: "
        "10ms }] }\n  - { name: t, endpoints: [{ zone: a, cores: 4, service_time: 1us }] }\nclients:\n  - { name: c, "
        "zone: a, workload: { requests: [{ path: /s }], rate: 100rps } }\n  - { name: d, zone: a, workload: { "
        "requests: "
        "[{ path: /t }], rate: 10rps } }\nfailures: []\nroutes:\n  - { match: { prefix: /t }, route: { cluster: t, "
        "timeout: 0.005s } }\n  - { match: { prefix: / }, route: { cluster: s, timeout: " +
        timeout + " } }\nobjectives: [{ service: s, utilisation: 80%, error_share: 1% }]\n");
  };
  CHECK(with("1s").rows.front().estimates.empty());
  CHECK(with("1s").holds());
  REQUIRE(with("0.005s").rows.front().estimates.size() == 1);
  CHECK(with("0.005s").rows.front().estimates.front().missed == Approx(1.0));
}

TEST_CASE("requests beyond the connections of a proxy wait, and are counted only where many do", "[plan]") {
  const auto with = [](const std::string& max_connections) {
    return near_defaults_at(
        of_one_proxy("count: 4, cores: 4, service_time: 10ms", "100rps",
                     "objectives: [{ utilisation: 80%, error_share: 1% }]\nclusters: [{ name: s, circuit_breakers: { "
                     "thresholds: [{ max_requests: 4294967295, max_pending_requests: 4294967295, max_connections: " +
                         max_connections + " }] } }]\n"));
  };
  // One request is in flight on average.
  CHECK(with("100") > 1.0);
  CHECK(with("1") < 1.0);
}

TEST_CASE("no retry helps where no endpoint answers, so that nothing is counted", "[plan]") {
  const plan::Plan plan = planned_within_defaults(
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, count: 3, cores: 2, "
      "queue: 5, service_time: 10ms }] }]\nclients: [{ name: c, zone: a, workload: { rate: 100rps } }]\nfailures: [{ "
      "each: zone }]\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, retry_policy: { retry_on: 5xx, num_retries: 100 } } }]\n");
  REQUIRE(plan.rows.size() == 2);
  CHECK(plan.rows[1].exact);
  CHECK(plan.rows[1].failed == 1.0);
}
