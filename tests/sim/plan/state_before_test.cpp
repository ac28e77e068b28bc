// A failure that is undone leaves what was there before it.
#include "sim/plan/state_before.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <variant>

#include "sim/plan/moment.hpp"
#include "sim/plan/variants.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/plan/three_zones.hpp"

using namespace spillway;
using namespace std::chrono_literals;

TEST_CASE("reports are undone to what was told before, not to what is usual", "[plan]") {
  const scenario::ScenarioTemplate base(
      "plan.yaml",
      "duration: 20s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: a }] }]\nclients: [{ "
      "name: c, zone: a, workload: { service: s, rate: 1rps } }]\ntimeline:\n"
      "  - { at: 1s, endpoints: [s-1], degraded: 100% }\n  - { at: 2s, endpoints: [s-2], remove: 100% }\n");
  REQUIRE(base.reading().scenario);
  const plan::StateBefore before(*base.reading().scenario, 5s);
  const auto health = before.undone(
      scenario::EdsHealth{{0}, {{{0}, config::HealthStatus::unhealthy}, {{2}, config::HealthStatus::unhealthy}}});
  REQUIRE(health);
  const auto& told = std::get<scenario::EdsHealth>(*health).hosts;
  CHECK(told[0].second == config::HealthStatus::degraded);
  const auto& written = base.reading().scenario->services[0].load_assignment.endpoints[0].lb_endpoints;
  CHECK(told[1].second == written[2].health_status);
  const auto back = before.undone(scenario::EdsMembership{{0}, {{1}, {2}}, false});
  REQUIRE(back);
  // s-2 had left before, and does not come back.
  CHECK(std::get<scenario::EdsMembership>(*back).hosts == std::vector<config::HostIndex>{{2}});
}

TEST_CASE("each failure of a mesh changes what it changes alone", "[plan]") {
  for (const char* const told : {"unhealthy", "removed"}) {
    CAPTURE(told);
    const scenario::ScenarioTemplate base(
        "plan.yaml", support::three_zones(
                         {3, 2, 4}, {100.0, 50.0, 20.0},
                         std::string("failures: [{ each: zone, told: ") + told + " }, { any: 2, of: endpoints }]\n"));
    REQUIRE(base.reading().scenario);
    const plan::Variants variants(base, 0s, 1.0);
    const plan::Variant variant = *variants.with({});
    for (const plan::Failure& failure : variant.failures) {
      CAPTURE(failure.name);
      plan::Failure unknown = failure;
      unknown.name += " (read on its own)";
      const scenario::Scenario together = variants.still(variant, failure);
      const scenario::Scenario alone = variants.still(variant, unknown);
      const plan::Loads loads = variants.loads(variant, failure, together);
      CHECK(loads.rates == variants.loads(variant, failure, alone).rates);
      CHECK(together.changes.size() == alone.changes.size());
    }
  }
}
