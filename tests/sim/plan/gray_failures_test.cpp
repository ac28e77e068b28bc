// Endpoints that are slow or fail requests, and objectives beside the usual ones. Expected values follow from theory.
#include <catch2/catch.hpp>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <variant>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;

namespace {

// Four endpoints of 100 requests a second, two in each of two zones, and 200 requests a second over all of them.
std::string two_by_two(const std::string& objective, const std::string& failure, const std::string& more = "") {
  return fmt::format(
      "duration: 20s\nzones: [{{ name: a }}, {{ name: b }}]\n"
      "services: [{{ name: s, endpoints: [{{ count: 2, zone: a, capacity: 100rps, price: 1.00/h }}, {{ count: 2, zone: "
      "b, capacity: 100rps{} }}] }}]\n"
      "clients: [{{ name: c, zone: a, workload: {{ service: s, rate: 200rps }} }}]\n"
      "objectives: [{{ {} }}]\nfailures: [{}]\n",
      more, objective, failure);
}

plan::Plan plan_of_gray(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  auto made = plan::make_plan(base, {.effort = {.replications = 5}});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

}  // namespace

TEST_CASE("a slow endpoint has so many times the utilisation, since no proxy is told", "[plan]") {
  const plan::Plan plan = plan_of_gray(two_by_two("utilisation: 80%", "{ slow: 3x }"));
  REQUIRE(plan.rows.size() == 3);  // one of each zone stands for both
  CHECK(plan.rows[0].utilisation == Approx(0.5));
  for (const std::size_t row : {1U, 2U}) {
    REQUIRE(plan.rows[row].utilisation);
    CHECK(*plan.rows[row].utilisation == Approx(1.5));
    CHECK(plan.rows[row].failure.ways == 2);
    CHECK(plan.rows[row].judgement() == study::Verdict::missed);
  }
  CHECK(plan.rows[1].failure.name == "s-1 3 times slower");
  // Slower by half: 75 %.
  CHECK(plan_of_gray(two_by_two("utilisation: 80%", "{ slow: 1.5 }")).holds());
}

TEST_CASE("each zone can be slow at once", "[plan]") {
  const plan::Plan plan = plan_of_gray(two_by_two("utilisation: 80%", "{ each: zone, slow: 1.5x }"));
  REQUIRE(plan.rows.size() == 3);
  CHECK(plan.rows[1].zones[0] == Approx(0.75));
  CHECK(plan.rows[1].zones[1] == Approx(0.5));
  CHECK(plan.rows[2].zones[0] == Approx(0.5));
  CHECK(plan.rows[2].zones[1] == Approx(0.75));
}

TEST_CASE("an endpoint that fails part of its requests fails its share of them", "[plan]") {
  // One of four gets a quarter of the requests: 30 % of these are 7.5 % of all.
  const plan::Plan plan = plan_of_gray(two_by_two("utilisation: 80%, error_share: 5%", "{ fails: 30% }"));
  REQUIRE(plan.rows.size() == 3);
  CHECK(plan.rows[0].holds());
  CHECK(plan.rows[1].failed == Approx(0.075));
  CHECK(plan.rows[1].judgement() == study::Verdict::missed);
  CHECK(plan_of_gray(two_by_two("utilisation: 80%, error_share: 8%", "{ fails: 30% }")).holds());
}

TEST_CASE("nothing is told of endpoints that are slow or fail requests", "[plan]") {
  for (const char* const failure : {"{ slow: 2x, told: removed }", "{ each: zone, fails: 30%, clients: lost }",
                                    "{ fails: 30%, degraded: { to: 50% } }"}) {
    CAPTURE(failure);
    const scenario::Reading reading =
        scenario::read_scenario_text("plan.yaml", two_by_two("utilisation: 80%", failure));
    CHECK_FALSE(reading.scenario);
    REQUIRE_FALSE(reading.diagnostics.empty());
    CHECK(reading.diagnostics.front().code == "SP111");
  }
  CHECK_FALSE(scenario::read_scenario_text("plan.yaml", two_by_two("utilisation: 80%", "{ slow: 5y }")).scenario);
  CHECK_FALSE(scenario::read_scenario_text("plan.yaml", two_by_two("utilisation: 80%", "{ service: s }")).scenario);
}

TEST_CASE("machines may cost no more than an objective allows", "[plan]") {
  const std::string prices = ", price: 0.50/h";
  // Two at 1.00 and two at 0.50 an hour are 3.00: 2,190 in a month of 730 hours.
  const auto planned = [&](const std::string& most) {
    return plan_of_gray(two_by_two("utilisation: 80%, machine_cost: " + most, "{ each: zone }", prices));
  };
  const plan::Plan too_dear = planned("2189/month");
  CHECK(too_dear.rows.front().judgement() == study::Verdict::missed);
  REQUIRE(too_dear.rows.front().tightest);
  CHECK(planned("2190/month").rows.front().judgement() == study::Verdict::met);
  // An endpoint without a price: unknown, not free.
  const plan::Plan unknown = plan_of_gray(two_by_two("utilisation: 80%, machine_cost: 9000/month", "{ each: zone }"));
  CHECK(unknown.rows.front().judgement() == study::Verdict::undecided);
}

TEST_CASE("p95 and p99.9 of a single server are exponential", "[plan][unsanitized]") {
  // M/M/1 at half its capacity: times are exponential with a mean of 20 ms.
  const auto judged = [](const std::string& objective) {
    return plan_of_gray(
               "duration: 400s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ zone: a, cores: 1, "
               "service_time: { mean: 10ms, distribution: exponential } }] }]\nclients: [{ name: c, zone: a, workload: "
               "{ service: s, rate: 50rps } }]\nfailures: []\nobjectives: [{ " +
               objective + " }]\n")
        .rows.front()
        .judgement();
  };
  const double mean = 20.0;
  CHECK(judged(fmt::format("p95: {:.0f}ms", 1.2 * mean * std::log(20.0))) == study::Verdict::met);
  CHECK(judged(fmt::format("p95: {:.0f}ms", 0.8 * mean * std::log(20.0))) == study::Verdict::missed);
  CHECK(judged(fmt::format("p999: {:.0f}ms", 1.3 * mean * std::log(1000.0))) == study::Verdict::met);
  CHECK(judged(fmt::format("p999: {:.0f}ms", 0.75 * mean * std::log(1000.0))) == study::Verdict::missed);
}
