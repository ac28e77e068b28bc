// The bootstrap of a client under Kuma's documents has the listeners that Kuma writes, one for each outbound.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "reports/envoy/export.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

using namespace spillway;
using nlohmann::json;

namespace {

// Two outbounds of `web`: http with a route for /api, and tcp.
std::string mesh(const std::string& action) {
  return R"(duration: 1s
mode: exact
profile: { kuma: release-2.14 }
zones: [{ name: z1 }]
resources:
  - { type: Mesh, name: default }
  - { type: Dataplane, name: a-1, mesh: default, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { kuma.io/service: a, kuma.io/zone: z1, kuma.io/protocol: http, v: v1 } }] } }
  - { type: Dataplane, name: a-2, mesh: default, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { kuma.io/service: a, kuma.io/zone: z1, kuma.io/protocol: http, v: v2 } }] } }
  - { type: Dataplane, name: b-1, mesh: default, networking: { address: 10.0.0.3, inbound: [{ port: 80, tags: { kuma.io/service: b, kuma.io/zone: z1, kuma.io/protocol: tcp } }] } }
  - { type: Dataplane, name: web, mesh: default, networking: { address: 10.0.1.1, inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z1 } }], outbound: [{ port: 9000, tags: { kuma.io/service: a } }, { port: 9001, tags: { kuma.io/service: b } }] } }
policies:
  - type: MeshHTTPRoute
    name: api
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to:
        - targetRef: { kind: MeshService, name: a }
          rules:
            - matches: [{ path: { type: PathPrefix, value: /api }, method: POST, queryParams: [{ type: Exact, name: v, value: "2" }] }]
              default: { backendRefs: [{ kind: MeshServiceSubset, name: a, tags: { v: v2 } }] }
routes:
  - { match: { prefix: /, headers: [{ name: x-to, string_match: { exact: b } }] }, route: { cluster: b } }
  - { match: { prefix: / }, route: )" +
         action + R"( }
clients:
  - name: web
    zone: z1
    workload: { rate: 1rps, requests: [{ name: of-a, path: /api }, { name: of-b, headers: { x-to: b } }] }
)";
}

json exported(const std::string& text, const std::string& path) {
  const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  const auto result = reports::envoy_export::export_envoy(*reading.scenario, {});
  INFO((result.problems.empty() ? "" : result.problems.front().what));
  REQUIRE(result.problems.empty());
  const auto file =
      std::find_if(result.files.begin(), result.files.end(), [&](const auto& one) { return one.path == path; });
  REQUIRE(file != result.files.end());
  return json::parse(file->text);
}

// Its listeners but those of the endpoints.
std::vector<json> entrances(const std::string& text) {
  std::vector<json> found;
  const json bootstrap = exported(text, "bootstrap.json");
  for (const json& listener : bootstrap.at("static_resources").at("listeners")) {
    if (listener.at("name").get<std::string>().rfind("upstream-", 0) != 0) {
      found.push_back(listener);
    }
  }
  return found;
}

const json& filter_of(const json& listener) {
  return listener.at("filter_chains").at(0).at("filters").at(0);
}

}  // namespace

TEST_CASE("every outbound of Kuma is exported as a listener with an address of its own") {
  const std::vector<json> listeners = entrances(mesh("{ cluster: a }"));
  REQUIRE(listeners.size() == 2);
  const json& routes =
      filter_of(listeners[0]).at("typed_config").at("route_config").at("virtual_hosts").at(0).at("routes");
  REQUIRE(routes.size() == 3);
  CHECK(routes.at(0).at("match").at("path") == "/api");
  CHECK(routes.at(0).at("match").at("headers").at(0).at("name") == ":method");
  CHECK(routes.at(0).at("match").at("query_parameters").at(0).at("name") == "v");
  CHECK(routes.at(0).at("match").at("query_parameters").at(0).at("string_match").at("exact") == "2");
  CHECK(routes.at(1).at("match").at("prefix") == "/api/");
  CHECK(routes.at(2).at("match").at("prefix") == "/");
  CHECK(routes.at(0).at("route").at("cluster") != routes.at(2).at("route").at("cluster"));
  CHECK(filter_of(listeners[0]).at("typed_config").at("normalize_path") == true);
  CHECK(filter_of(listeners[1]).at("name") == "envoy.filters.network.tcp_proxy");
  CHECK(filter_of(listeners[1]).at("typed_config").at("cluster") == "b");
  CHECK(listeners[0].at("address").at("socket_address").at("address") == "127.0.0.1");
  CHECK(listeners[1].at("address").at("socket_address").at("address") == "127.0.0.2");
}

TEST_CASE("each kind of requests is listed with the listener that it enters") {
  const json requests = exported(mesh("{ cluster: a }"), "requests.json").at("requests");
  REQUIRE(requests.size() == 2);
  CHECK(requests.at(0).at("name") == "of-a");
  CHECK(requests.at(0).at("address") == "127.0.0.1:15000");
  CHECK(requests.at(1).at("address") == "127.0.0.2:15000");
}

TEST_CASE("a kind of requests that the scenario divides is listed once for each listener") {
  const json requests =
      exported(mesh("{ weighted_clusters: { clusters: [{ name: a, weight: 3 }, { name: b, weight: 1 }] } }"),
               "requests.json")
          .at("requests");
  REQUIRE(requests.size() == 3);
  CHECK(requests.at(0).at("weight") == 0.75);
  CHECK(requests.at(1).at("weight") == 0.25);
  CHECK(requests.at(0).at("address") != requests.at(1).at("address"));
}

TEST_CASE("routes of the scenario that do more than choose a service are exported as one listener") {
  const std::vector<json> listeners = entrances(mesh("{ cluster: a, timeout: 3s }"));
  REQUIRE(listeners.size() == 1);
  CHECK(listeners[0].at("name") == "inbound");
}
