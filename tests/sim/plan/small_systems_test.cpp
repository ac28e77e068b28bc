// Answers of plans of small systems, against arithmetic that stands beside them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/study/verdict.hpp"

using namespace spillway;

namespace {

plan::Plan plan_of_system(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  return std::get<plan::Plan>(plan::make_plan(base, {}));
}

using NumbersOfGroups = std::vector<std::uint32_t>;

NumbersOfGroups numbers_of_groups(const std::vector<plan::Part>& parts) {
  NumbersOfGroups numbers;
  std::transform(parts.begin(), parts.end(), std::back_inserter(numbers),
                 [](const plan::Part& part) { return part.count; });
  return numbers;
}

// Zones a, b ... with these endpoints each, written as the rest of a group.
std::string system_of(const std::vector<std::string>& groups, std::string_view rate, std::string_view objectives,
                      std::string_view failures, std::string_view more = "") {
  std::string zones;
  std::string endpoints;
  for (std::size_t zone = 0; zone < groups.size(); ++zone) {
    const char name = static_cast<char>('a' + zone);
    zones += fmt::format("{}{{ name: {} }}", zone == 0 ? "" : ", ", name);
    endpoints += fmt::format("{}{{ zone: {}, {} }}", zone == 0 ? "" : ", ", name, groups[zone]);
  }
  return fmt::format(
      "duration: 30s\nzones: [{}]\nservices: [{{ name: s, endpoints: [{}] }}]\nclients: [{{ name: x, zone: a, "
      "workload: {{ service: s, {} }} }}]\nobjectives: [{{ {} }}]\nfailures: [{}]\n{}",
      zones, endpoints, rate, objectives, failures, more);
}

}  // namespace

TEST_CASE("shares tell how many requests fail while no limit of load is near", "[plan]") {
  // One of five fails 30 % of its requests: 6 %, whatever a count of them says. Five reach 100 % at 500 rps.
  const auto at_most = [](std::string_view errors) {
    return plan_of_system(system_of({"count: 5, capacity: 100rps"}, "rate: 100rps",
                                    fmt::format("error_share: {}", errors), "{ fails: 30% }"));
  };
  for (const std::string_view errors : {"6%", "6.2%"}) {
    const plan::Plan plan = at_most(errors);
    CHECK(plan.holds());
    CHECK(plan.rows[1].failed == Approx(0.06));
    CHECK(plan.rows[1].estimates.empty());
  }
  const plan::Plan plan = at_most("5%");
  CHECK(plan.judgement() == study::Verdict::missed);
  // One of six fails 5 %.
  REQUIRE(plan.purchase);
  CHECK(plan.purchase->endpoints == 6);
}

TEST_CASE("what overloaded endpoints cannot answer in the long run is known, whatever a short run shows", "[plan]") {
  // Losing a leaves two of 100 rps for 250: 20 % more than they can answer.
  const plan::Plan plan = plan_of_system(system_of({"count: 2, capacity: 200rps", "count: 2, capacity: 100rps"},
                                                   "rate: 250rps", "utilisation: 80%", "{ each: zone }"));
  CHECK(plan.rows[1].lost_in_long_run == Approx(0.2));
  CHECK(plan.rows[1].failing_share() == Approx(0.2));
  CHECK(plan.rows[2].lost_in_long_run == 0.0);
  REQUIRE(plan.worst() != nullptr);
  CHECK(plan.worst()->failure.name == "a endpoints");
}

TEST_CASE("the loss of a zone's only endpoint is not that of the zone where it has more", "[plan]") {
  // Two of three must be left for 200 rps at 90 % of 80 each, so four in all: those of b are cheaper.
  const plan::Plan plan =
      plan_of_system(system_of({"count: 4, capacity: 80rps, price: 0.12/h", "count: 1, capacity: 80rps, price: 0.1/h"},
                               "rate: 200rps", "utilisation: 90%", "{ any: 1, of: endpoints }"));
  REQUIRE(plan.fewest);
  CHECK(numbers_of_groups(plan.fewest->parts) == NumbersOfGroups{1, 3});
  CHECK(plan.cheapest->price.value() == Approx(0.42));
}

