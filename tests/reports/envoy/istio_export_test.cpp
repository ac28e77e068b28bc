// What a client's own proxy gets of Istio's documents, as a bootstrap; and the same mesh in a capacity plan.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "reports/envoy/export.hpp"
#include "sim/plan/plan.hpp"
#include "sim/scenario/scenario_template.hpp"

using namespace spillway;
using nlohmann::json;

namespace {

const std::string documented = SPILLWAY_SOURCE_DIR "/scenarios/documented/istio/";

// Two zones with a pod each of two versions; routes by query, then by weight.
const std::string routed_mesh = R"(duration: 2s
mode: exact
resources:
  - { apiVersion: v1, kind: Node, metadata: { name: n1, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1 } } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-1, labels: { app: web, version: v1 } }, spec: { nodeName: n1 }, status: { podIP: 10.1.1.1 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-2, labels: { app: web, version: v2 } }, spec: { nodeName: n1 }, status: { podIP: 10.1.1.2 } }
  - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] } }
  - apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
    ports: [{ name: http, port: 8080 }]
    endpoints:
      - { addresses: [10.1.1.1], targetRef: { kind: Pod, name: web-1 } }
      - { addresses: [10.1.1.2], targetRef: { kind: Pod, name: web-2 } }
  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web }, spec: { host: web, subsets: [{ name: v1, labels: { version: v1 } }, { name: v2, labels: { version: v2 } }] } }
  - apiVersion: networking.istio.io/v1
    kind: VirtualService
    metadata: { name: web }
    spec:
      hosts: [web]
      http:
        - { match: [{ queryParams: { beta: { exact: "1" } } }], route: [{ destination: { host: web, subset: v2 } }] }
        - route: [{ destination: { host: web, subset: v1 }, weight: 75 }, { destination: { host: web, subset: v2 }, weight: 25 }]
clients:
  - name: c
    node: n1
    workload: { service: web, rate: 10rps, requests: [{ name: beta, path: "/?beta=1" }, { name: others, path: "/" }] }
)";

json bootstrap_of(const scenario::Scenario& scenario) {
  const auto exported = reports::envoy_export::export_envoy(scenario, {});
  INFO((exported.problems.empty() ? "" : exported.problems.front().what));
  REQUIRE(exported.problems.empty());
  const auto file = std::find_if(exported.files.begin(), exported.files.end(),
                                 [](const auto& one) { return one.path == "bootstrap.json"; });
  REQUIRE(file != exported.files.end());
  return json::parse(file->text);
}

const json& cluster_named(const json& bootstrap, const std::string& name) {
  const json& clusters = bootstrap.at("static_resources").at("clusters");
  const auto found =
      std::find_if(clusters.begin(), clusters.end(), [&](const json& one) { return one.at("name") == name; });
  REQUIRE(found != clusters.end());
  return *found;
}

}  // namespace

TEST_CASE("an export of Istio's documents has the routes of the proxy, matches of the query among them", "[istio]") {
  const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", routed_mesh);
  REQUIRE(reading.scenario);
  const json bootstrap = bootstrap_of(*reading.scenario);
  const std::string host = "outbound|80|v2|web.default.svc.cluster.local";
  const json& routes = bootstrap.at(json::json_pointer(
      "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0/routes"));
  REQUIRE(routes.size() == 2);
  CHECK(routes[0].at("match").at("query_parameters") ==
        json::array({{{"name", "beta"}, {"string_match", {{"exact", "1"}}}}}));
  CHECK(routes[0].at("route").at("cluster") == host);
  CHECK_FALSE(routes[1].at("match").contains("query_parameters"));
  const json& weighted = routes[1].at("route").at("weighted_clusters").at("clusters");
  REQUIRE(weighted.size() == 2);
  CHECK(weighted[0].at("weight") == 75);
  CHECK(weighted[1].at("name") == host);
  CHECK(weighted[1].at("weight") == 25);
  cluster_named(bootstrap, host);
}

TEST_CASE("an export of Istio's locality failover has a priority for each step of the failover", "[istio]") {
  const scenario::Reading reading = scenario::read_scenario_file(documented + "locality-failover.yaml");
  REQUIRE(reading.scenario);
  const auto exported = reports::envoy_export::export_envoy(*reading.scenario, {});
  REQUIRE(exported.problems.empty());
  std::vector<int> priorities;
  for (const auto& file : exported.files) {
    if (file.path.starts_with("eds/")) {
      const json response = json::parse(file.text);
      for (const json& assignment : response.at("resources")) {
        for (const json& group : assignment.at("endpoints")) {
          priorities.push_back(group.value("priority", 0));
        }
      }
    }
  }
  for (const int priority : {0, 1, 2, 3}) {
    CHECK(std::count(priorities.begin(), priorities.end(), priority) == 1);
  }
}

TEST_CASE("a plan of Istio's documents sends to the next locality what the lost one had", "[istio]") {
  const scenario::ScenarioTemplate base(documented + "locality-failover.yaml");
  REQUIRE(base.reading().scenario);
  const auto made = plan::make_plan(base, {.rows_alone = true});
  REQUIRE(std::holds_alternative<plan::Plan>(made));
  const scenario::Scenario& scenario = *base.reading().scenario;
  const auto zone = [&](const std::string& name) {
    const auto found = std::find_if(scenario.zones.begin(), scenario.zones.end(),
                                    [&](const scenario::Zone& one) { return one.name == name; });
    REQUIRE(found != scenario.zones.end());
    return static_cast<std::size_t>(found - scenario.zones.begin());
  };
  // The client's own zone, then the other one of its region once the own endpoint is lost.
  const auto& rows = std::get<plan::Plan>(made).rows;
  CHECK(rows.front().zone_shares[zone("zone1")] == Approx(1.0));
  const auto lost = std::find_if(rows.begin(), rows.end(), [&](const plan::Row& row) {
    return row.failure.silent.empty() && row.failure.endpoints.size() == 1 &&
           scenario.endpoints[row.failure.endpoints.front().value].id == "helloworld-zone1";
  });
  REQUIRE(lost != rows.end());
  CHECK(lost->zone_shares[zone("zone2")] == Approx(1.0));
}
