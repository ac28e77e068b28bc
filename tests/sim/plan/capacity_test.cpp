// A utilisation that follows from shares is the rate over the written capacity, although the service time of 150
// requests a second, 6,666,666.67 ns, is rounded to nanoseconds.
#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "reports/requests/overload_at_end.hpp"
#include "sim/diff/compare.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/run.hpp"
#include "tests/sim/diff/sides.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using Catch::Matchers::WithinRel;

namespace {

std::string shop_of(const std::string& endpoints, int rate, const std::string& more = "") {
  return "duration: 20s\nmode: exact\nzones: [{ name: z1 }, { name: z2 }]\nservices: [{ name: pay, endpoints: [" +
         endpoints + "] }]\nclients: [{ name: web, zone: z1, workload: { service: pay, rate: " + std::to_string(rate) +
         "rps } }]\n" + more;
}

const std::string four_of_150 = "{ count: 4, zone: z1, capacity: 150rps }";

}  // namespace

TEST_CASE("480 rps on 4 endpoints of 150 rps are 80 %, which an objective of at most 80 % allows", "[plan]") {
  const scenario::ScenarioTemplate base(
      "plan.yaml", shop_of("{ count: 6, zone: z1, capacity: 150rps }, { count: 4, zone: z2, priority: 1, capacity: "
                           "150rps }",
                           480, "objectives: [{ utilisation: 80%, error_share: 0% }]\nfailures: [{ each: zone }]\n"));
  REQUIRE(base.reading().scenario);
  const auto made = plan::make_plan(base, {});
  const plan::Plan& plan = std::get<plan::Plan>(made);
  REQUIRE(plan.rows.size() == 3);
  CHECK_THAT(*plan.rows[1].utilisation, WithinRel(0.8, 1e-12));
  CHECK(plan.holds());
  CHECK_THAT(plan.headroom.growth, WithinRel(1.0, 1e-12));
  // Four in each zone: 480 / (4 x 150) is 80 % whichever zone is lost.
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == 8);
}

TEST_CASE("every capacity gives the utilisation that division gives", "[plan]") {
  for (const int capacity : {7, 110, 130, 150, 170, 190, 300, 350, 700, 900, 1100, 1300}) {
    CAPTURE(capacity);
    const scenario::Scenario scenario = scenario::test::accepted(
        shop_of("{ count: 4, zone: z1, capacity: " + std::to_string(capacity) + "rps }", capacity));
    run::Options options;
    options.endpoint_loads = true;
    const run::Results results = run::run(scenario, options);
    REQUIRE(results.endpoints.size() == 4);
    for (const run::EndpointLoad& load : results.endpoints) {
      CHECK_THAT(*load.utilisation, WithinRel(0.25, 1e-12));
    }
  }
}

TEST_CASE("100 % does not exceed capacity", "[plan]") {
  const auto [before, after] = std::pair(shop_of(four_of_150, 590), shop_of(four_of_150, 600));
  CHECK(support::difference_of(before, after).overloads.empty());
  CHECK(support::difference_of(before, shop_of(four_of_150, 601)).overloads.size() >= 4);
  const scenario::Scenario full = scenario::test::accepted(after);
  run::Options options;
  options.mode = scenario::Mode::exact;
  CHECK_FALSE(reports::overload_at_end(full, run::run(full, options)));
}

TEST_CASE("a faster node serves as many more requests as it is faster", "[plan]") {
  const scenario::Scenario scenario = scenario::test::accepted(
      "duration: 1s\nzones: [{ name: z1, nodes: [{ name: n, speed: 1.5 }] }]\nservices: [{ name: pay, "
      "endpoints: [{ node: n, capacity: 700rps }] }]\nclients: [{ name: web, zone: z1, workload: { service: pay, rate: "
      "1050rps } }]\n");
  REQUIRE(scenario.endpoints.size() == 1);
  CHECK_THAT(core_seconds(scenario.endpoints[0]) * 1050.0, WithinRel(1.0, 1e-12));
}
