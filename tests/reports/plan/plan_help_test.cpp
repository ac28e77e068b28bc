// Advice of plans fits what the scenario has. Each expected sentence names what is missing in it.
#include "reports/plan/plan_help.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"

using namespace spillway;

namespace {

std::string help_for(const std::string& zones, const std::string& endpoints, const std::string& rest) {
  const std::string text = "duration: 10s\nzones: [" + zones + "]\nservices: [{ name: s, endpoints: [" + endpoints +
                           "] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 100rps } }]\n" + rest;
  INFO(text);
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  const auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return reports::other_help_text(*base.reading().scenario, std::get<plan::Plan>(made));
}

const std::string two_zones = "{ name: a }, { name: b }";
const std::string of_two_priorities =
    "{ count: 4, zone: a, capacity: 100rps }, { count: 4, zone: b, priority: 1, capacity: 100rps }";

}  // namespace

TEST_CASE("a plan advises other zones only if there is no endpoint in one", "[plan]") {
  CHECK(help_for("{ name: a }", "{ count: 4, zone: a, capacity: 100rps }", "failures: [{ each: zone }]\n") ==
        "When a is down, requests of c have no other endpoint to go to: endpoints of s in another zone would help.");
  CHECK(help_for(two_zones, of_two_priorities, "failures: [{ name: both, together: [{ zone: a }, { zone: b }] }]\n") ==
        "With both lost, requests of c have no endpoint to go to: all endpoints of s are lost, against which nothing "
        "helps.");
}

TEST_CASE("a plan advises ways to notice a loss that the scenario lacks", "[plan]") {
  const std::string unnoticed = "failures: [{ each: zone, told: nothing }]\n";
  CHECK(help_for(two_zones, of_two_priorities, unnoticed) ==
        "When a is down, requests of c go to endpoints that are lost: outlier detection, active health checks or "
        "retries would help.");
  CHECK(help_for(two_zones, of_two_priorities,
                 unnoticed + "clusters: [{ name: s, outlier_detection: { consecutive_5xx: 5, interval: 1s, "
                             "max_ejection_percent: 100 } }]\n") ==
        "When a is down, requests of c go to endpoints that are lost: active health checks or retries would help.");
}
