#include "sim/plan/busiest_moments.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using scenario::test::accepted;
using Moments = std::vector<std::chrono::nanoseconds>;

namespace {

// Two zones of four endpoints of 100 rps each, and 300 rps from zone a; losing either zone leaves 75 % of one.
std::string shop(const std::string& timeline, const std::string& workload = "{ service: s, rate: 300rps }") {
  return "duration: 60s\nzones: [{ name: a }, { name: b }]\n"
         "services: [{ name: s, endpoints: [{ count: 4, zone: a, capacity: 100rps }, "
         "{ count: 4, zone: b, capacity: 100rps }] }]\n"
         "clients: [{ name: c, zone: a, workload: " +
         workload +
         " }]\n"
         "objectives: [{ utilisation: 80%, error_share: 0% }]\nfailures: [{ each: zone }]\n" +
         (timeline.empty() ? "" : "timeline:\n" + timeline);
}

plan::Plan planned(const std::string& text) {
  const scenario::ScenarioTemplate base("shop.yaml", text);
  REQUIRE(base.reading().scenario);
  auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

}  // namespace

TEST_CASE("endpoints that are taken away while clients send as much make another moment to plan for", "[plan]") {
  const auto moments = plan::busiest_moments(accepted(shop("  - { at: 20s, zone: b, remove: 3 }\n")));
  CHECK(moments.first == 0s);
  CHECK(moments.all == Moments{0s, 20s});
  CHECK(moments.in_trouble.empty());
}

TEST_CASE("an outage, bad health, failures, and slowness of the timeline make no moment to plan for", "[plan]") {
  for (const char* const trouble :
       {"  - { at: 20s, zone: b, outage: true }\n", "  - { at: 20s, endpoints: [s-1], health_status: UNHEALTHY }\n",
        "  - { at: 20s, endpoints: [s-1], fails: 50% }\n", "  - { at: 20s, zone: a, slow: 3 }\n"}) {
    INFO(trouble);
    const auto moments = plan::busiest_moments(accepted(shop(trouble)));
    CHECK(moments.all == Moments{0s});
    CHECK(moments.in_trouble == Moments{20s});
  }
}

TEST_CASE("what happens while clients send less is no moment to plan for", "[plan]") {
  const auto moments = plan::busiest_moments(
      accepted(shop("  - { at: 30s, zone: b, remove: 3 }\n", "{ service: s, phases: '300rps 20s, 100rps' }")));
  CHECK(moments.all == Moments{0s});
}

TEST_CASE("the peak of a service is a moment to plan for, where all together send most at another", "[plan]") {
  const auto moments = plan::busiest_moments(
      accepted("duration: 60s\nzones: [{ name: a }]\n"
               "services: [{ name: shop, endpoints: [{ count: 4, zone: a, capacity: 100rps }] }, "
               "{ name: batch, endpoints: [{ count: 20, zone: a, capacity: 100rps }] }]\n"
               "clients:\n"
               "  - { name: c, zone: a, workload: { service: shop, phases: '350rps 30s, 50rps' } }\n"
               "  - { name: d, zone: a, workload: { service: batch, phases: '100rps 30s, 1000rps' } }\n"));
  CHECK(moments.first == 30s);
  CHECK(moments.all == Moments{0s, 30s});
}

TEST_CASE("of equally busy moments a plan takes the one that leaves least headroom", "[plan]") {
  CHECK(planned(shop("")).at == 0s);
  CHECK(planned(shop("")).holds());
  // One endpoint of zone b is left, beside four of zone a.
  const plan::Plan taken_away = planned(shop("  - { at: 20s, zone: b, remove: 3 }\n"));
  CHECK(taken_away.at == 20s);
  CHECK_FALSE(taken_away.holds());
  // More endpoints make it no harder.
  CHECK(planned(shop("  - { at: 20s, zone: b, weight: 2 }\n")).holds());
}
