// The arrows are those of the scenario in tests/reports/small_report.hpp: the documents' two-level priority table.
#include "reports/plot/topology.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/plot/topology_model.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/reports/small_report.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace spillway::reports::plot;
using namespace std::chrono_literals;

namespace {

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

scenario::Scenario read_documented(const std::string& file) {
  const auto reading = scenario::read_scenario_file(SPILLWAY_SOURCE_DIR "/scenarios/documented/" + file);
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

config::ClientEntryIndex client_named(const scenario::Scenario& scenario, const std::string& name) {
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    if (scenario.clients[client].name == name) {
      return {client};
    }
  }
  FAIL("no client " << name);
  return {};
}

run::Results simulated_exactly(const scenario::Scenario& scenario) {
  run::Options options;
  options.mode = scenario::Mode::exact;
  return run::run(scenario, options);
}

// "frontend-2 -> backend-1 P1 0 %", in the order of the model.
std::vector<std::string> arrows_of(const scenario::Scenario& scenario, const TopologyModel& model) {
  const auto name = [&](std::size_t box) -> std::string {
    if (box < model.clients.size()) {
      return scenario.clients[model.clients[box].client.value].name;
    }
    box -= model.clients.size();
    if (box < model.proxies.size()) {
      return scenario.endpoints[model.proxies[box].proxy.value].id;
    }
    const EndpointBox& endpoints = model.endpoints[box - model.proxies.size()];
    return endpoints.endpoints.size() == 1 ? scenario.endpoints[endpoints.endpoints.front().value].id
                                           : endpoints.service + " x" + std::to_string(endpoints.endpoints.size());
  };
  std::vector<std::string> arrows;
  for (const Arrow& arrow : model.arrows) {
    const auto percent = static_cast<int>(arrow.share * 100.0 + 0.5);
    arrows.push_back((arrow.about.empty() ? "" : arrow.about + ": ") + name(arrow.from) + " -> " + name(arrow.to) +
                     " P" + std::to_string(arrow.priority.value) + " " + std::to_string(percent) + " %");
  }
  return arrows;
}

std::vector<std::string> arrows_at(const std::string& file, const std::string& client, run::Nanoseconds at) {
  const scenario::Scenario scenario = read_documented(file);
  const run::Results results = simulated_exactly(scenario);
  TopologyView view{.at = at};
  if (!client.empty()) {
    view.client = client_named(scenario, client);
  }
  const auto models = topology_models(scenario, results, view);
  REQUIRE(models.size() == 1);
  return arrows_of(scenario, models.front());
}

}  // namespace

TEST_CASE("use case 5 has the arrows and priorities of figures 5_1 to 5_3, the gap included") {
  CHECK(arrows_at("kuma/use-case-5.yaml", "frontend-2", 0s) ==
        std::vector<std::string>{"frontend-2 -> backend-1 P1 0 %", "frontend-2 -> backend-2 P0 100 %",
                                 "frontend-2 -> backend-3 P2 0 %"});
  CHECK(arrows_at("kuma/use-case-5.yaml", "frontend-1", 0s) ==
        std::vector<std::string>{"frontend-1 -> backend-1 P0 100 %", "frontend-1 -> backend-3 P2 0 %"});
  CHECK(arrows_at("kuma/use-case-5.yaml", "frontend-3", 0s) ==
        std::vector<std::string>{"frontend-3 -> backend-1 P1 0 %", "frontend-3 -> backend-3 P0 100 %"});
}

TEST_CASE("an arrow goes nowhere where the endpoint has been removed") {
  CHECK(arrows_at("kuma/use-case-5.yaml", "frontend-2", 3s) ==
        std::vector<std::string>{"frontend-2 -> backend-1 P1 0 %", "frontend-2 -> backend-3 P2 100 %"});
}

TEST_CASE("use case 1 keeps every client in its zone, as figure 1 draws it") {
  CHECK(arrows_at("kuma/use-case-1.yaml", "", 0s) ==
        std::vector<std::string>{"frontend-1 -> backend-1 P0 100 %", "frontend-2 -> backend-2 P0 100 %"});
}

TEST_CASE("use case 7 splits evenly for the client in zone 2 alone, as figure 7 draws it") {
  CHECK(arrows_at("kuma/use-case-7-split.yaml", "", 0s) == std::vector<std::string>{"frontend-1 -> backend-1 P0 100 %",
                                                                                    "frontend-2 -> backend-1 P0 50 %",
                                                                                    "frontend-2 -> backend-2 P0 50 %"});
}

TEST_CASE("an egress stands between, with the shares of what passes it") {
  const std::vector<std::string> arrows = arrows_at("kuma/egress.yaml", "without policy", 0s);
  CHECK(arrows ==
        std::vector<std::string>{"without policy -> kuma-4 egress P0 25 %", "without policy -> no-policy-1 P0 75 %",
                                 "kuma-4 egress -> no-policy-2 P0 13 %", "kuma-4 egress -> no-policy-3 P0 13 %"});
}