TEST_CASE("more endpoints elsewhere make the share of failing ones small", "[plan]") {
  // Zone a fails 20 %: with 1 + 3 that is a quarter of 20 %. Three of which one is lost and nobody is told need ten.
  const plan::Plan gray =
      plan_of_system(system_of({"count: 2, capacity: 100rps", "count: 2, capacity: 100rps"}, "rate: 100rps",
                               "error_share: 6%, utilisation: 80%", "{ together: [{ zone: a }], fails: 20% }"));
  REQUIRE(gray.fewest);
  CHECK(numbers_of_groups(gray.fewest->parts) == NumbersOfGroups{1, 3});
  REQUIRE(gray.purchase);
  CHECK(numbers_of_groups(gray.purchase->parts) == NumbersOfGroups{2, 5});
  const plan::Plan untold =
      plan_of_system(system_of({"count: 3, capacity: 100rps"}, "rate: 100rps", "error_share: 10%, utilisation: 80%",
                               "{ any: 1, of: endpoints, told: nothing }"));
  REQUIRE(untold.fewest);
  CHECK(untold.fewest->endpoints == 10);
}

TEST_CASE("one endpoint more that ends a panic is the next step", "[plan]") {
  // Losing b leaves 3 of 7 healthy, 43 %: panic. 4 of 8 are 50 %: none, and the four bear 90 % of 80 each: 288 rps.
  const plan::Plan plan = plan_of_system(system_of({"count: 3, capacity: 80rps", "count: 4, capacity: 80rps"},
                                                   "rate: 333rps", "utilisation: 90%", "{ each: zone }"));
  CHECK(plan.headroom.growth == 0.0);
  REQUIRE(plan.next_step);
  CHECK(plan.next_step->parts.size() == 1);
  CHECK(plan.next_step->parts.front().group.zone.value == 0);
  CHECK(plan.next_step->growth * 333.0 == Approx(288.0));
}

TEST_CASE("what is bought is the next step where no single endpoint of any group helps", "[plan]") {
  // One of a against four of b is in panic until a has as many.
  const plan::Plan plan = plan_of_system(system_of({"count: 1, capacity: 80rps", "count: 4, capacity: 80rps"},
                                                   "rate: 200rps", "utilisation: 90%", "{ each: zone }"));
  REQUIRE(plan.purchase);
  CHECK(numbers_of_groups(plan.purchase->parts) == NumbersOfGroups{4, 4});
  REQUIRE(plan.next_step);
  CHECK(numbers_of_groups(plan.next_step->parts) == NumbersOfGroups{3});
}

TEST_CASE("a named endpoint stays the one of its group while numbers are tried", "[plan]") {
  // s-9 is c's first. While it and a are lost, the others must be three for 200 rps at 70 % of 100: with one of a,
  // five in all.
  const std::string text =
      system_of({"count: 4, capacity: 100rps", "count: 4, capacity: 100rps", "count: 2, capacity: 100rps"},
                "rate: 200rps", "utilisation: 70%", "{ together: [{ zone: a }, { endpoints: [s-9] }], name: big }",
                "clusters: [{ name: s, common_lb_config: { healthy_panic_threshold: { value: 0 } } }]\n");
  const plan::Plan plan = plan_of_system(text);
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == 5);
  const scenario::ScenarioTemplate base("plan.yaml", text);
  const auto groups = base.groups();
  const auto varied = base.vary({.counts = {{groups[0].place, 6}}});
  REQUIRE(varied);
  const auto& lost = varied->failures->front().parts[1].endpoints;
  REQUIRE(lost.size() == 1);
  CHECK(varied->nodes[varied->endpoints[lost.front().value].node.value].zone.value == 2);
}

