// Plans of pods from Kubernetes documents. Expected values are arithmetic: requests spread evenly over all pods that
// are not lost, 100 per second fill one, and 80 % is allowed.
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>
#include <variant>

#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/scenario/pod_group.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/plan/mesh_of_pods.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using Catch::Matchers::WithinRel;
using support::mesh_of_pods;

namespace {

plan::Plan plan_of_pods(const std::string& text) {
  const scenario::ScenarioTemplate base("pods.yaml", text);
  INFO(text);
  REQUIRE(base.reading().scenario);
  auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  return std::get<plan::Plan>(std::move(made));
}

constexpr const char* zones_fail = "failures: [{ each: zone }]\n";

}  // namespace

TEST_CASE("the fewest pods survive the loss of each zone", "[plan][pods]") {
  // 400 rps on the pods of one zone: five of them are at 80 %.
  const plan::Plan plan = plan_of_pods(mesh_of_pods({{"cart", {8, 8}}}, 200.0, zones_fail));
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->endpoints == 10);
  CHECK(plan.fewest->now == 16);
  CHECK(plan.fewest->proved);
  REQUIRE(plan.fewest->parts.size() == 2);
  CHECK(plan.fewest->parts[0].count == 5);
  CHECK(plan.fewest->parts[1].count == 5);
  CHECK(plan.fewest->parts[0].group.workload == "Deployment cart");
  CHECK(plan.additions.size() == 2);
}

TEST_CASE("the next step of balanced zones of pods is one more in each", "[plan][pods]") {
  // While a zone is lost, 696 rps on eight pods are 87 % of them.
  const plan::Plan plan = plan_of_pods(mesh_of_pods({{"cart", {4, 4, 4}}}, 232.0, zones_fail));
  CHECK_FALSE(plan.holds());
  REQUIRE(plan.next_step);
  CHECK(plan.next_step->parts.size() == 2);
  REQUIRE(plan.purchase);
  CHECK(plan.purchase->endpoints == 14);  // 5 + 5 + 4: 696 rps on nine pods are 77.3 %
}

TEST_CASE("pods cost what `serving` says", "[plan][pods]") {
  std::string text = mesh_of_pods({{"cart", {8, 8}}}, 200.0, zones_fail);
  text.replace(text.find("capacity: 100rps"), 16, "capacity: 100rps, price: 0.25/h");
  const plan::Plan plan = plan_of_pods(text);
  REQUIRE(plan.fewest);
  REQUIRE(plan.fewest->price);
  CHECK_THAT(*plan.fewest->price, WithinRel(2.5, 1e-12));
  REQUIRE(plan.price_now);
  CHECK_THAT(*plan.price_now, WithinRel(4.0, 1e-12));
}

TEST_CASE("the pods of a plan's answer are the replicas to write", "[plan][pods]") {
  const std::string text = mesh_of_pods({{"cart", {8, 8}}}, 200.0, zones_fail);
  CHECK(plan_of_pods(text + "replicas: { cart: 10 }\n").holds());
  CHECK_FALSE(plan_of_pods(text + "replicas: { cart: 9 }\n").holds());
  CHECK_FALSE(plan_of_pods(text + "replicas: { cart: { a: 4 } }\n").holds());
}

TEST_CASE("replicas are totals, or numbers by zone", "[scenario][pods]") {
  const auto pods_with = [](const std::string& replicas) {
    const scenario::Scenario scenario =
        scenario::test::accepted(mesh_of_pods({{"cart", {2, 2}}, {"mail", {1, 3}}}, 1.0, replicas));
    std::vector<std::uint32_t> pods;
    REQUIRE(scenario.pods);
    for (const scenario::PodGroup& group : *scenario.pods) {
      CHECK(group.endpoints.size() == group.pods);
      pods.push_back(group.pods);
    }
    return pods;
  };
  using Pods = std::vector<std::uint32_t>;
  CHECK(pods_with("") == Pods{2, 2, 1, 3});
  CHECK(pods_with("replicas: { cart: 5 }\n") == Pods{3, 2, 1, 3});
  CHECK(pods_with("replicas: { cart.shop: { b: 7 } }\n") == Pods{2, 7, 1, 3});
  CHECK(pods_with("replicas: { '*': 4 }\n") == Pods{2, 2, 2, 2});
  CHECK(pods_with("replicas: { '*': { a: 1 }, mail: 2 }\n") == Pods{1, 2, 1, 1});
}

