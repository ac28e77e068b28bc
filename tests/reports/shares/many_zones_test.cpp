// A mesh of many zones under Kuma's policy `Any`: each client's hosts are those of its own zone and one zone ingress
// for every other one. Its tables have a line for most of them at once, and its size is known before anything is
// counted.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "reports/formats.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/printed_cells.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/generated_scenarios.hpp"

using namespace spillway;
using namespace spillway::reports;

namespace {

std::string mesh_of(std::size_t zones, const std::string& rest = "") {
  std::string names;
  std::string endpoints;
  std::string clients;
  for (std::size_t zone = 0; zone < zones; ++zone) {
    names += fmt::format("{{ name: z{} }}, ", zone);
    endpoints += fmt::format("{{ id: e{0}, zone: z{0} }}, ", zone);
    clients += fmt::format("{{ name: c{0}, zone: z{0}, workload: {{ service: s, rate: 10 }} }}, ", zone);
  }
  return fmt::format(
      "name: any\nduration: 10s\nmode: exact\nzones: [{}]\nservices: [{{ name: s, endpoints: [{}] }}]\nclients: [{}]\n"
      "policies: [{{ type: MeshLoadBalancingStrategy, mesh: default, name: p, spec: {{ targetRef: {{ kind: Mesh }}, "
      "to: "
      "[{{ targetRef: {{ kind: MeshService, name: s }}, default: {{ localityAwareness: {{ crossZone: {{ failover: "
      "[{{ to: {{ type: Any }} }}] }} }} }} }}] }} }}]\n{}",
      names, endpoints, clients, rest);
}

scenario::Scenario scenario_of(const std::string& text) {
  auto reading = scenario::read_scenario_text("any.yaml", text);
  REQUIRE(reading.scenario);
  return *std::move(reading.scenario);
}

std::string printed(const scenario::Scenario& scenario, Format format) {
  const run::Results results = run::run(scenario, {});
  const Report report{scenario, results, {}, {}, {}};
  return reports::format(report, format, default_dimensions(format, scenario), Look{});
}

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t lines = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++lines;
  }
  return lines;
}

}  // namespace

TEST_CASE("more than 20 groups in a row without requests are one line of a text table, and rows everywhere else") {
  const scenario::Scenario many = scenario_of(mesh_of(24));
  const std::string table = printed(many, Format::table);
  INFO(table);
  CHECK(lines_with(table, "z1 P1 to z23 P1 (23)") == 1);
  CHECK(lines_with(table, "z0 P1 to z22 P1 (23)") == 1);
  // The client's own zone is P0, so that all others are in a row.
  CHECK(lines_with(table, "z0 P1 to z23 P1 (23)") == 22);
  CHECK(lines_with(table, "100 %") == 24);
  CHECK(lines_with(printed(many, Format::markdown), "z7 P1") == 23);
  const scenario::Scenario few = scenario_of(mesh_of(21));
  CHECK(lines_with(printed(few, Format::table), " to z") == 0);
  CHECK(lines_with(printed(few, Format::table), "z7 P1") == 20);
}

TEST_CASE("groups that EDS reports differently are not one line") {
  // 23 other zones; the one in the middle is down, so that neither side has more than 20.
  const scenario::Scenario mesh =
      scenario_of(mesh_of(24, "timeline: [{ at: 5s, service: s, zone: z12, healthy: 0 }]\n"));
  const std::string table = printed(mesh, Format::table);
  const std::string first = table.substr(0, table.find("c1 (1, z1)"));
  INFO(first);
  CHECK(lines_with(first, "z1 P1 to z23 P1 (23)") == 1);  // before the event
  CHECK(lines_with(first, "z12 P1") == 1);                // after it
  CHECK(lines_with(first, "z11 P1") == 1);
}

TEST_CASE("the quick bound of a report's size is never below the number of its cells") {
  const std::vector<Dimensions> groupings{Dimensions::everything(),
                                          {Dimension::client, Dimension::priority, Dimension::zone},
                                          {Dimension::zone},
                                          {Dimension::client, Dimension::via, Dimension::endpoint}};
  const auto check = [&](const scenario::Scenario& scenario) {
    const double most = most_cells(scenario);
    for (const Dimensions& by : groupings) {
      CHECK(printed_cells(scenario, by) <= most);
      CHECK(printed_crossings(scenario, by) <= most);
    }
  };
  check(scenario_of(mesh_of(5)));
  check(scenario_of(mesh_of(5,
                            "timeline: [{ at: 1s, service: s, zone: z1, healthy: 0 }, { at: 2s, service: s, zone: z1, "
                            "healthy: 100% }]\n")));
  support::Draws draws(40);
  for (int world = 0; world < 60; ++world) {
    const std::string text = support::generated_scenario(draws);
    INFO(text);
    check(scenario_of(text));
  }
}