TEST_CASE("there is a graph an epoch, and the boxes have what the proxies are told") {
  scenario::Scenario scenario = support::one_service({10, 10});
  scenario.changes.push_back(support::tell(4s, 0, 10, 4));
  const run::Results results = simulated_exactly(scenario);
  const auto models = topology_models(scenario, results, {});
  REQUIRE(models.size() == 2);
  CHECK(models[0].end == 4s);
  CHECK(models[1].start == 4s);
  CHECK(models[1].detail == Detail::node);  // twenty boxes are too many
  REQUIRE(models[1].endpoints.size() == 2);
  CHECK(models[1].endpoints[0].healthy == 4);
  CHECK(models[1].endpoints[0].unhealthy == 6);
  CHECK(models[1].endpoints[1].healthy == 10);
  // 4 of 10 are healthy: 40 % x 1.4 (docs/behaviour/envoy-before-pick.md).
  CHECK(arrows_of(scenario, models[1]) ==
        std::vector<std::string>{"frontend -> backend x10 P0 56 %", "frontend -> backend x10 P1 44 %"});
  const std::string dot = topology(scenario, results, {})[1];
  CHECK(has_text(dot, "backend\\n10 endpoints, 4 healthy"));
  CHECK(has_text(dot, "#CDE9F9;0.4000:#F2BF99;0.6000"));
  CHECK(has_text(dot, "priority 0<br/><b>56 %</b>"));
}

TEST_CASE("requests without a host are written into the client") {
  scenario::Scenario scenario = support::one_service({2});
  scenario.services.front().cluster.common_lb_config.healthy_panic_threshold = {};
  scenario.changes.push_back({1s, scenario::EdsMembership{{0}, {{0}, {1}}, false}, {}});
  const run::Results results = simulated_exactly(scenario);
  const std::vector<std::string> graphs = topology(scenario, results, {.at = 2s});
  REQUIRE(graphs.size() == 1);
  CHECK(has_text(graphs.front(), "100 % find no host"));
  CHECK(has_text(graphs.front(), "backend-1\\nremoved"));
  CHECK_FALSE(has_text(graphs.front(), "priority"));
}

TEST_CASE("a name of any kind stays a label") {
  scenario::Scenario scenario = support::one_service({1, 1});
  const std::string hostile = "\"]; x [label=\"<b>&lt;\\N\n";
  scenario.name = scenario.zones[0].name = scenario.clients[0].name = scenario.endpoints[0].id = hostile;
  scenario.services[0].load_assignment.endpoints[0].lb_endpoints[0].address = hostile;
  const run::Results results = simulated_exactly(scenario);
  const std::string dot = topology(scenario, results, {}).front();
  const std::string escaped = "\\\"]; x [label=\\\"<b>&amp;lt;\\\\N";
  std::size_t found = 0;
  for (std::size_t at = dot.find(escaped); at != std::string::npos; at = dot.find(escaped, at + 1)) {
    ++found;
  }
  CHECK(found == 4);
  CHECK_FALSE(has_text(dot, "\"]; x [label=\"<b>&lt;"));
}

TEST_CASE("an arrow whose share depends on requests in flight is unknown, those of like hosts together are exact") {
  const auto reading = scenario::read_scenario_text("slow.yaml", R"(
duration: 1s
mode: exact
zones: [{ name: a }, { name: b }]
services: [{ name: s, endpoints: [{ count: 2, zone: a, service_time: 1ms }, { id: slow, zone: b, service_time: 9ms }] }]
clusters: [{ name: s, lb_policy: LEAST_REQUEST }]
clients: [{ name: c, zone: a, workload: { service: s, rate: 500rps } }]
)");
  REQUIRE(reading.scenario);
  const run::Results results = simulated_exactly(*reading.scenario);
  const auto alone = topology_models(*reading.scenario, results, {.detail = Detail::endpoint});
  REQUIRE(alone.size() == 1);
  REQUIRE(alone.front().arrows.size() == 3);
  for (const Arrow& arrow : alone.front().arrows) {
    CHECK_FALSE(arrow.known);
  }
  CHECK(alone.front().clients.front().no_host == 0.0);
  CHECK(has_text(topology(*reading.scenario, results, {.detail = Detail::endpoint}).front(), "<br/>?<"));

  scenario::Scenario alike = *reading.scenario;
  for (scenario::Endpoint& endpoint : alike.endpoints) {
    endpoint.service_time = std::chrono::milliseconds{1};
    endpoint.node = alike.endpoints.front().node;
  }
  const auto together = topology_models(alike, simulated_exactly(alike), {.detail = Detail::zone});
  REQUIRE(together.front().arrows.size() == 1);
  CHECK(together.front().arrows.front().known);
  CHECK(together.front().arrows.front().share == Approx(1.0));
}
