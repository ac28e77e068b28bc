// The configuration that Kuma's own code made of documents (kuma-whole.json) does not differ from what is compiled from
// them; a changed field of it does.
#include "reports/dump_check/kuma_dump.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "reports/dump_check/dump_check.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using nlohmann::json;

namespace {

const json& recorded_cases() {
  static const json file = json::parse(std::ifstream(SPILLWAY_SOURCE_DIR "/tests/conformance/cases/kuma-whole.json"));
  return file.at("cases");
}

scenario::Scenario scenario_of(const json& test_case) {
  const json document = {
      {"duration", "1s"},
      {"mode", "exact"},
      {"profile", {{"kuma", test_case.at("profile")}}},
      {"zones", json::array({{{"name", "z1"}}})},
      {"resources", test_case.at("resources")},
      {"policies", test_case.at("policies")},
      {"clients",
       json::array({{{"name", "web"},
                     {"zone", "z1"},
                     {"workload",
                      {{"service", test_case.at("service")}, {"rate", "1rps"}, {"requests", {{{"path", "/"}}}}}}}})}};
  const scenario::Reading reading = scenario::read_scenario_text("mesh.json", document.dump());
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

scenario::ProxyConfiguration dump_of(const json& kuma) {
  const json bootstrap = {
      {"node", {{"id", "default.web"}}},
      {"staticResources", {{"listeners", json::array({kuma.at("listener")})}, {"clusters", kuma.at("clusters")}}}};
  json assignments = json::array();
  for (json assignment : kuma.at("load_assignments")) {
    assignment["@type"] = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment";
    assignments.push_back(assignment);
  }
  return scenario::ProxyConfiguration::read(
      Sources{{"bootstrap.json", bootstrap.dump()}, {"assignments.json", json{{"resources", assignments}}.dump()}});
}

reports::held::Beside beside(const json& test_case, const json& kuma) {
  const scenario::Scenario scenario = scenario_of(test_case);
  return reports::held::check_kuma_dump(scenario, scenario.clients.front(), dump_of(kuma), std::nullopt);
}

std::string first_of(const reports::held::Beside& found) {
  if (found.agrees()) {
    return "agrees";
  }
  const auto& one = found.differences.front();
  return one.of + ": " + one.what + ": " + one.documents + ", " + one.proxy;
}

// A case of an http service with a route to several clusters.
const json& divided_case() {
  for (const json& test_case : recorded_cases()) {
    const json& filter = test_case.at("kuma").at("listener").at("filterChains").at(0).at("filters").at(0);
    if (filter.dump().find("weightedClusters") != std::string::npos &&
        filter.at("name") == "envoy.filters.network.http_connection_manager") {
      return test_case;
    }
  }
  FAIL("no case has one");
  return recorded_cases().front();
}

}  // namespace

TEST_CASE("what Kuma made of documents does not differ from what is compiled from them", "[dump]") {
  std::size_t clusters = 0;
  std::size_t endpoints = 0;
  for (std::size_t number = 0; number < recorded_cases().size(); number += support::stride_of_cases) {
    const json& test_case = recorded_cases()[number];
    INFO(test_case.at("name"));
    const reports::held::Beside found = beside(test_case, test_case.at("kuma"));
    CHECK(first_of(found) == "agrees");
    CHECK(found.not_compared.empty());
    clusters += found.clusters;
    endpoints += found.endpoints;
  }
  CHECK(clusters > support::cases_of(254));
  CHECK(endpoints > support::cases_of(400));
}

TEST_CASE("a changed field of a Kuma sidecar is one difference", "[dump]") {
  const json& test_case = divided_case();
  const auto differences = [&](const char* pointer, const json& value) {
    json kuma = test_case.at("kuma");
    kuma[json::json_pointer(pointer)] = value;
    return beside(test_case, kuma).differences.size();
  };
  const std::string manager = "/listener/filterChains/0/filters/0/typedConfig";
  CHECK(differences((manager + "/normalizePath").c_str(), false) == 1);
  CHECK(differences((manager + "/routeConfig/virtualHosts/0/routes/0/route/timeout").c_str(), "77s") == 1);
  CHECK(differences((manager + "/mergeSlashes").c_str(), true) == 1);
  CHECK(differences("/clusters/0/connectTimeout", "77s") == 1);
  CHECK(differences("/load_assignments/0/endpoints/0/lbEndpoints/0/loadBalancingWeight", 77) == 1);
}

TEST_CASE("a listener and a cluster that a Kuma sidecar lacks are differences", "[dump]") {
  const json& test_case = divided_case();
  json kuma = test_case.at("kuma");
  kuma["listener"]["name"] = "another";
  kuma["listener"]["address"]["socketAddress"]["portValue"] = 1;
  CHECK(beside(test_case, kuma).differences.size() == 1);
  kuma = test_case.at("kuma");
  kuma["clusters"].erase(0);
  const auto found = beside(test_case, kuma);
  REQUIRE(found.differences.size() == 1);
  CHECK(found.differences.front().proxy == "not there");
}
