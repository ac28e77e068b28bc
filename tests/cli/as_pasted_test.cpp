#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

using spillway::support::Finished;
using spillway::support::run_program;
using spillway::support::TemporaryFolder;

namespace {

// Istio's documentation: outlier detection turns on priorities by locality, which keep requests in the zone.
constexpr const char* ejecting_rule = R"(apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: cart, namespace: shop }
spec:
  host: cart
  trafficPolicy:
    outlierDetection: { consecutive5xxErrors: 5 }
)";

}  // namespace

TEST_CASE("A rule alone is shared, and everything that was assumed is named") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", ejecting_rule);
  const Finished table = run_program({"share", rule, "--quiet"});
  CAPTURE(table.output, table.error);
  CHECK(table.code == 0);
  CHECK(table.output.find("-> cart ") != std::string::npos);
  CHECK(table.output.find("assumed: three zones") != std::string::npos);
  const Finished json = run_program({"share", rule, "--quiet", "-o", "json"});
  const auto document = nlohmann::json::parse(json.output);
  CHECK_FALSE(document.at("assumed").empty());
  for (const auto& share : document.at("shares")) {
    const std::string zone = share.at("zone");
    CHECK(share.at("exact") == (share.at("client") == "client-" + zone ? 0.5 : 0.0));
  }
}

TEST_CASE("What a rule does is shown against the world without it") {
  TemporaryFolder folder;
  const Finished tried = run_program({"try", folder.write("rule.yaml", ejecting_rule), "--quiet", "-o", "json"});
  CAPTURE(tried.output, tried.error);
  REQUIRE(tried.code == 0);
  const auto document = nlohmann::json::parse(tried.output);
  for (const auto& row : document.at("rows")) {
    if (row.at("client") == "client-zone-1" && row.at("situation") == "all pods ready") {
      CHECK(row.at("shares").value("zone-1", 0.0) == Approx(row.at("rule") == true ? 1.0 : 1.0 / 3.0));
    }
  }
}

TEST_CASE("A written scenario runs as it is and gives the shares of the documents") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", ejecting_rule);
  const std::string scenario = folder.path("scenario.yaml");
  REQUIRE(run_program({"init", rule, "-o", scenario}).code == 0);
  const auto before = nlohmann::json::parse(run_program({"share", rule, "--quiet", "-o", "json"}).output);
  const auto after = nlohmann::json::parse(run_program({"share", scenario, "--quiet", "-o", "json"}).output);
  REQUIRE(before.at("shares").size() == after.at("shares").size());
  for (std::size_t row = 0; row < before.at("shares").size(); ++row) {
    CHECK(before["shares"][row]["exact"] == after["shares"][row]["exact"]);
  }
}

TEST_CASE("Nobody and nothing of a name is refused with the names that there are") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", ejecting_rule);
  const Finished nobody = run_program({"share", rule, "--from", "zone-9"});
  CHECK(nobody.code == 2);
  CHECK(nobody.error.find("zone-1") != std::string::npos);
  const Finished nothing = run_program({"share", rule, "--to", "nothing"});
  CHECK(nothing.code == 2);
  CHECK(nothing.error.find("the services are `cart`") != std::string::npos);
}

TEST_CASE("A policy of Kuma alone is linted: a threshold of 70 acts as 100") {
  TemporaryFolder folder;
  const std::string policy = folder.write("policy.yaml", R"(type: MeshLoadBalancingStrategy
name: a
mesh: default
spec:
  to:
    - targetRef: { kind: MeshService, name: backend }
      default:
        localityAwareness:
          crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: 70 } }
)");
  const Finished checked = run_program({"validate", policy});
  CHECK(checked.code == 0);
  CHECK(checked.error.find("SP611") != std::string::npos);
  CHECK(checked.error.find("policy.yaml:9") != std::string::npos);
}

