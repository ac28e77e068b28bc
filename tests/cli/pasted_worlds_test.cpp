// The worlds around pasted documents: zones, Rollouts, gateways, headless Services, destinations of Kuma.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

using spillway::support::Finished;
using spillway::support::run_program;
using spillway::support::TemporaryFolder;

namespace {

nlohmann::json shared(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"share", file, "--quiet", "-o", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Finished finished = run_program(arguments);
  CAPTURE(finished.output, finished.error);
  REQUIRE(finished.code == 0);
  return nlohmann::json::parse(finished.output);
}

// Returns the exact shares of a client by the value of a key.
std::map<std::string, double> shares_by(const nlohmann::json& document, const std::string& caller,
                                        const std::string& key) {
  std::map<std::string, double> sums;
  for (const auto& share : document.at("shares")) {
    if (share.at("client") == caller) {
      sums[share.at(key)] += share.at("exact").get<double>();
    }
  }
  return sums;
}

constexpr const char* rule_of_web =
    "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { name: web }\nspec: { host: web }\n";

}  // namespace

TEST_CASE("Zones are those of the mesh's settings, of --zones with regions, and of EndpointSlices without Nodes") {
  TemporaryFolder folder;
  const std::string settings = std::string(rule_of_web) + R"(---
apiVersion: v1
kind: ConfigMap
metadata: { name: istio, namespace: istio-system }
data:
  mesh: |-
    localityLbSetting:
      distribute: [{ from: us/east/*, to: { "us/east/*": 80, "us/west/*": 20 } }]
)";
  const auto of_mesh = shared(folder.write("mesh.yaml", settings));
  CHECK(shares_by(of_mesh, "client-east", "zone").at("east") == Approx(0.8));
  const auto of_option = shared(folder.write("rule.yaml", settings), {"--zones", "us/east:2,us/west:2,eu/other:2"});
  CHECK(shares_by(of_option, "client-east", "zone").at("west") == Approx(0.2));
  const auto of_slices = shared(folder.write("slices.yaml", R"(apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, name: http }], trafficDistribution: PreferClose }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: http, port: 80 }]
endpoints:
  - { addresses: [10.0.0.1], conditions: { ready: true }, zone: eu-a, nodeName: n1, targetRef: { kind: Pod, name: web-1 } }
  - { addresses: [10.0.0.2], conditions: { ready: true }, zone: eu-b, nodeName: n2, targetRef: { kind: Pod, name: web-2 } }
)"));
  CHECK(shares_by(of_slices, "client-eu-a", "zone").at("eu-a") == 1.0);
}

// Argo Rollouts keeps the stable ReplicaSet with a traffic router, and scales the canary to its weight, rounded up.
TEST_CASE("A Rollout in the midst of an update has the pods of both ReplicaSets") {
  TemporaryFolder folder;
  const std::string text = R"(apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  replicas: 9
  strategy: { canary: { trafficRouting: { istio: {} }, steps: [{ setWeight: 25 }, { pause: {} }] } }
  template: { metadata: { labels: { app: web } } }
status: { currentPodHash: new, stableRS: old, currentStepIndex: 1 }
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: web }
spec:
  host: web
  subsets:
    - { name: canary, labels: { rollouts-pod-template-hash: new } }
    - { name: stable, labels: { rollouts-pod-template-hash: old } }
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web }
spec:
  hosts: [web]
  http: [{ route: [{ destination: { host: web, subset: stable }, weight: 75 }, { destination: { host: web, subset: canary }, weight: 25 }] }]
)";
  const auto document = shared(folder.write("rollout.yaml", text), {"--by", "client,endpoint,cluster"});
  const auto of_clusters = shares_by(document, "client-zone-1", "cluster");
  CHECK(of_clusters.at("web stable") == Approx(0.75));
  CHECK(of_clusters.at("web canary") == Approx(0.25));
  std::map<std::string, int> pods;
  for (const auto& share : document.at("shares")) {
    pods[share.at("cluster")] += share.at("client") == "client-zone-1" ? 1 : 0;
  }
  CHECK(pods.at("web stable") == 9);
  CHECK(pods.at("web canary") == 3);
}

TEST_CASE("Services behind a gateway are called by it, and directly if asked for") {
  TemporaryFolder folder;
  const std::string route = folder.write("route.yaml", R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec: { parentRefs: [{ name: g }], hostnames: [shop.example], rules: [{ backendRefs: [{ name: cart, port: 80 }] }] }
)");
  const Finished all = run_program({"share", route, "--quiet"});
  CHECK(all.output.find("only the gateway calls `cart`") != std::string::npos);
  CHECK(all.output.find("to cart") == std::string::npos);
  CHECK(run_program({"share", route, "--to", "cart", "--quiet"}).output.find("-> cart") != std::string::npos);
  const Finished explained = run_program({"explain", route, "--quiet"});
  CHECK(explained.output.find("HTTPRoute default/shop") != std::string::npos);
  CHECK(explained.output.find("VirtualService") == std::string::npos);
}

// Istio's pilot/pkg/config/kube/gateway/conversion.go: sortHTTPRoutes, convertHTTPRoute.
TEST_CASE("Rules of an HTTPRoute have the order, retries and timeouts that istiod gives them") {
  TemporaryFolder folder;
  const std::string route = folder.write("route.yaml", R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: shop }
spec:
  parentRefs: [{ group: "", kind: Service, name: shop }]
  rules:
    - backendRefs: [{ name: rest, port: 80 }]
    - matches: [{ path: { value: /cart/ } }]
      backendRefs: [{ name: cart, port: 80, weight: 1 }, { name: gone, port: 80, weight: 0 }]
      retry: { codes: [500], backoff: 10ms }
      timeouts: { request: 1m30s, backendRequest: 2s }
    - filters: [{ type: RequestRedirect, requestRedirect: { scheme: https } }]
      matches: [{ path: { type: Exact, value: /old } }]
)");
  const std::string scenario = folder.path("scenario.yaml");
  REQUIRE(run_program({"init", route, "-o", scenario}).code == 0);
  const std::string text = spillway::support::contents(scenario);
  CHECK(text.find("\"prefix\":\"/cart\"") < text.find("\"prefix\":\"/\"}"));
  CHECK(text.find("\"attempts\":2,\"retryOn\":\"connect-failure,refused-stream,unavailable,cancelled,500\","
                  "\"perTryTimeout\":\"2s\",\"backoff\":\"0.01s\"") != std::string::npos);
  CHECK(text.find("\"timeout\":\"90s\"") != std::string::npos);
  CHECK(text.find("gone") == std::string::npos);
  CHECK(text.find("a rule without backends (a redirect, or weights of 0) is left out") != std::string::npos);
}

TEST_CASE("A headless Service is named: no proxy picks its pods") {
  TemporaryFolder folder;
  const std::string text =
      "{ apiVersion: v1, kind: Service, metadata: { name: db }, spec: { clusterIP: None, ports: [{ port: 80 }] } }\n"
      "---\n" +
      std::string(rule_of_web);
  const std::string file = folder.write("mesh.yaml", text);
  CHECK(run_program({"share", file, "--quiet"}).output.find("no requests to headless Services") != std::string::npos);
  const Finished asked = run_program({"share", file, "--to", "db", "--quiet"});
  CHECK(asked.code == 2);
  CHECK(asked.error.find("headless Service") != std::string::npos);
}

// docs/behaviour/kuma.md 4: the own zone first, then what `failover` names.
TEST_CASE("A MeshMultiZoneService that a policy of Kuma names is assumed with MeshServices in all zones") {
  TemporaryFolder folder;
  const std::string policy = R"(type: MeshLoadBalancingStrategy
name: lb
mesh: default
spec:
  to:
    - targetRef: { kind: MeshMultiZoneService, labels: { kuma.io/display-name: backend } }
      default:
        localityAwareness: { crossZone: { failover: [{ from: { zones: [east] }, to: { type: Only, zones: [west] } }] } }
)";
  const std::string service = R"(type: MeshMultiZoneService
name: backend
mesh: default
labels: { kuma.io/display-name: backend }
spec: { selector: { meshService: { matchLabels: { team: shop } } }, ports: [{ port: 80, appProtocol: http }] }
---
)";
  for (const std::string& text : {policy, service + policy}) {
    const auto tried = nlohmann::json::parse(run_program({"try", folder.write("policy.yaml", text), "--zones",
                                                          "east:2,north:2,west:2", "--quiet", "-o", "json"})
                                                 .output);
    bool found = false;
    for (const auto& row : tried.at("rows")) {
      if (row.at("client") == "client-east" && row.at("rule") == true &&
          row.at("situation") == "east without ready pods") {
        found = true;
        CHECK(row.at("zones").at("west") == 1.0);
      }
    }
    CHECK(found);
  }
}

TEST_CASE("Backends of a MeshHTTPRoute with ports are MeshServices, and those with tags have endpoints with them") {
  TemporaryFolder folder;
  const auto route = [](const std::string& backends) {
    return "type: MeshHTTPRoute\nname: r\nmesh: default\nspec:\n  targetRef: { kind: Mesh }\n  to:\n    - targetRef: { "
           "kind: MeshService, name: backend }\n      rules:\n        - matches: [{ path: { type: PathPrefix, value: / "
           "} }]\n          default: { backendRefs: [" +
           backends + "] }\n";
  };
  const auto of_ports = shared(folder.write("ports.yaml", route("{ kind: MeshService, name: v0, port: 3001, weight: 90 "
                                                                "}, { kind: MeshService, name: v1, port: 3001, weight: "
                                                                "10 }")),
                               {"--to", "backend", "--from", "zone-1"});
  const auto by_cluster = [](const nlohmann::json& document) {
    std::map<std::string, double> sums;
    for (const auto& share : document.at("shares")) {
      sums[share.at("cluster")] += share.at("exact").get<double>();
    }
    return sums;
  };
  CHECK(by_cluster(of_ports).at("v0.svc.zone-1") == Approx(1.0));  // of the requests that the route gives it
  const Finished in_words =
      run_program({"share", folder.path("ports.yaml"), "--to", "backend", "--from", "zone-1", "--quiet"});
  CHECK(in_words.output.find("-> v0.svc.zone-1") != std::string::npos);
  CHECK(in_words.output.find("90 % of ") != std::string::npos);
  const auto of_tags = shared(
      folder.write("tags.yaml", route("{ kind: MeshServiceSubset, name: backend, tags: { version: a }, weight: 90 "
                                      "}, { kind: MeshServiceSubset, name: backend, tags: { version: b }, weight: "
                                      "10 }")),
      {"--from", "zone-1", "--by", "cluster"});
  double sum = 0.0;
  for (const auto& [cluster, share] : by_cluster(of_tags)) {
    sum += share;
    CHECK(share == Approx(cluster.find("version=a") != std::string::npos ? 0.9 : 0.1));
  }
  CHECK(sum == Approx(1.0));
}
