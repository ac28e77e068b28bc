#include "sim/run/parts/components.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/run/parts/part.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace std::chrono_literals;
using namespace spillway;

namespace {

scenario::Scenario scenario_of(const std::string& text) {
  scenario::Reading reading = scenario::read_scenario_text("parts.yaml", text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return *std::move(reading.scenario);
}

std::vector<std::uint32_t> components_of(const std::string& text) {
  const scenario::Scenario scenario = scenario_of("duration: 10s\n" + text);
  const run::Components components(scenario);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    numbers.push_back(components.of(config::ClientEntryIndex{client}));
  }
  return numbers;
}

constexpr auto three_services = R"(
zones: [{ name: a }, { name: b }]
links: [{ between: [a, b], latency: 3ms }]
services:
  - { name: s, endpoints: [{ count: 3, zone: a }] }
  - { name: t, endpoints: [{ count: 3, zone: a }] }
  - { name: u, endpoints: [{ count: 3, zone: b }] }
)";

}  // namespace

TEST_CASE("clients of different services have nothing to do with each other, though they share zones and links") {
  CHECK(components_of(std::string(three_services) +
                      "clients:\n"
                      "  - { name: x, zone: a, workload: { service: u, rate: 10rps } }\n"
                      "  - { name: y, zone: a, workload: { service: s, rate: 10rps } }\n"
                      "  - { name: z, zone: b, workload: { service: u, rate: 10rps } }\n"
                      "  - { name: w, zone: b, workload: { service: t, rate: 10rps } }\n") ==
        std::vector<std::uint32_t>{0, 1, 0, 2});
}

TEST_CASE("a client of two services joins the clients of both") {
  CHECK(
      components_of(std::string(three_services) +
                    "routes:\n"
                    "  - match: { prefix: /s }\n    route: { cluster: s }\n"
                    "  - match: { prefix: /both }\n"
                    "    route: { weighted_clusters: { clusters: [{ name: s, weight: 1 }, { name: t, weight: 1 }] } }\n"
                    "  - match: { prefix: /t }\n    route: { cluster: t }\n"
                    "  - match: { prefix: /u }\n    route: { cluster: u }\n"
                    "clients:\n"
                    "  - { name: x, zone: a, workload: { path: /s, rate: 10rps } }\n"
                    "  - { name: y, zone: a, workload: { path: /u, rate: 10rps } }\n"
                    "  - { name: z, zone: b, workload: { path: /t, rate: 10rps } }\n"
                    "  - { name: w, zone: b, workload: { path: /both, rate: 10rps } }\n") ==
      std::vector<std::uint32_t>{0, 1, 0, 0});
}

TEST_CASE(
    "services whose endpoints share the cores of a node are one component, those on a node without limit are not") {
  const auto on_one_node = [](const std::string& cores) {
    return components_of("zones: [{ name: a, nodes: [{ name: n" + cores +
                         " }] }]\n"
                         "services:\n"
                         "  - { name: s, endpoints: [{ count: 3, node: n, service_time: 1ms }] }\n"
                         "  - { name: t, endpoints: [{ count: 3, node: n, service_time: 1ms }] }\n"
                         "clients:\n"
                         "  - { name: x, zone: a, workload: { service: s, rate: 10rps } }\n"
                         "  - { name: y, zone: a, workload: { service: t, rate: 10rps } }\n");
  };
  CHECK(on_one_node(", cores: 4") == std::vector<std::uint32_t>{0, 0});
  CHECK(on_one_node("") == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("an aggregate cluster joins the clients of its children") {
  CHECK(components_of(std::string(three_services) +
                      "  - { name: all }\n"
                      "clusters:\n"
                      "  - name: all\n    lb_policy: CLUSTER_PROVIDED\n    cluster_type:\n"
                      "      name: envoy.clusters.aggregate\n      typed_config:\n"
                      "        \"@type\": "
                      "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig\n"
                      "        clusters: [s, u]\n"
                      "clients:\n"
                      "  - { name: x, zone: a, workload: { service: u, rate: 10rps } }\n"
                      "  - { name: y, zone: a, workload: { service: t, rate: 10rps } }\n"
                      "  - { name: z, zone: b, workload: { service: all, rate: 10rps } }\n") ==
        std::vector<std::uint32_t>{0, 1, 0});
}

TEST_CASE("parts are of about the same size, and all of their clients are in one each") {
  std::string text = "duration: 10s\nzones: [{ name: a }]\nservices:\n";
  std::string clients = "clients:\n";
  const std::vector<std::string> rates{"10rps", "70rps", "20rps", "40rps", "30rps"};
  for (std::size_t number = 0; number < rates.size(); ++number) {
    const std::string name = "s" + std::to_string(number);
    text += "  - { name: " + name + ", endpoints: [{ count: 2, zone: a }] }\n";
    clients += "  - { name: c" + std::to_string(number) + ", zone: a, workload: { service: " + name +
               ", rate: " + rates[number] + " } }\n";
  }
  const std::vector<run::Part> parts = run::parts_of(scenario_of(text + clients), 2);
  REQUIRE(parts.size() == 2);
  // 70 + 20 and 40 + 30 + 10: the largest first, each to the part that has least.
  CHECK(parts[0].clients == std::vector{config::ClientEntryIndex{1}, config::ClientEntryIndex{2}});
  CHECK(parts[0].requests == Approx(900.0));
  CHECK(parts[1].clients ==
        std::vector{config::ClientEntryIndex{0}, config::ClientEntryIndex{3}, config::ClientEntryIndex{4}});
  CHECK(parts[1].requests == Approx(800.0));
}
