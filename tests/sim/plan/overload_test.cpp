// Where requests are counted and fail because endpoints have more to do than they can, the plan says what fewer
// requests or more endpoints would do, as worked out by hand.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <variant>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

using namespace spillway;
using Catch::Matchers::WithinRel;

namespace {

// Endpoints that answer 250 requests a second each; of least request no share has a closed form.
plan::Plan planned_of_two_zones(const std::string& first, const std::string& second, const std::string& rate,
                                const std::string& duration) {
  const scenario::ScenarioTemplate base("plan.yaml",
                                        "duration: " + duration +
                                            "\nzones: [{ name: a }, { name: b }]\n"
                                            "services: [{ name: s, endpoints: [{ zone: a, count: " +
                                            first + ", service_time: 4ms, cores: 1 }, { zone: b, count: " + second +
                                            ", service_time: 4ms, cores: 1 }] }]\n"
                                            "clusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
                                            "clients: [{ name: c, zone: a, workload: { service: s, rate: " +
                                            rate + " } }]\n");
  REQUIRE(base.reading().scenario);
  auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

const plan::Row& row_losing(const plan::Plan& plan, const std::string& name) {
  for (const plan::Row& row : plan.rows) {
    if (row.failure.name == name) {
      return row;
    }
  }
  FAIL("no row " << name);
  return plan.rows.front();
}

}  // namespace

TEST_CASE("overload that makes counted requests fail is met by fewer requests and by more endpoints",
          "[plan][unsanitized]") {
  // Without a zone three endpoints are left, which do 80 % at 3 * 250 * 0.8 = 600 rps; 1,600 rps need eight.
  const plan::Plan plan = planned_of_two_zones("3", "3", "1600rps", "20s");
  REQUIRE(plan.judgement() == study::Verdict::missed);
  REQUIRE(row_losing(plan, "a endpoints").failed > 0.0);
  CHECK(plan.headroom.growth <= 600.0 / 1600.0 * (1.0 + 1e-9));
  CHECK(plan.headroom.growth >= 600.0 / 1600.0 / 1.03);
  REQUIRE(plan.rows.front().tightest);
  CHECK_THAT(plan.rows.front().tightest->growth(), WithinRel(0.8 * 6 * 250.0 / 1600.0, 0.01));
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints >= 16);
  CHECK(plan.fewest->endpoints <= 17);
}

TEST_CASE("what makes counted requests fail at any rate is named, and not what fewer requests would mend",
          "[plan][unsanitized]") {
  // Of four and two endpoints two are a third, which is panic: it sends requests to those that are lost.
  const plan::Plan plan = planned_of_two_zones("4", "2", "2000rps", "5s");
  REQUIRE(plan.rows.front().failed > 0.0);
  CHECK(plan.headroom.growth == 0.0);
  CHECK(plan.rows[plan.headroom.row].failure.name == "a endpoints");
  REQUIRE(plan.headroom.margin);
  CHECK(plan.headroom.margin->bound.metric == plan::Metric::error_share);
  CHECK_THAT(plan.headroom.margin->value, WithinRel(2.0 / 3.0, 0.05));
  REQUIRE(plan.headroom.fails);
  CHECK(*plan.headroom.fails < 0.02);
  CHECK(row_losing(plan, "a endpoints").tightest->growth() == 0.0);
  // 2,000 rps need ten endpoints in each zone, half of which are no panic.
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints >= 20);
  CHECK(plan.fewest->endpoints <= 21);
}