TEST_CASE("replicas of unknown workloads and zones are refused where they are written", "[scenario][pods]") {
  const auto refused = [](const std::string& replicas) {
    return scenario::test::the_only_diagnostic(mesh_of_pods({{"cart", {2, 2}}}, 1.0, "replicas: " + replicas + "\n"),
                                               "SP762");
  };
  CHECK(refused("{ «card»: 5 }").helps == std::vector<std::string>{"did you mean `cart`?"});
  refused("{ cart: { «c»: 5 } }");
  scenario::test::the_only_diagnostic(scenario::test::scenario_with("replicas: { «backend»: 3 }\n"), "SP762");
}

TEST_CASE("a varied number of pods is that of the documents with these replicas", "[scenario][pods]") {
  const std::string text = mesh_of_pods({{"cart", {2, 2}}, {"mail", {1, 3}}}, 1.0);
  const scenario::ScenarioTemplate base("pods.yaml", text);
  const auto groups = base.groups();
  REQUIRE(groups.size() == 4);
  CHECK(base.reading().scenario->services[groups[2].service.value].name.starts_with("mail."));
  const auto varied = base.vary({.counts = {{groups[0].place, 4}, {groups[3].place, 1}}});
  REQUIRE(varied);
  const scenario::Scenario written = scenario::test::accepted(text + "replicas: { cart: { a: 4 }, mail: { b: 1 } }\n");
  REQUIRE(varied->endpoints.size() == written.endpoints.size());
  for (std::size_t index = 0; index < written.endpoints.size(); ++index) {
    CHECK(varied->endpoints[index].id == written.endpoints[index].id);
    CHECK(varied->endpoints[index].node == written.endpoints[index].node);
  }
}

TEST_CASE("services that share nothing are planned as each by itself", "[plan][pods]") {
  const std::vector<support::PodsOf> both = {{"cart", {8, 8}}, {"mail", {3, 9}}};
  const plan::Plan whole = plan_of_pods(mesh_of_pods(both, 200.0, zones_fail));
  REQUIRE(whole.fewest);
  CHECK(whole.fewest->proved);
  std::uint32_t endpoints = 0;
  for (const support::PodsOf& of : both) {
    const plan::Plan single = plan_of_pods(mesh_of_pods({of}, 200.0, zones_fail));
    REQUIRE(single.fewest);
    endpoints += single.fewest->endpoints;
  }
  CHECK(whole.fewest->endpoints == endpoints);
}

TEST_CASE("dataplanes of one service and zone are a group whose number may change", "[plan][pods]") {
  // 160 requests a second; one endpoint of 100 at 80 % is lost, so three are needed.
  const auto with = [](const std::string& more, const std::string& clients = "web") {
    std::string text =
        "duration: 20s\nmode: exact\nzones: [{ name: a }]\nresources:\n  - { type: Mesh, name: default }\n";
    for (int number = 1; number <= 5; ++number) {
      text += fmt::format(
          "  - {{ type: Dataplane, name: orders-{0}, mesh: default, networking: {{ address: 10.0.0.{0}, inbound: [{{ "
          "port: "
          "80, tags: {{ kuma.io/service: orders, kuma.io/zone: a, kuma.io/protocol: http }} }}] }} }}\n",
          number);
    }
    return text + "serving: [{ service: orders, capacity: 100rps, price: 0.1/h }]\nclients: [{ name: " + clients +
           ", zone: a, workload: { service: orders, rate: 160rps } }]\nfailures: [{ any: 1, of: endpoints }]\n" + more;
  };
  const auto planned = [](const std::string& text) {
    const scenario::ScenarioTemplate base("dataplanes.yaml", text);
    INFO(text);
    REQUIRE(base.reading().scenario);
    return std::get<plan::Plan>(plan::make_plan(base, {}));
  };
  const plan::Plan plan = planned(with(""));
  REQUIRE(plan.fewest);
  CHECK(plan.fewest->now == 5);
  CHECK(plan.fewest->endpoints == 3);
  CHECK(plan.fewest->parts.front().group.workload == "orders");
  CHECK(plan.fewest->price.value() == Approx(0.3));
  REQUIRE(plan.next_step);
  CHECK(plan.next_step->gain * 160.0 == Approx(80.0));
  // 320 while four of five are left, 400 with a copy more.
  const plan::Plan two = planned(with("replicas: { orders: 2 }\n"));
  CHECK(two.rows.back().utilisation.value() == Approx(1.6));
  REQUIRE(two.purchase);
  CHECK(two.purchase->endpoints == 3);
  CHECK(planned(with("replicas: { orders: 8 }\n")).rows.front().utilisation.value() == Approx(0.2));
  const scenario::ScenarioTemplate unknown("dataplanes.yaml", with("replicas: { order: 2 }\n"));
  CHECK(unknown.reading().diagnostics.front().code == "SP762");
}