TEST_CASE("/clusters alone is shared and compared, and what it lacks is named") {
  TemporaryFolder folder;
  const auto host = [](const std::string& address, const std::string& flags, int weight) {
    const std::string begin = "web::" + address + ":80::";
    return begin + "health_flags::" + flags + "\n" + begin + "weight::" + std::to_string(weight) + "\n";
  };
  const std::string before =
      folder.write("before.txt", host("10.0.0.1", "healthy", 3) + host("10.0.0.2", "healthy", 1));
  const std::string after =
      folder.write("after.txt", host("10.0.0.1", "/failed_active_hc", 3) + host("10.0.0.2", "healthy", 1));
  const Finished shared = run_program({"share", before, "--quiet", "-o", "json"});
  CAPTURE(shared.output, shared.error);
  REQUIRE(shared.code == 0);
  const auto document = nlohmann::json::parse(shared.output);
  CHECK_FALSE(document.at("assumed").empty());
  // Round robin by weight: three of four requests (Envoy's documentation of load balancing weights).
  double of_first = 0.0;
  for (const auto& share : document.at("shares")) {
    of_first += share.value("endpoint", std::string()) == "10.0.0.1:80" ? share.at("exact").get<double>() : 0.0;
  }
  CHECK(of_first == Approx(0.75));
  CHECK(run_program({"explain", before, "--quiet"}).code == 0);
  CHECK(run_program({"diff", before, after, "--quiet"}).code == 1);
  CHECK(run_program({"diff", before, before, "--quiet"}).code == 0);
}

TEST_CASE("An upgrade of istiod is compared for documents of a mesh: unready endpoints are sent since 1.31") {
  TemporaryFolder folder;
  // One of two endpoints in the client's zone is not ready. 1.30 leaves it out; 1.31 sends it as UNHEALTHY, so that
  // half of P0 is healthy, and it gets 1.4 x 50 % (docs/behaviour/istio.md, Envoy's overprovisioning factor).
  std::string mesh;
  const auto add = [&](const std::string& document) { mesh += document + "\n---\n"; };
  for (const std::string zone : {"a", "b"}) {
    add("{ apiVersion: v1, kind: Node, metadata: { name: n-" + zone +
        ", labels: { topology.kubernetes.io/region: r, topology.kubernetes.io/zone: " + zone + " } } }");
  }
  add("{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.1.0.1, selector: { app: web }, "
      "ports: [{ name: http, port: 80 }] } }");
  std::string endpoints;
  const auto endpoint = [&](const std::string& number, const std::string& zone, const std::string& conditions) {
    add("{ apiVersion: v1, kind: Pod, metadata: { name: web-" + number +
        ", labels: { app: web } }, spec: { nodeName: n-" + zone + " }, status: { podIP: 10.2.0." + number + " } }");
    endpoints += "{ addresses: [10.2.0." + number + "], nodeName: n-" + zone + ", conditions: { " + conditions +
                 " }, targetRef: { kind: Pod, name: web-" + number + " } }, ";
  };
  endpoint("1", "a", "ready: true");
  endpoint("2", "a", "ready: false, serving: false, terminating: false");
  endpoint("3", "b", "ready: true");
  endpoint("4", "b", "ready: true");
  add("{ apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-1, labels: { "
      "kubernetes.io/service-name: web } }, addressType: IPv4, ports: [{ name: http, port: 8080 }], endpoints: [" +
      endpoints + "] }");
  add("{ apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web }, spec: { host: web, "
      "trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } } }");
  const std::string file = folder.write("mesh.yaml", mesh);
  const Finished upgraded = run_program({"diff", file, "--to-profile", "istio=release-1.31", "--from", "a", "--quiet"});
  CAPTURE(upgraded.output, upgraded.error);
  CHECK(upgraded.code == 1);
  CHECK(upgraded.output.find("100 % -> 70 %") != std::string::npos);
  CHECK(run_program({"diff", file, "--to-profile", "istio=release-1.29"}).code == 2);
  CHECK(run_program({"diff", folder.write("c.yaml", "name: a\ntype: STATIC\n"), "--to-profile", "istio=release-1.31"})
            .code == 2);
}

TEST_CASE("Dataplanes without a zone are in one, and that is named") {
  TemporaryFolder folder;
  const std::string mesh = folder.write(
      "mesh.yaml",
      "{ type: Mesh, name: default }\n---\ntype: Dataplane\nname: web-1\nmesh: default\nnetworking:\n  address: "
      "127.0.0.1\n  inbound: [{ port: 80, tags: { kuma.io/service: web } }]\n");
  const Finished shared = run_program({"share", mesh, "--quiet"});
  CAPTURE(shared.output, shared.error);
  CHECK(shared.code == 0);
  CHECK(shared.output.find("assumed: 1 Dataplane in one zone") != std::string::npos);
}

