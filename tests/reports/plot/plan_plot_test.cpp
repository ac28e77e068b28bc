// What gnuplot gets to read of a plan: numbers of docs/planning-capacity.md.
#include <catch2/catch.hpp>
#include <string>

#include "reports/plot/palette.hpp"
#include "reports/plot/plots.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"

using namespace spillway;
using namespace spillway::reports::plot;

namespace {

std::string plan_script(const scenario::ScenarioTemplate& base) {
  REQUIRE(base.reading().scenario);
  const auto made = plan::make_plan(base, {.at = {}, .growth = 1.0, .rate = {}, .effort = {}, .rows_alone = true});
  return plan_plot(*base.reading().scenario, std::get<plan::Plan>(made), Image::svg);
}

bool draws(const std::string& script, const std::string& part) {
  return script.find(part) != std::string::npos;
}

std::size_t times(const std::string& script, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = script.find(part); at != std::string::npos; at = script.find(part, at + 1)) {
    ++count;
  }
  return count;
}

std::string planned_file(const std::string& capacity, const std::string& objectives) {
  return "duration: 1s\nzones: [{ name: a }, { name: b }]\n"
         "services: [{ name: s, endpoints: [{ count: 2, zone: a, capacity: " +
         capacity + " }, { zone: b, capacity: " + capacity +
         ", priority: 1 }] }]\n"
         "clients: [{ name: c, zone: a, workload: { service: s, rate: 18rps } }]\n" +
         objectives;
}

}  // namespace

TEST_CASE("a plan is drawn failure by failure and zone by zone, against its objective") {
  const std::string script = plan_script(
      scenario::ScenarioTemplate(std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/examples/three-zones.yaml"));
  CHECK(draws(script, "headroom 2,880 rps (+6.7 %)"));
  CHECK(draws(script, "'at most 80 %'"));
  // Nothing lost: 62.5, 25 and 25 %. zone-2 lost: 75 and 37.5 %. From 0 to the number, the middle before.
  CHECK(draws(script, "\n31.25 "));
  CHECK(draws(script, " 0 62.5 "));
  CHECK(draws(script, " 0 75 "));
  CHECK(draws(script, " 0 37.5 "));
  CHECK(draws(script, "'63 %'"));
  CHECK(draws(script, "'zone-2 endpoints'"));
  CHECK(times(script, "OK, tightest") == 2);
  CHECK(times(script, "'none left'") == 6);
  for (std::size_t zone = 0; zone < 3; ++zone) {
    CHECK(draws(script, "fillcolor rgb '" + zone_color(zone) + "'"));
  }
}

TEST_CASE("what fails is marked, and without an objective the line is at the assumed 80 %") {
  const std::string script = plan_script({"plan.yaml", planned_file("10rps", "")});
  // 18 rps: 90 % of two endpoints of 10, 180 % of the one in b.
  CHECK(draws(script, "'at most 80 %'"));
  CHECK(draws(script, "'180 %'"));
  CHECK(draws(script, "failed"));
}

TEST_CASE("names in the picture of a plan are texts") {
  const std::string script =
      plan_script({"plan.yaml", planned_file("100rps",
                                             "name: \"it's `x` %g\\u001b[2J\"\nfailures: [{ name: \"';set\", together: "
                                             "[{ zone: a }] }]\n")});
  CHECK(draws(script, "'it''s `x` %g"));
  CHECK(draws(script, "'\u2019;set'"));
  CHECK_FALSE(draws(script, "\x1b"));
}
