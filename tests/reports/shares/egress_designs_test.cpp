#include "reports/shares/egress_designs.hpp"

#include <catch2/catch.hpp>

#include "reports/document/document.hpp"
#include "reports/document/formats.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;

namespace {

std::string designs(const scenario::Scenario& scenario, Format format) {
  return reports::format({.page = [&](Page& page) { add_egress_designs(page, scenario); }}, format, {});
}

}  // namespace

TEST_CASE("clients that a design treats alike stand in one row of the table of designs") {
  scenario::Scenario scenario = testing::small_scenario();
  CHECK(designs(scenario, Format::table).empty());
  CHECK(designs(scenario, Format::markdown).empty());
  const auto row = [](const std::string& client, kuma::EgressDesign design, std::size_t clusters, double share) {
    return scenario::EgressDesignRow{
        client, config::ServiceIndex{0}, design, {1, clusters}, {{"zone-1", share}, {"zone-2", 1.0 - share}}};
  };
  scenario.egress_designs = {
      row("a", kuma::EgressDesign::aggregate, 4, 0.25), row("a", kuma::EgressDesign::metadata, 1, 0.5),
      row("b", kuma::EgressDesign::aggregate, 4, 0.25), row("b", kuma::EgressDesign::metadata, 1, 0.75)};
  scenario.egress_designs[0].zones.pop_back();
  scenario.egress_designs[2].zones.pop_back();
  const auto lines = egress_design_lines(scenario);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].design == "aggregate");
  CHECK(lines[0].clients == std::vector<std::string>{"a", "b"});
  CHECK(lines[0].leaving == "zone-1 25 %");
  CHECK(lines[0].clusters == kuma::ClusterCounts{1, 4});
  CHECK(lines[1].leaving == "zone-1 50 %, zone-2 50 %");
  CHECK(designs(scenario, Format::table).find("aggregate   a, b") != std::string::npos);
  CHECK(designs(scenario, Format::markdown).find("| a, b | 1 | 4 | zone-1 25 % |") != std::string::npos);
}