TEST_CASE("the gain of counted rows is what simulations find, not the present failure's opposite",
          "[plan][unsanitized]") {
  // Five of which two are lost and nobody is told: ejected after five failures each, so that three of 100 rps are left,
  // and four with one more. The gain is at most those 100 rps.
  const plan::Plan plan = plan_of_system(
      "duration: 30s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 5, zone: a, cores: 1, "
      "service_time: 10ms }] }]\nclusters: [{ name: s, outlier_detection: { consecutive_5xx: 5, interval: 5s, "
      "base_ejection_time: 30s, max_ejection_percent: 100, enforcing_success_rate: 0 } }]\nroutes: [{ match: { prefix: "
      "/ }, route: { cluster: s, timeout: 0.2s } }]\nclients: [{ name: x, zone: a, workload: { rate: 350rps } "
      "}]\nobjectives: [{ error_share: 5%, utilisation: 100% }]\nfailures: [{ any: 2, of: endpoints, told: nothing "
      "}]\n");
  CHECK_FALSE(plan.holds());
  REQUIRE(plan.next_step);
  CHECK(plan.next_step->measured);
  const double gain = plan.next_step->gain * 350.0;
  CHECK(gain > 0.0);
  CHECK(gain < 130.0);  // 100, and the error of two searches
}

TEST_CASE("a backlog is worked off before a failure is over", "[plan][unsanitized]") {
  // While a is lost, b's two of 50 get 160 rps: after 20 s the breaker's 1,024 requests wait there, 512 at each. Then
  // each gets 40 rps and works off ten of the others a second: 51 s.
  const plan::Plan plan = plan_of_system(system_of({"count: 2, capacity: 50rps", "count: 2, capacity: 50rps"},
                                                   "rate: 160rps", "p99: 300ms, utilisation: 100%", "{ each: zone }"));
  REQUIRE(plan.rows[1].recovery);
  CHECK(plan.rows[1].recovery->verdict == plan::Recovery::Verdict::recovers);
  CHECK(plan.rows[1].recovery->seconds == Approx(51.0).margin(10.0));
}

TEST_CASE("a setting whose counts are of an overload has no known headroom", "[plan][unsanitized]") {
  // A retry storm of 140 rps at one of 100 says nothing of lower rates.
  const plan::Plan plan = plan_of_system(
      "duration: 30s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a, cores: 1, "
      "service_time: 10ms }] }]\nclusters: [{ name: s, circuit_breakers: { thresholds: [{ max_retries: 100000, "
      "max_requests: 100000 }] } }]\nroutes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.5s, "
      "retry_policy: { retry_on: '5xx,reset,connect-failure', num_retries: 3, per_try_timeout: 0.1s } } }]\nclients: "
      "[{ name: c, zone: a, workload: { rate: 140rps } }]\nobjectives: [{ utilisation: 100%, error_share: 5% "
      "}]\nfailures: [{ any: 1, of: endpoints }]\n");
  bool any = false;
  for (const plan::WhatIf& what_if : plan.what_ifs) {
    any = any || what_if.value == "75";
    CHECK((what_if.value != "75" || !what_if.known));
    CHECK((!what_if.now || what_if.headroom.growth == plan.headroom.growth));
  }
  CHECK(any);
}

TEST_CASE("a slow endpoint that proxies eject is counted as they see it", "[plan][unsanitized]") {
  // Three times slower, it would have 210 % to do; its time-outs eject it, and the other four have 350 / 400.
  const plan::Plan plan = plan_of_system(
      "duration: 30s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 5, zone: a, cores: 1, "
      "service_time: 10ms }] }]\nclusters: [{ name: s, outlier_detection: { consecutive_5xx: 5, interval: 5s, "
      "base_ejection_time: 300s, max_ejection_percent: 100, enforcing_success_rate: 0 } }]\nroutes: [{ match: { "
      "prefix: / }, route: { cluster: s, timeout: 0.2s } }]\nclients: [{ name: x, zone: a, workload: { rate: 350rps } "
      "}]\nobjectives: [{ error_share: 5%, utilisation: 100% }]\nfailures: [{ slow: 3x }]\n");
  CHECK_FALSE(plan.rows[1].exact);
  CHECK(plan.rows[1].utilisation.value() == Approx(0.875).margin(0.05));
  CHECK(plan.holds());
}