TEST_CASE("A fault is named with what it does to the requests") {
  TemporaryFolder folder;
  const std::string routes = folder.write("routes.yaml", R"(apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: ratings }
spec:
  hosts: [ratings]
  http:
    - fault:
        abort: { httpStatus: 503, percentage: { value: 12.5 } }
        delay: { fixedDelay: 7s, percentage: { value: 50 } }
      route: [{ destination: { host: ratings } }]
)");
  const Finished shared = run_program({"share", routes, "--quiet"});
  CAPTURE(shared.output, shared.error);
  REQUIRE(shared.code == 0);
  CHECK(
      shared.output.find("12.5 % of the requests of VirtualService `default/ratings` reach no pod: the route's `fault` "
                         "answers them with 503") != std::string::npos);
  CHECK(shared.output.find("50 % of the requests of VirtualService `default/ratings` wait 7s") != std::string::npos);
  // The part that is answered reaches no pod: 87.5 % do, and in a run the others fail.
  double sum = 0.0;
  const auto read_1 = nlohmann::json::parse(run_program({"share", routes, "--quiet", "-o", "json"}).output);
  for (const auto& share : read_1.at("shares")) {
    sum += share.at("client") == "client-zone-1" ? share.at("exact").get<double>() : 0.0;
  }
  CHECK(sum == Approx(0.875));
  const Finished simulated = run_program({"run", routes, "--quiet", "--rate", "300rps", "-o", "json"});
  double sent = 0.0;
  double failed = 0.0;
  const auto read_2 = nlohmann::json::parse(simulated.output);
  for (const auto& row : read_2.at("outcomes")) {
    sent += row.at("sent").get<double>();
    failed += row.at("sent").get<double>() - row.at("ok").get<double>();
  }
  REQUIRE(sent > 15'000);
  // 12.5 % within five standard deviations of 18,000 draws.
  CHECK(failed / sent == Approx(0.125).margin(5 * 0.0025));
  // Half of the requests wait 7 s.
  for (const auto& row : read_2.at("latency_s")) {
    CHECK(row.at("p50").get<double>() < 7.1);
    CHECK(row.at("p90").get<double>() == Approx(7.0).epsilon(0.02));
  }
}

TEST_CASE("Scenarios and documents that are named together are validated, each as what it is") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", ejecting_rule);
  const std::string scenario = folder.write("scenario.yaml",
                                            "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ "
                                            "count: 1, zone: a }] }]\nclients: [{ name: c, zone: a, workload: { "
                                            "service: s, rate: 1rps } }]\n");
  const Finished both = run_program({"validate", scenario, rule});
  CAPTURE(both.output, both.error);
  CHECK(both.code == 0);
  CHECK(both.output.find("scenario.yaml: valid") != std::string::npos);
  CHECK(both.output.find("rule.yaml: valid") != std::string::npos);
  const std::string wrong = folder.write("wrong.yaml", "duration: 1s\n");
  CHECK(run_program({"validate", rule, wrong}).code == 2);
}

TEST_CASE("A rule with a route to other services is tried, and its parts are weighted") {
  TemporaryFolder folder;
  const std::string route = folder.write("route.yaml", R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: reviews }
spec:
  parentRefs: [{ group: "", kind: Service, name: reviews, port: 80 }]
  rules: [{ backendRefs: [{ name: v1, port: 80, weight: 90 }, { name: v2, port: 80, weight: 10 }] }]
)");
  const Finished tried = run_program({"try", route, "--quiet", "-o", "json"});
  CAPTURE(tried.output, tried.error);
  REQUIRE(tried.code == 0);
  bool found = false;
  const auto read_3 = nlohmann::json::parse(tried.output);
  for (const auto& row : read_3.at("rows")) {
    if (row.at("client") == "client-zone-1 to reviews" && row.at("rule") == true &&
        row.at("situation") == "all pods ready") {
      found = true;
      CHECK(row.at("shares").at("v1 zone-1") == Approx(0.3));
      CHECK(row.at("shares").at("v2 zone-1") == Approx(0.1 / 3.0));
    }
  }
  CHECK(found);
  const Finished explained = run_program({"explain", route, "--quiet"});
  CHECK(explained.code == 0);
  CHECK(explained.error.find("`v1` is explained; --service names another: v1, v2") != std::string::npos);
}

TEST_CASE("A session of a shell with answers of kubectl is read, and a redaction in brackets is one") {
  TemporaryFolder folder;
  const std::string session =
      folder.write("session.txt", "$ kubectl apply -f - <<EOF\n" + std::string(ejecting_rule) +
                                      "EOF\ndestinationrule.networking.istio.io/cart created\n");
  CHECK(run_program({"share", session, "--quiet"}).code == 0);
  const std::string redacted = folder.write("redacted.yaml", R"(apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: [REDACTED] }
spec: { host: [REDACTED], trafficPolicy: { loadBalancer: { simple: RANDOM } } }
)");
  const Finished shared = run_program({"share", redacted, "--quiet"});
  CAPTURE(shared.output, shared.error);
  CHECK(shared.code == 0);
  CHECK(shared.output.find("`REDACTED` is read as redacted at metadata.name and 1 more") != std::string::npos);
}

