#include "sim/sweep/path.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "models/documents/parse.hpp"
#include "sim/sweep/values.hpp"

using namespace spillway;
using namespace spillway::sweep;

namespace {

const std::string mesh = R"(
services:
  - name: cart
    endpoints:
      - { count: 4, zone: zone-1 }
      - { count: 2, zone: zone-2 }
clusters:
  - name: cart
    outlierDetection: { maxEjectionPercent: 10 }
clients:
  - { name: gw, workload: { service: cart, rate: 200rps } }
policies:
  - name: mesh-lb
    spec: { to: [ { default: { localityAwareness: { crossZone: { failoverThreshold: { percentage: 70 } } } } } ] }
)";

documents::Node parsed() {
  Sources sources{{"mesh.yaml", mesh}};
  Diagnostics problems;
  return *documents::parse(sources, 0, problems);
}

std::optional<PathProblem> put(documents::Node& root, const std::string& path, const std::string& value) {
  return assign(root, std::get<Path>(parse_path(path)), node_of(value, {}));
}

}  // namespace

TEST_CASE("sweep: a path leads to an element by its name, its position or a condition") {
  auto root = parsed();
  REQUIRE_FALSE(put(root, "services[cart].endpoints[0].count", "7"));
  REQUIRE_FALSE(put(root, "services[0].endpoints[zone=zone-2].count", "9"));
  const auto& endpoints = root.find("services")->value.items[0].find("endpoints")->value.items;
  CHECK(endpoints[0].find("count")->value.magnitude == 7);
  CHECK(endpoints[1].find("count")->value.magnitude == 9);
  REQUIRE_FALSE(put(root, "services[*].endpoints[*].count", "3"));
  CHECK(root.find("services")->value.items[0].find("endpoints")->value.items[0].find("count")->value.magnitude == 3);
  CHECK(root.find("services")->value.items[0].find("endpoints")->value.items[1].find("count")->value.magnitude == 3);
}

TEST_CASE("sweep: keys of Envoy's are found in both spellings, and keys that are not there are added") {
  auto root = parsed();
  REQUIRE_FALSE(put(root, "clusters[cart].outlier_detection.max_ejection_percent", "50"));
  const auto& cluster = root.find("clusters")->value.items[0];
  CHECK(cluster.find("outlierDetection")->value.find("maxEjectionPercent")->value.magnitude == 50);
  CHECK(cluster.find("outlier_detection") == nullptr);
  REQUIRE_FALSE(put(root, "clusters[cart].circuit_breakers.thresholds", "[{max_requests: 5}]"));
  CHECK(root.find("clusters")->value.items[0].find("circuit_breakers")->value.find("thresholds")->value.items.size() ==
        1);
}

TEST_CASE("sweep: a bare number takes the unit that the scenario has there, another one keeps its own") {
  auto root = parsed();
  REQUIRE_FALSE(put(root, "clients[gw].workload.rate", "500"));
  const auto rate = [&] { return root.find("clients")->value.items[0].find("workload")->value.find("rate")->value; };
  CHECK(rate().kind == documents::Kind::string);
  CHECK(rate().text == "500rps");
  REQUIRE_FALSE(put(root, "clients[gw].workload.rate", "2.5rps"));
  CHECK(rate().text == "2.5rps");
  REQUIRE_FALSE(put(root, "clients[gw].name", "7"));
  CHECK(root.find("clients")->value.items[0].find("name")->value.kind == documents::Kind::string);
}

TEST_CASE("sweep: three dots find the one key of a name below, and refuse to choose among several") {
  auto root = parsed();
  REQUIRE_FALSE(put(root, "policies[mesh-lb]...percentage", "90"));
  const auto several = put(root, "services[cart]...count", "1");
  REQUIRE(several);
  CHECK(several->message == "`cart` has 2 keys `count` below it");
  CHECK(put(root, "services[cart]...nothing", "1")->message == "`cart` has no `nothing` anywhere below it");
}

TEST_CASE("sweep: a path that leads nowhere says where, and what was meant") {
  auto root = parsed();
  const auto element = put(root, "services[crat].endpoints[0].count", "1");
  REQUIRE(element);
  CHECK(element->message == "`services` has no element `crat`");
  CHECK(element->help == "did you mean `cart`?");
  CHECK(element->begin == 9);
  CHECK(element->length == 4);
  const auto list = put(root, "servces[cart].name", "x");
  REQUIRE(list);
  CHECK(list->help == "did you mean `services`?");
  CHECK(put(root, "services.name", "x")->help == "write an element in brackets, by its name or position");
  CHECK(std::holds_alternative<PathProblem>(parse_path("")));
  CHECK(std::holds_alternative<PathProblem>(parse_path("clients[")));
  CHECK(std::holds_alternative<PathProblem>(parse_path("clients[].rate")));
  CHECK(std::holds_alternative<PathProblem>(parse_path(".rate")));
  CHECK(std::holds_alternative<PathProblem>(parse_path("clients..rate")));
}

TEST_CASE("Of several elements of a name the one in which the rest of the path exists is meant") {
  Sources sources{
      {"mesh.yaml",
       "resources:\n  - { kind: Service, metadata: { name: web }, spec: { ports: [] } }\n"
       "  - { kind: VirtualService, metadata: { name: web }, spec: { http: [{ route: [{ weight: 1 }] }] } }\n"}};
  Diagnostics problems;
  documents::Node root = *documents::parse(sources, 0, problems);
  REQUIRE_FALSE(put(root, "resources[web].spec.http[0].route[0].weight", "7"));
  const documents::Node& routes = root.find("resources")->value.items[1].find("spec")->value.find("http")->value;
  CHECK(routes.items[0].find("route")->value.items[0].find("weight")->value.magnitude == 7);
  const auto both = put(root, "resources[web].kind", "x");
  REQUIRE(both);
  CHECK(both->label == "ambiguous");
}
