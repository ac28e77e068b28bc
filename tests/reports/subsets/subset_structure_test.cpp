#include "reports/subsets/subset_structure.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/subset_example.hpp"

using namespace spillway;
using namespace spillway::support::subset_example;
using nlohmann::json;

namespace {

scenario::Scenario example_scenario() {
  scenario::Scenario scenario;
  scenario::Service& service = scenario.services.emplace_back();
  service.name = service.cluster.name = "c1";
  service.cluster.lb_policy = example_config();
  service.load_assignment = example_hosts();
  for (const auto& endpoint : service.load_assignment.endpoints.front().lb_endpoints) {
    service.hosts.push_back({config::EndpointIndex{static_cast<std::uint32_t>(scenario.endpoints.size())}});
    scenario.endpoints.push_back({.id = endpoint.address, .node = {}});
  }
  return scenario;
}

std::string formatted(const scenario::Scenario& scenario, reports::SubsetFormat format) {
  return reports::format_subsets(reports::subset_structures(scenario), format, {});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the document's cluster is printed as the tree of its diagram") {
  CHECK(formatted(example_scenario(), reports::SubsetFormat::table) ==
        "c1: 10 subsets of 7 hosts\n"
        "\n"
        " selector          fallback        single host   subsets\n"
        " stage, type       the cluster's   no                  3\n"
        " stage, version    the cluster's   no                  3\n"
        " version           the cluster's   no                  3\n"
        " version, xlarge   the cluster's   no                  1\n"
        "\n"
        " stage\n"
        " ├─ = prod\n"
        " │    ├─ type\n"
        " │    │  ├─ = std       e1, e2, e3, e4\n"
        " │    │  └─ = bigmem    e5, e6\n"
        " │    └─ version\n"
        " │       ├─ = 1.0       e1, e2, e5\n"
        " │       └─ = 1.1       e3, e4, e6\n"
        " └─ = dev\n"
        "      ├─ type\n"
        "      │  └─ = std       e7\n"
        "      └─ version\n"
        "         └─ = 1.2-pre   e7\n"
        " version\n"
        " ├─ = 1.0               e1, e2, e5\n"
        " │    └─ xlarge\n"
        " │       └─ = true      e1\n"
        " ├─ = 1.1               e3, e4, e6\n"
        " └─ = 1.2-pre           e7\n"
        "\n"
        " fallback         DEFAULT_SUBSET\n"
        " default subset   stage=prod, type=std, version=1.0: e1, e2\n");
}

TEST_CASE("the tree in JSON holds values hosts and fallbacks") {
  const json document = json::parse(formatted(example_scenario(), reports::SubsetFormat::json));
  const json& cluster = document.at("clusters").at(0);
  CHECK(cluster.at("cluster") == "c1");
  CHECK(cluster.at("subsets") == 10);
  CHECK(cluster.at("fallback_policy") == "DEFAULT_SUBSET");
  CHECK(cluster.at("default_subset").at("hosts") == json({"e1", "e2"}));
  CHECK(cluster.at("selectors").at(3).at("keys") == json({"version", "xlarge"}));
  const json& version = cluster.at("tree").at(1);
  CHECK(version.at("key") == "version");
  CHECK(version.at("values").at(0).at("value") == "1.0");
  CHECK(version.at("values").at(0).at("hosts") == json({"e1", "e2", "e5"}));
  CHECK(version.at("values").at(0).at("keys").at(0).at("values").at(0).at("hosts") == json({"e1"}));
}

TEST_CASE("drawings hold a box for every key value and subset and an arrow to the fallback") {
  const std::string dot = formatted(example_scenario(), reports::SubsetFormat::dot);
  CHECK(dot.starts_with("digraph subsets {\n"));
  CHECK(dot.ends_with("}\n"));
  CHECK(contains(dot, "[label=\"e1\\ne2\\ne5\", "));
  CHECK(contains(dot, "[label=\"default subset\\ne1\\ne2\", "));
  CHECK(contains(dot, "label=\"otherwise\""));
  const std::string mermaid = formatted(example_scenario(), reports::SubsetFormat::mermaid);
  CHECK(mermaid.starts_with("flowchart LR\n"));
  CHECK(contains(mermaid, "[\"stage\"]"));
  CHECK(contains(mermaid, "([\"prod\"])"));
  CHECK(contains(mermaid, "(\"e1<br>e2<br>e5\")"));
}

TEST_CASE("names cannot break out of a drawing") {
  scenario::Scenario scenario = example_scenario();
  scenario.services.front().name = "a\"b\\c<d>#e";
  CHECK(contains(formatted(scenario, reports::SubsetFormat::dot), "label=\"a\\\"b\\\\c<d>#e\""));
  CHECK(contains(formatted(scenario, reports::SubsetFormat::mermaid), "[\"a#34;b\\c#60;d#62;#35;e\"]"));
}

TEST_CASE("hosts that a change adds later are in no subset yet") {
  scenario::Scenario scenario = example_scenario();
  scenario.services.front().absent_at_start = {config::HostIndex{6}};
  const auto structures = reports::subset_structures(scenario);
  REQUIRE(structures.size() == 1);
  CHECK(structures.front().subsets.size() == 7);
  CHECK(structures.front().all == std::vector<std::string>{"e1", "e2", "e3", "e4", "e5", "e6"});
}

TEST_CASE("a cluster without the subset policy has no structure") {
  scenario::Scenario scenario = example_scenario();
  CHECK(reports::subset_structures(scenario, "another").empty());
  scenario.services.front().cluster.lb_policy = envoy::policies::round_robin::Config{};
  CHECK(reports::subset_structures(scenario).empty());
}
