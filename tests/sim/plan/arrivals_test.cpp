// Plans for users who wait for responses, and for recorded arrivals. Expected values are arithmetic or of the queueing
// formulas named beside them.
#include <catch2/catch.hpp>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "sim/plan/moment.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"
#include "tests/support/program.hpp"

using namespace spillway;

namespace {

plan::Plan plan_for_arrivals(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  INFO(text);
  REQUIRE(base.reading().scenario);
  return std::get<plan::Plan>(plan::make_plan(base, {}));
}

std::string with_users(const std::string& workload, const std::string& objectives, const std::string& endpoint) {
  return "duration: 200s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, cores: 1, count: 1, " +
         endpoint + " }] }]\nclients: [{ name: c, zone: a, workload: { service: s, " + workload +
         " } }]\nobjectives: [{ " + objectives + " }]\nfailures: []\n";
}

const std::string twenty = "users: 20, think_time: { mean: 1s, distribution: exponential }";
const std::string exponential = "service_time: { mean: 50ms, distribution: exponential }";

}  // namespace

TEST_CASE("shares of users are of the most that they can send", "[plan]") {
  // 20 users send at most one request in 1 s + 50 ms each: 19.05 a second, 95.2 % of one core.
  const plan::Plan plan = plan_for_arrivals(with_users(twenty, "utilisation: 80%", exponential));
  CHECK(plan.rows.front().rate == Approx(20.0 / 1.05));
  CHECK(plan.rows.front().utilisation.value() == Approx(20.0 / 1.05 * 0.05));
  CHECK(plan.judgement() == study::Verdict::missed);
  CHECK(plan.headroom.growth == Approx(0.8 / (20.0 / 1.05 * 0.05)));
}

TEST_CASE("the latency of users is measured while they wait for responses", "[plan][unsanitized]") {
  // At 19.05 a second an open queue has a p95 of ln(20) / (20 - 19.05) = 3.1 s. 20 users have, by mean value analysis,
  // a mean of 0.19 s and 16.8 requests a second.
  const plan::Plan plan = plan_for_arrivals(with_users(twenty, "p95: 1s", exponential));
  CHECK(plan.judgement() == study::Verdict::met);
  // With 60 users the endpoint is always busy: 60 / 20 - 1 = 2 s is the mean response, by the interactive law.
  const plan::Plan busy = plan_for_arrivals(
      with_users("users: 60, think_time: { mean: 1s, distribution: exponential }", "p50: 1s", exponential));
  CHECK(busy.judgement() == study::Verdict::missed);
  REQUIRE(busy.rows.front().estimates.size() == 1);
  CHECK(busy.rows.front().estimates.front().quantile.value() == Approx(2.0).epsilon(0.1));
  CHECK(busy.headroom.growth < 1.0);
  CHECK(busy.headroom.growth > 0.3);
}

TEST_CASE("recorded arrivals have objectives of latency at their busiest second", "[plan][unsanitized]") {
  const support::TemporaryFolder folder;
  std::string lines = "time\n";
  for (int arrival = 0; arrival < 1500; ++arrival) {
    // 20 a second for 45 s, then 40 a second.
    lines += fmt::format("{:.4f}\n", arrival < 900 ? arrival / 20.0 : 45.0 + (arrival - 900) / 40.0);
  }
  folder.write("trace.csv", lines);
  const auto planned = [&](const std::string& objectives) {
    const std::string file = folder.write(
        "plan.yaml",
        "duration: 60s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a, cores: "
        "1, service_time: 20ms }] }]\nclients: [{ name: c, zone: a, workload: { service: s, trace: "
        "trace.csv } }]\nobjectives: [{ " +
            objectives + " }]\nfailures: []\n");
    return plan::make_plan(scenario::ScenarioTemplate(file), {});
  };
  const auto made = planned("p99: 200ms, utilisation: 80%");
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  const plan::Plan& plan = std::get<plan::Plan>(made);
  CHECK(plan.rows.front().rate == Approx(40.0));
  CHECK(plan.rows.front().utilisation.value() == Approx(0.4));
  CHECK(plan.judgement() == study::Verdict::met);
  CHECK(plan.headroom.growth <= Approx(2.0));
  CHECK(plan.headroom.growth > 1.0);
  CHECK(std::get<plan::Plan>(planned("p99: 19ms")).judgement() == study::Verdict::missed);
}

TEST_CASE("bursts of recorded arrivals have a number", "[plan]") {
  using namespace std::chrono_literals;
  scenario::Workload workload;
  const auto recorded = [&](int of_burst) {
    std::vector<scenario::TracedArrival> arrivals;
    for (int arrival = 0; arrival < 200; ++arrival) {
      arrivals.push_back({5ms * (arrival / of_burst * of_burst), 0});
    }
    workload.trace = std::make_shared<const std::vector<scenario::TracedArrival>>(std::move(arrivals));
    return plan::burstiness(workload, 0ns);
  };
  CHECK(recorded(1) == Approx(0.0));
  // Bursts of 20 in every tenth of 100 parts: mean 2, variance (10 x 18^2 + 90 x 2^2) / 99.
  CHECK(recorded(20) == Approx((10 * 18.0 * 18.0 + 90 * 4.0) / 99.0 / 2.0));
}