TEST_CASE("An access log, with the pod in front of its lines, is refused as what it is") {
  TemporaryFolder folder;
  const std::string line =
      "[2024-05-02T09:12:44.000Z] \"GET / HTTP/1.1\" 200 - 0 6 2 1 \"-\" \"curl\" \"1\" \"a\" \"10.0.0.1:80\"\n";
  for (const std::string& text : {line, "[pod/sleep-1/istio-proxy] " + line}) {
    const Finished refused = run_program({"share", folder.write("access.log", text), "--quiet"});
    CAPTURE(refused.error);
    CHECK(refused.code == 2);
    CHECK(refused.error.find("this is an access log") != std::string::npos);
    CHECK(refused.error.find("--access-log") != std::string::npos);
  }
}

TEST_CASE("`init` of a proxy's documents is `import`, and of another program's is refused by name") {
  TemporaryFolder folder;
  const std::string proxy_route = folder.write(
      "route.yaml", "apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: { name: a }\nspec: {}\n");
  const Finished refused = run_program({"init", proxy_route, "--quiet"});
  CHECK(refused.code == 2);
  CHECK(refused.error.find("HTTPProxy of Contour") != std::string::npos);
  CHECK(run_program({"try", proxy_route, "--quiet"}).error.find("HTTPProxy of Contour") != std::string::npos);
}

// istiod's applyOutlierDetection: with this variable unready endpoints are sent, and the panic threshold is 0.
TEST_CASE("PILOT_SEND_UNHEALTHY_ENDPOINTS sends unready endpoints, and no panic gives them requests") {
  TemporaryFolder folder;
  std::string mesh = R"(apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ name: http, port: 80 }] }
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: web }
spec: { host: web, trafficPolicy: { outlierDetection: { minHealthPercent: 60 } } }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-x, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: http, port: 80 }]
endpoints:
)";
  for (int pod = 0; pod < 4; ++pod) {
    mesh += "  - { addresses: [10.0.0." + std::to_string(pod + 1) +
            "], conditions: " + (pod < 2 ? "{ ready: true }" : "{ ready: false, serving: false, terminating: false }") +
            ", targetRef: { kind: Pod, name: web-" + std::to_string(pod) + " } }\n";
  }
  const std::string with = R"(---
apiVersion: install.istio.io/v1alpha1
kind: IstioOperator
spec: { values: { pilot: { env: { PILOT_SEND_UNHEALTHY_ENDPOINTS: "true" } } } }
)";
  for (const bool sends : {false, true}) {
    const std::string file = folder.write(sends ? "with.yaml" : "without.yaml", mesh + (sends ? with : ""));
    const Finished explained = run_program({"explain", file, "--zones", "a", "--quiet"});
    CAPTURE(sends, explained.output, explained.error);
    REQUIRE(explained.code == 0);
    const std::string health = sends ? "2 of 4 healthy; unhealthy: web-2, web-3" : "2 of 2 healthy";
    CHECK(explained.output.find(health) != std::string::npos);
    CHECK(explained.output.find("over 2 healthy, 50 % each: web-0, web-1") != std::string::npos);
  }
}

