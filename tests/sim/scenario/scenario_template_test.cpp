#include "sim/scenario/scenario_template.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using scenario::test::accepted;

namespace {

const std::string file =
    "duration: 10s\nzones: [{ name: a }, { name: b, nodes: [{ name: bn }] }]\n"
    "services:\n"
    "  - name: s\n"
    "    endpoints:\n"
    "      - { count: 2, zone: a, price: 0.25/h }\n"
    "      - { id: single, zone: a }\n"
    "      - { node: bn }\n"
    "clients: [{ name: c, zone: a, workload: { service: s, rate: 1rps } }]\n";

}  // namespace

TEST_CASE("groups of a template are those whose number may change", "[template]") {
  const scenario::ScenarioTemplate base("t.yaml", file);
  const auto groups = base.groups();
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].count == 2);
  CHECK(groups[0].price == 0.25);
  CHECK(groups[0].zone.value == 0);
  CHECK(groups[1].place.group == 2);
  CHECK(groups[1].count == 1);
  CHECK(groups[1].zone.value == 1);
}

TEST_CASE("another number of endpoints is what the file with that number means", "[template]") {
  const scenario::ScenarioTemplate base("t.yaml", file);
  const auto varied = base.vary({.counts = {{base.groups()[0].place, 5}, {base.groups()[1].place, 3}}});
  std::string text = file;
  text.replace(text.find("count: 2"), 8, "count: 5");
  text.replace(text.find("{ node: bn }"), 12, "{ count: 3, node: bn }");
  const scenario::Scenario written = accepted(text, "t.yaml");
  REQUIRE(varied);
  REQUIRE(varied->endpoints.size() == written.endpoints.size());
  for (std::size_t index = 0; index < written.endpoints.size(); ++index) {
    CHECK(varied->endpoints[index].id == written.endpoints[index].id);
    CHECK(varied->endpoints[index].node == written.endpoints[index].node);
  }
}

TEST_CASE("further changes come last of their moment", "[template]") {
  const scenario::ScenarioTemplate base("t.yaml",
                                        file + "timeline: [{ at: 1s, healthy: 1 }, { at: 2s, healthy: 2 }]\n");
  const scenario::EdsHealth reported{{0}, {{{0}, config::HealthStatus::unhealthy}}};
  const auto varied = base.vary({.changes = {{std::chrono::seconds{1}, reported, {}}}});
  REQUIRE(varied);
  REQUIRE(varied->changes.size() == 3);
  CHECK(std::get<scenario::EdsHealth>(varied->changes[1].effect).hosts.size() == 1);
}

TEST_CASE("a number that the file does not allow is no scenario", "[template]") {
  const scenario::ScenarioTemplate base("t.yaml", file + "timeline: [{ at: 1s, endpoints: [s-2], healthy: 0 }]\n");
  CHECK(base.vary({}));
  CHECK(!base.vary({.counts = {{base.groups()[0].place, 1}}}));
}
