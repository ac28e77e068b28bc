#include "sim/plan/measured.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "sim/plan/moment.hpp"
#include "sim/plan/plan.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using plan::Judgement;
using scenario::test::accepted;

namespace {

// One core that is exponential with a mean of 5 ms, and Poisson arrivals.
std::string single_server(double rate, const std::string& objective) {
  return "duration: 200s\nzones: [{ name: a }]\n"
         "services: [{ name: s, endpoints: [{ zone: a, cores: 1, service_time: { mean: 5ms, distribution: exponential "
         "} }] }]\n"
         "clients: [{ name: c, zone: a, workload: { service: s, rate: " +
         std::to_string(rate) + "rps } }]\nfailures: []\nobjectives: [{ " + objective + " }]\n";
}

plan::Bound bound(plan::Metric metric, double limit) {
  return {metric, {0}, limit};
}

// A search for a limit that is known.
plan::Steps searched(double limit, double most, double open = 0.0) {
  plan::Steps steps(most);
  while (const auto growth = steps.next()) {
    steps.tell(*growth, *growth <= limit          ? Judgement::holds
                        : *growth <= limit + open ? Judgement::open
                                                  : Judgement::fails);
  }
  return steps;
}

}  // namespace

TEST_CASE("steps find the highest growth that holds, within 2 %", "[plan]") {
  for (const double limit : {0.03, 0.4, 0.99, 1.0, 1.01, 1.7, 9.3}) {
    CAPTURE(limit);
    const plan::Steps steps = searched(limit, 64.0);
    CHECK(steps.holds() <= limit);
    CHECK(steps.holds() >= limit / 1.021);
    REQUIRE(steps.fails());
    CHECK(*steps.fails() > limit);
    CHECK(*steps.fails() <= limit * 1.021);
  }
}

TEST_CASE("steps end at what is of interest", "[plan]") {
  const plan::Steps steps = searched(100.0, 1.3);
  CHECK(steps.holds() == 1.3);
  CHECK(!steps.fails());
}

TEST_CASE("steps that nothing holds at end without an answer", "[plan]") {
  CHECK(searched(0.0, 64.0).holds() == 0.0);
}

TEST_CASE("what is open is told neither to hold nor to fail", "[plan]") {
  const plan::Steps steps = searched(1.2, 64.0, 0.2);
  CHECK(steps.holds() <= 1.2);
  CHECK(*steps.fails() > 1.4);
}

TEST_CASE("an estimate is decided only where its interval is", "[plan]") {
  CHECK(plan::Estimate{bound(plan::Metric::p99, 0.050), 0.040, 0.009}.judgement() == Judgement::holds);
  CHECK(plan::Estimate{bound(plan::Metric::p99, 0.050), 0.045, 0.009}.judgement() == Judgement::open);
  CHECK(plan::Estimate{bound(plan::Metric::p99, 0.050), 0.055, 0.009}.judgement() == Judgement::open);
  CHECK(plan::Estimate{bound(plan::Metric::p99, 0.050), 0.060, 0.009}.judgement() == Judgement::fails);
}

TEST_CASE("no error among n requests says no more than 3 in n", "[plan]") {
  const plan::Evaluator evaluate({.replications = 2});
  const scenario::Scenario still = plan::at_moment(accepted(single_server(20, "error_share: 0%")), {}, 1.0);
  const auto estimates = evaluate(still, {bound(plan::Metric::error_share, 0.0)});
  REQUIRE(estimates.size() == 1);
  CHECK(estimates[0].mean == 0.0);
  CHECK(estimates[0].half_width == Approx(3.0 / static_cast<double>(estimates[0].requests)));
  CHECK(estimates[0].judgement() == Judgement::holds);
}

TEST_CASE("percentiles of one exponential server are those of M/M/1", "[plan]") {
  // The time in an M/M/1 system is exponential at the rate mu - lambda.
  const double rate = 120.0;
  const plan::Evaluator evaluate({.replications = 10, .jobs = 2});
  const scenario::Scenario still = plan::at_moment(accepted(single_server(rate, "p99: 1s")), {}, 1.0);
  const auto estimates = evaluate(still, {bound(plan::Metric::p50, 1.0), bound(plan::Metric::p99, 1.0)});
  const double p50 = std::log(2.0) / (200.0 - rate);
  const double p99 = std::log(100.0) / (200.0 - rate);
  // Percentiles are within 1 % of the order statistic besides.
  CHECK(std::abs(estimates[0].mean - p50) < 2.0 * estimates[0].half_width + 0.01 * p50);
  CHECK(std::abs(estimates[1].mean - p99) < 2.0 * estimates[1].half_width + 0.01 * p99);
}

TEST_CASE("the highest rate of one exponential server is the one that M/M/1 gives", "[plan]") {
  // p50 of 20 ms: 200 - ln 2 / 0.020 = 165.3 requests a second.
  const scenario::ScenarioTemplate base("plan.yaml", single_server(100, "p50: 20ms"));
  plan::Request request;
  request.effort = {.replications = 8, .jobs = 2};
  const auto made = plan::make_plan(base, request);
  const plan::Plan& plan = std::get<plan::Plan>(made);
  REQUIRE(plan.measured);
  CHECK(plan.measured->holds * 100.0 < 165.3 * 1.01);
  REQUIRE(plan.measured->fails);
  CHECK(*plan.measured->fails * 100.0 > 165.3 * 0.99);
  CHECK(plan.measured->holds * 100.0 > 165.3 * 0.9);
}

TEST_CASE("estimates are the same for any number of jobs", "[plan]") {
  const scenario::Scenario still = plan::at_moment(accepted(single_server(150, "p99: 1s")), {}, 1.0);
  const std::vector<plan::Bound> bounds = {bound(plan::Metric::p99, 1.0)};
  const auto one = plan::Evaluator({.replications = 3, .jobs = 1})(still, bounds);
  const auto two = plan::Evaluator({.replications = 3, .jobs = 2})(still, bounds);
  CHECK(one[0].mean == two[0].mean);
  CHECK(one[0].half_width == two[0].half_width);
}