TEST_CASE("Every command names the same program for documents and texts of other programs") {
  TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> pasted = {
      {"apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: { name: a }\n", "a HTTPProxy of Contour"},
      {"apiVersion: split.smi-spec.io/v1alpha2\nkind: TrafficSplit\nmetadata: { name: a }\n", "a TrafficSplit of SMI"},
      {"apiVersion: networking.gke.io/v1\nkind: GCPBackendPolicy\nmetadata: { name: a }\n",
       "a GCPBackendPolicy of Google Kubernetes Engine"},
      {"upstream web {\n  least_conn;\n  server 10.0.0.1;\n}\nserver { location / { proxy_pass http://web; } }\n",
       "a configuration of NGINX"},
      {"backend web\n    balance leastconn\n    server s1 10.0.0.1:80 check\n", "a configuration of HAProxy"},
      {"Kind = \"service-resolver\"\nName = \"web\"\n", "a ServiceResolver of Consul"},
      {"{ \"Kind\": \"service-splitter\", \"Name\": \"web\", \"Splits\": [] }\n", "a ServiceSplitter of Consul"},
      {"Name:         web\nAPI Version:  networking.istio.io/v1\nKind:         DestinationRule\nMetadata:\n",
       "the output of `kubectl describe`"},
      {"NAME   HOST   AGE\nweb    web    3d\n", "a table of kubectl"},
      {"NAME  READY  STATUS  RESTARTS  AGE  IP        NODE  NOMINATED NODE  READINESS GATES\nweb-1  2/2  Running  0  "
       "5d  "
       "10.1.0.4  n1  <none>  <none>\n",
       "a table of kubectl"},
      {"NAME  STATUS  ROLES   AGE  VERSION\nn1  Ready  <none>  5d  v1.30\n", "a table of kubectl"},
      {"NAME   CLUSTER     CDS          LDS          ISTIOD   VERSION\nweb-1  Kubernetes  SYNCED (2m)  SYNCED (2m)  "
       "istiod-1  1.30.1\n",
       "a table of `istioctl proxy-status`"},
      {"MESH     NAME   TAGS                  STATUS  LAST CONNECTED AGO\ndefault  web-1  kuma.io/service=web  Online  "
       "5m\n",
       "a table of `kumactl inspect`"},
      {"cluster.web.upstream_rq_200: 1023\ncluster.web.membership_healthy: 3\n", "the counters of /stats"},
      {"Warning [IST0101] (VirtualService default/web) Referenced host not found: \"web\"\n",
       "messages of `istioctl analyze`"},
  };
  for (const auto& [text, what] : pasted) {
    const std::string file = folder.write("other.txt", text);
    for (const char* const command : {"share", "explain", "run", "plan", "diff", "validate", "import", "init", "try"}) {
      std::vector<std::string> words = {command, file};
      if (std::string(command) == "diff") {
        words.push_back(file);
      }
      const Finished refused = run_program(words);
      CAPTURE(command, text, refused.output, refused.error);
      CHECK(refused.code == 2);
      CHECK(refused.error.find("this is " + what) != std::string::npos);
    }
  }
}

TEST_CASE("The new side of a pull request's diff is read, and a report below the command that printed it") {
  TemporaryFolder folder;
  const std::string diff = folder.write("change.txt", R"(diff --git a/dr.yaml b/dr.yaml
--- a/dr.yaml
+++ b/dr.yaml
@@ -1,6 +1,6 @@
 apiVersion: networking.istio.io/v1
 kind: DestinationRule
 metadata: { name: reviews }
-spec: { host: reviews, trafficPolicy: { loadBalancer: { simple: RANDOM } } }
+spec: { host: reviews, trafficPolicy: { loadBalancer: { simple: ROUND_ROBIN } } }
)");
  const Finished shared = run_program({"share", diff, "--quiet"});
  CAPTURE(shared.output, shared.error);
  CHECK(shared.code == 0);
  CHECK(shared.output.find("of a diff, the new side is read") != std::string::npos);
  const std::string clusters = folder.write("clusters.txt",
                                            "$ curl localhost:15000/clusters\nweb::10.0.0.1:80::cx_active::1\n"
                                            "web::10.0.0.1:80::health_flags::healthy\nweb::10.0.0.1:80::weight::1\n");
  const Finished reported = run_program({"share", clusters, "--quiet"});
  CAPTURE(reported.output, reported.error);
  CHECK(reported.code == 0);
  CHECK(reported.output.find("100 %") != std::string::npos);
}

TEST_CASE("Documents that move no requests are valid, and have no shares") {
  TemporaryFolder folder;
  const std::string file =
      folder.write("policy.yaml", "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: a }\n");
  CHECK(run_program({"validate", file}).code == 0);
  const Finished shared = run_program({"share", file});
  CHECK(shared.code == 2);
  CHECK(shared.error.find("NetworkPolicy: no influence on where requests of sidecars go") != std::string::npos);
}

