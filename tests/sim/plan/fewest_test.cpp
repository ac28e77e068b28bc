// The fewest endpoints of a plan against every layout that there is: what the plan's own rows say of each.
#include "sim/plan/fewest.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "sim/plan/layouts.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"

using namespace spillway;

namespace {

struct Searched {
  std::uint32_t fewest = 0;  // 0: none
  bool proved = false;
  std::uint32_t of_all = 0;  // that any layout of at most `most` a group needs; 0: none
};

Searched searched(const std::string& text, std::uint32_t most) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  const auto made = plan::make_plan(base, {});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  const plan::Plan& plan = std::get<plan::Plan>(made);
  Searched result;
  if (plan.fewest) {
    result.fewest = plan.fewest->endpoints;
    result.proved = plan.fewest->proved;
  }
  const plan::Variants variants(base, plan.at, 1.0);
  const std::function<void(double)> no_progress;
  const auto groups = plan::groups_in_question(base, plan.bounds);
  plan::Layout layout(groups.size(), 1);
  while (true) {
    plan::Layouts layouts(groups, variants, plan.bounds, no_progress);
    std::uint32_t all = 0;
    for (const std::uint32_t number : layout) {
      all += number;
    }
    if ((result.of_all == 0 || all < result.of_all) && layouts.enough(layout)) {
      result.of_all = all;
    }
    std::size_t group = 0;
    while (group < layout.size() && layout[group] == most) {
      layout[group++] = 1;
    }
    if (group == layout.size()) {
      return result;
    }
    ++layout[group];
  }
}

}  // namespace

TEST_CASE("the fewest endpoints are the fewest of all layouts where panic spreads load over lost endpoints", "[plan]") {
  const Searched found = searched(
      "duration: 20s\nmode: exact\nzones: [{ name: a }, { name: b }]\n"
      "services:\n"
      "  - name: cart\n"
      "    endpoints: [{ count: 4, zone: a, capacity: 200rps }, { count: 6, zone: b, capacity: 50rps }]\n"
      "clusters:\n"
      "  - name: cart\n"
      "    lb_policy: RANDOM\n"
      "    common_lb_config: { healthy_panic_threshold: { value: 50 }, locality_weighted_lb_config: {} }\n"
      "load_assignments:\n"
      "  - cluster_name: cart\n"
      "    policy: { overprovisioning_factor: 200 }\n"
      "    endpoints: [{ locality: { zone: a }, load_balancing_weight: 3 }, { locality: { zone: b }, "
      "load_balancing_weight: 2 }]\n"
      "clients:\n"
      "  - { name: ca, zone: a, workload: { service: cart, rate: 258rps } }\n"
      "  - { name: cb, zone: b, workload: { service: cart, rate: 39rps } }\n"
      "objectives: [{ utilisation: 60%, error_share: 100% }]\nfailures: [{ each: zone }]\n",
      12);
  CHECK(found.proved);
  CHECK(found.fewest == found.of_all);
  CHECK(found.fewest == 10);
}

TEST_CASE("endpoints that no objective is about stay, and a few more are found where more of everything is no help",
          "[plan][unsanitized]") {
  const Searched found = searched(
      "duration: 30s\nmode: exact\n"
      "zones: [{ name: a, nodes: [{ name: na, count: 2 }] }, { name: b, nodes: [{ name: nb, count: 2 }] }, { name: c "
      "}]\n"
      "local_cluster: web\n"
      "services:\n"
      "  - { name: web, endpoints: [{ count: 4, zone: a }, { count: 4, zone: b }, { count: 2, zone: c }] }\n"
      "  - name: cart\n"
      "    endpoints:\n"
      "      - { count: 6, zone: a, capacity: 100rps }\n"
      "      - { count: 4, zone: b, capacity: 50rps }\n"
      "      - { count: 3, zone: c, capacity: 200rps }\n"
      "clients:\n"
      "  - { name: ca, zone: a, count: 4, workload: { service: cart, rate: 60rps } }\n"
      "  - { name: cb, zone: b, count: 4, workload: { service: cart, rate: 30rps } }\n"
      "  - { name: cc, zone: c, count: 2, workload: { service: cart, rate: 40rps } }\n"
      "objectives: [{ service: cart, utilisation: 80%, error_share: 0%, cross_zone_share: 60% }]\n",
      8);
  // Of cart alone, which has 13 that are not enough; its callers are no part of the answer.
  CHECK(found.fewest >= found.of_all);
  CHECK(found.fewest > 0);
  CHECK(found.fewest <= 16);
  if (found.proved) {
    CHECK(found.fewest == found.of_all);
  }
}