// mergeHTTPRoute of istiod's pilot/pkg/model/virtualservice.go.
TEST_CASE("Routes of a delegate get the fault of the route that delegates, unless they have one") {
  TemporaryFolder folder;
  const auto wait_of = [&](const std::string& own) {
    const std::string file = folder.write("routes.yaml", R"(apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: shop }
spec:
  hosts: [shop.example.com]
  gateways: [gateway]
  http: [{ delegate: { name: cart }, fault: { delay: { fixedDelay: 3s, percentage: { value: 100 } } } }]
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: cart }
spec: { http: [{ route: [{ destination: { host: cart } }])" + own +
                                                             " }] }\n");
    const Finished shared = run_program({"share", file, "--quiet"});
    CAPTURE(shared.output, shared.error);
    CHECK(shared.code == 0);
    const std::size_t begin = shared.output.find(" wait ");
    return begin == std::string::npos ? std::string() : shared.output.substr(begin + 6, 2);
  };
  CHECK(wait_of("") == "3s");
  CHECK(wait_of(", fault: { delay: { fixedDelay: 1s, percentage: { value: 50 } } }") == "1s");
}

TEST_CASE("A colon that is missing in the last line is an error, also in a document of Envoy and with --from") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", std::string(ejecting_rule) + "  exportTo all\n");
  const std::string cluster = folder.write("cluster.yaml",
                                           "name: web\nconnect_timeout: 1s\ntype: STATIC\nload_assignment: { "
                                           "cluster_name: web, endpoints: [] }\nlb_policy RING_HASH\n");
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"validate", rule}, {"share", rule, "--from", "zone-1"}, {"explain", cluster}, {"validate", cluster}}) {
    const Finished refused = run_program(words);
    CAPTURE(words, refused.output, refused.error);
    CHECK(refused.code == 2);
    CHECK(refused.error.find("error[SP007]") != std::string::npos);
    CHECK(refused.error.find(words[1] == rule ? "`exportTo: all`" : "`lb_policy: RING_HASH`") != std::string::npos);
    CHECK(refused.error.find("SP905") == std::string::npos);
  }
}

TEST_CASE("Ellipses in a config_dump, and a sentence in front of it, are named by a warning") {
  TemporaryFolder folder;
  const std::string dump = R"({"configs": [
  {"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump", "static_clusters": [{"cluster": {"name": "web",
    "type": "STATIC", "connect_timeout": "1s", "load_assignment": {"cluster_name": "web", "endpoints": [{"lb_endpoints":
    [{"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}}]},
  ...
]}
)";
  const Finished shared = run_program({"share", folder.write("dump.txt", "It prints\n" + dump)});
  CAPTURE(shared.output, shared.error);
  CHECK(shared.code == 0);
  CHECK(shared.output.find("100 %") != std::string::npos);
  CHECK(shared.error.find("warning[SP716]") != std::string::npos);
  CHECK(shared.error.find("line 1 is left out") != std::string::npos);
  CHECK(shared.error.find("`...` in line 6") != std::string::npos);
}

TEST_CASE("A table with several clusters asks for one at its own line, and assumes only what concerns the chosen one") {
  TemporaryFolder folder;
  const std::string table =
      folder.write("table.txt",
                   "ENDPOINT       STATUS   OUTLIER CHECK  CLUSTER\n"
                   "10.0.0.1:9080  HEALTHY  OK             outbound|9080||web.shop.svc.cluster.local\n"
                   "10.0.0.2:15000 HEALTHY  OK             prometheus_stats\n");
  const Finished refused = run_program({"share", table});
  CHECK(refused.code == 2);
  CAPTURE(refused.error);
  CHECK(refused.error.find("table.txt:2:40") != std::string::npos);
  const Finished shared =
      run_program({"share", table, "--cluster", "outbound|9080||web.shop.svc.cluster.local", "--quiet"});
  CAPTURE(shared.output, shared.error);
  CHECK(shared.code == 0);
  CHECK(shared.output.find("LEAST_REQUEST") != std::string::npos);
  CHECK(shared.output.find("ROUND_ROBIN") == std::string::npos);
}

TEST_CASE("A ClusterLoadAssignment alone has shares: priorities by Envoy's rule of 140 %") {
  TemporaryFolder folder;
  const std::string file = folder.write("eds.yaml", R"(cluster_name: web
endpoints:
- { locality: { zone: a }, lb_endpoints: [
    { endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } },
    { health_status: UNHEALTHY, endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } } ] }
- { locality: { zone: b }, priority: 1, lb_endpoints: [
    { endpoint: { address: { socket_address: { address: 10.0.1.1, port_value: 80 } } } } ] }
)");
  const Finished shared = run_program({"share", file, "--quiet"});
  CAPTURE(shared.output, shared.error);
  CHECK(shared.code == 0);
  CHECK(shared.output.find("70 %") != std::string::npos);  // 1 of 2 healthy, times 1.4
  CHECK(shared.output.find("30 %") != std::string::npos);
  CHECK(shared.output.find("assumed: ROUND_ROBIN") != std::string::npos);
}
