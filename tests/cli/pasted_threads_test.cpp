// Texts as threads, pages and terminals have them: nothing of a document is lost without a word.
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

Finished share_file(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"share", file, "--quiet", "-o", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

// Returns the exact shares of all clients together, by the value of a key.
std::map<std::string, double> summed_shares(const std::string& file, const std::string& key,
                                            const std::vector<std::string>& more = {}) {
  const Finished finished = share_file(file, more);
  CAPTURE(finished.output, finished.error);
  REQUIRE(finished.code == 0);
  std::map<std::string, double> sums;
  const auto document = nlohmann::json::parse(finished.output);
  for (const auto& row : document.at("shares")) {
    sums[row.at(key)] += row.at("exact").get<double>();
  }
  return sums;
}

bool assumes(const std::string& file, const std::string& words, const std::vector<std::string>& more = {}) {
  const Finished finished = share_file(file, more);
  CAPTURE(finished.output, finished.error);
  REQUIRE(finished.code == 0);
  return finished.output.find(words) != std::string::npos;
}

const std::string divided_rule = R"(apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web }
spec:
  hosts: [web]
  http:
  - route:
    - destination: { host: web, subset: v1 }
      weight: 90
    - destination: { host: web, subset: v2 }
      weight: 10
)";

}  // namespace

TEST_CASE("Blanks of another kind are blanks: no line of a document is lost to them") {
  TemporaryFolder folder;
  for (const char* const blank : {"\xC2\xA0", "\xE2\x80\x83"}) {
    CAPTURE(blank);
    std::string text = divided_rule;
    const std::string line = "      weight: 10";
    std::string wide;
    for (int column = 0; column < 6; ++column) {
      wide += blank;
    }
    text.replace(text.find(line), 6, wide);
    const std::string file = folder.write("pasted.yaml", text);
    CHECK(summed_shares(file, "cluster", {"--from", "zone-1"}).at("web v2") == Approx(0.1));
    CHECK(assumes(file, "are read as blanks"));
  }
}

TEST_CASE("Documents of Envoy and /clusters are read in the fence that a thread has around them") {
  TemporaryFolder folder;
  const std::string assignment =
      R"({"clusterName": "web", "endpoints": [{"lbEndpoints": [{"endpoint": {"address": {"socketAddress": )"
      R"({"address": "10.0.0.1", "portValue": 80}}}}]}]})";
  for (const std::string& before : std::vector<std::string>{"", "It prints this:\n\n"}) {
    CHECK(summed_shares(folder.write("a.txt", before + "```json\n" + assignment + "\n```\n"), "zone").size() == 1);
    CHECK(summed_shares(folder.write("b.txt", before + "```\nweb::10.0.0.1:80::weight::1\n"
                                                       "web::10.0.0.1:80::health_flags::healthy\n```\n"),
                        "zone")
              .size() == 1);
  }
}

TEST_CASE("A row of istioctl's table needs no head, and a prompt in brackets is one") {
  TemporaryFolder folder;
  const std::string rows =
      "10.0.0.1:80   HEALTHY   OK       outbound|80||web.shop.svc.cluster.local\n"
      "10.0.0.2:80   HEALTHY   FAILED   outbound|80||web.shop.svc.cluster.local\n";
  CHECK(share_file(folder.write("rows.txt", rows)).code == 0);
  CHECK(share_file(folder.write("prompt.txt", "[root@master tls]# cat web.yaml\n" + divided_rule)).code == 0);
}

TEST_CASE("A CiliumEnvoyConfig with services is read as Envoy's documents in it") {
  TemporaryFolder folder;
  const std::string config = R"(apiVersion: cilium.io/v2
kind: CiliumEnvoyConfig
metadata: { name: web }
spec:
  services: [{ name: web, namespace: default }]
  resources:
  - "@type": type.googleapis.com/envoy.config.cluster.v3.Cluster
    name: web
    type: STATIC
    load_assignment:
      cluster_name: web
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }]
)";
  CHECK(share_file(folder.write("cilium.yaml", config)).code == 0);
}

TEST_CASE("A variable of a shell may stand in brackets without quotes") {
  TemporaryFolder folder;
  const std::string file = folder.write("a.yaml",
                                        "trafficPolicy:\n  loadBalancer: { consistentHash: { httpCookie: { name: user, "
                                        "ttl: ${TTL} } } }\n");
  CHECK(assumes(file, "`${TTL}` is left out"));
}

TEST_CASE("Kinds of which nothing is known are named as not read, and the Sail operator's Istio is read") {
  TemporaryFolder folder;
  const std::string unknown =
      "apiVersion: example.org/v1\nkind: Router\nmetadata: { name: a }\nspec: {}\n---\n" + divided_rule;
  CHECK(run_program({"share", folder.write("unknown.yaml", unknown), "--quiet"})
            .output.find("Router: not read: if it moves requests") != std::string::npos);
  const std::string known = "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n---\n" + divided_rule;
  CHECK(run_program({"share", folder.write("known.yaml", known), "--quiet"}).output.find("Secret: no influence") !=
        std::string::npos);
  const std::string ejects = R"(---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: cart }
spec: { host: cart, trafficPolicy: { outlierDetection: { consecutive5xxErrors: 5 } } }
)";
  const std::string settings = "meshConfig: { localityLbSetting: { enabled: false } }";
  const auto sail =
      summed_shares(folder.write("sail.yaml",
                                 "apiVersion: sailoperator.io/v1\nkind: Istio\nmetadata: { name: default }\n"
                                 "spec: { version: v1.30.0, values: { " +
                                     settings + " } }\n" + ejects),
                    "zone", {"--from", "zone-1"});
  CHECK(sail.at("zone-2") == Approx(1.0 / 3));
}

// MergeHTTPRoutes and hasConflict of istiod's pilot/pkg/model/virtualservice.go.
TEST_CASE("istiod drops routes of a delegate that match more than the route that delegates, and delegates with hosts") {
  TemporaryFolder folder;
  const auto delegated = [](const std::string& match, const std::string& more) {
    return "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: { name: root }\nspec:\n  hosts: [web]\n"
           "  http: [{ match: [{ uri: { prefix: /shop } }], delegate: { name: shop } }, { route: [{ destination: { "
           "host: web } }] }]\n---\n"
           "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: { name: shop }\nspec:\n" +
           more + "  http: [{ match: [{ uri: { prefix: " + match +
           " } }], route: [{ destination: { host: cart } }] }]\n---\n"
           "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { selector: { app: web }, ports: [{ port: "
           "80, "
           "name: http }] }\n";
  };
  CHECK(assumes(folder.write("within.yaml", delegated("/shop/cart", "")), "has the routes of its delegate"));
  CHECK(assumes(folder.write("beyond.yaml", delegated("/cart", "")), "istiod drops 1 of its 1 routes"));
  CHECK(assumes(folder.write("hosts.yaml", delegated("/shop/cart", "  hosts: [other]\n")),
                "istiod takes only VirtualServices without them as delegates"));
}

TEST_CASE("Pods are where their node selector says, as many as the autoscaler keeps, and not those that are going") {
  TemporaryFolder folder;
  const std::string file = folder.write("pods.yaml", R"(apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, name: http }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  template: { metadata: { labels: { app: web } }, spec: { nodeSelector: { topology.kubernetes.io/zone: zone-2 } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { kind: Deployment, name: web }, minReplicas: 9 }
---
apiVersion: v1
kind: Pod
metadata: { name: other, deletionTimestamp: "2026-01-01T00:00:00Z", labels: { app: other } }
spec: { nodeName: n1 }
status: { phase: Running, podIP: 10.0.0.1 }
)");
  CHECK(summed_shares(file, "zone", {"--from", "zone-1"}).at("zone-2") == Approx(1.0));
  CHECK(assumes(file, "9 pods of 1 Deployment"));
  CHECK(assumes(file, "left out: 1 terminating"));
}

TEST_CASE("`--from` takes a name as kubectl does, with its namespace or kind") {
  TemporaryFolder folder;
  const std::string file = folder.write("web.yaml", R"(apiVersion: v1
kind: Service
metadata: { name: cart, namespace: shop }
spec: { selector: { app: cart }, ports: [{ port: 80, name: http }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { replicas: 3, template: { metadata: { labels: { app: web } } } }
)");
  for (const char* const from : {"web", "shop/web", "deploy/web", "deployment/web", "web.shop"}) {
    CAPTURE(from);
    CHECK(assumes(file, "web-zone-1", {"--from", from, "--to", "cart"}));
  }
  CHECK(share_file(file, {"--from", "other/web", "--to", "cart"}).code == 2);
}

TEST_CASE("Requests of Kuma's clients meet the first route if all have conditions, and have the tags of --from") {
  TemporaryFolder folder;
  const std::string route = folder.write("route.yaml", R"(type: MeshHTTPRoute
name: canary
mesh: default
spec:
  to:
  - targetRef: { kind: MeshService, name: backend }
    rules:
    - matches: [{ path: { type: PathPrefix, value: /api } }]
      default:
        backendRefs:
        - { kind: MeshServiceSubset, name: backend, tags: { version: v1 }, weight: 90 }
        - { kind: MeshServiceSubset, name: backend, tags: { version: v2 }, weight: 10 }
)");
  CHECK(assumes(route, "requests to /api, as the first route to `backend` matches"));
  const auto dataplane = [](const std::string& name, const std::string& service, const std::string& rack,
                            const std::string& address) {
    return "type: Dataplane\nmesh: default\nname: " + name + "\nnetworking: { address: " + address +
           ", inbound: [{ port: 80, tags: { kuma.io/service: " + service + ", kuma.io/zone: dc1, rack: " + rack +
           " } }] }\n---\n";
  };
  const std::string near = folder.write(
      "near.yaml", dataplane("web-1", "web", "r1", "10.0.0.9") + dataplane("redis-1", "redis", "r1", "10.0.0.1") +
                       dataplane("redis-2", "redis", "r2", "10.0.0.2") +
                       "type: MeshLoadBalancingStrategy\nname: near\nmesh: default\nspec:\n  to:\n  - targetRef: { "
                       "kind: MeshService, name: redis }\n    default: { localityAwareness: { localZone: { "
                       "affinityTags: [{ key: rack, weight: 90 }] } } }\n");
  const auto shares = summed_shares(near, "endpoint", {"--by", "endpoint", "--from", "web", "--to", "redis"});
  CHECK(shares.at("redis-1") == Approx(90.0 / 91.0).margin(0.001));
}

TEST_CASE("The MeshServices of an assumed MeshMultiZoneService have all labels of its selector") {
  TemporaryFolder folder;
  const std::string file = folder.write("zones.yaml", R"(apiVersion: kuma.io/v1alpha1
kind: MeshMultiZoneService
metadata: { name: backend, namespace: kuma-system, labels: { kuma.io/mesh: default } }
spec:
  selector: { meshService: { matchLabels: { kuma.io/display-name: backend, k8s.kuma.io/namespace: demo } } }
  ports: [{ port: 3001, appProtocol: http }]
---
apiVersion: kuma.io/v1alpha1
kind: MeshLoadBalancingStrategy
metadata: { name: near, namespace: kuma-system, labels: { kuma.io/mesh: default } }
spec:
  to:
  - targetRef: { kind: MeshMultiZoneService, name: backend }
    default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } }
)");
  double sum = 0.0;
  for (const auto& [zone, part] : summed_shares(file, "zone", {"--from", "zone-1"})) {
    sum += part;
  }
  CHECK(sum == Approx(1.0));
}

TEST_CASE("Sessions, mirrors and routes of TLS that are not simulated are named") {
  TemporaryFolder folder;
  const std::string route = R"(apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web }
spec:
  rules:
  - backendRefs: [{ name: web, port: 80 }]
    sessionPersistence: { type: Cookie }
    filters: [{ type: RequestMirror, requestMirror: { backendRef: { name: shadow, port: 80 } } }]
)";
  const std::string file = folder.write("route.yaml", route);
  CHECK(assumes(file, "`sessionPersistence` of HTTPRoute `web` is not simulated"));
  CHECK(assumes(file, "RequestMirror of HTTPRoute `web` changes no route"));
  const std::string of_gateway = folder.write("eg.yaml", route + R"(---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: policy }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: web }]
  circuitBreaker: { maxConnections: 9 }
)");
  CHECK(assumes(of_gateway, "`sessionPersistence` of"));
  const Finished tls = share_file(folder.write("tls.yaml", R"(apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: tls }
spec:
  hosts: ["*"]
  gateways: [gateway]
  tls: [{ match: [{ port: 443, sniHosts: [a.example] }], route: [{ destination: { host: web } }] }]
)"));
  CAPTURE(tls.output, tls.error);
  CHECK(tls.output.find("ingress.example") == std::string::npos);
  CHECK((tls.output + tls.error).find("`tls` routes of VirtualService `tls` are not simulated") != std::string::npos);
}

// istiod's pilot/pkg/networking/core/gateway.go joins routes of a host, and SortVHostRoutes puts those for all last;
// for sidecars the oldest VirtualService of a host counts (IST0109 of `istioctl analyze`).
TEST_CASE("Of two VirtualServices of a host a gateway has the routes of both, and a sidecar those of the older") {
  TemporaryFolder folder;
  const auto routes = [](const std::string& name, const std::string& more, const std::string& match,
                         const std::string& to) {
    return "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: { name: " + name +
           " }\nspec:\n  hosts: [shop.example]\n" + more + "  http: [{ " + match +
           "route: [{ destination: { host: " + to + " } }] }]\n---\n";
  };
  const std::string gateway = "  gateways: [public]\n";
  const std::string both =
      folder.write("both.yaml", routes("all", gateway, "", "web") +
                                    routes("cart", gateway, "match: [{ uri: { prefix: /cart } }], ", "cart"));
  CHECK(assumes(both, "are joined with those of another one"));
  const auto cart = folder.path("scenario.yaml");
  REQUIRE(run_program({"init", both, "-o", cart}).code == 0);
  const std::string written = spillway::support::contents(cart);
  CHECK(written.find("/cart") < written.rfind("\"host\":\"web\""));
  const Finished sidecars = run_program(
      {"validate", folder.write("mesh.yaml", routes("all", "", "", "web") + routes("more", "", "", "cart"))});
  CHECK(sidecars.error.find("SP671") != std::string::npos);
  const Finished one = run_program({"validate", folder.write("one.yaml", routes("all", "", "", "web"))});
  CHECK(one.error.find("SP671") == std::string::npos);
}

TEST_CASE("Pasted documents are simulated by the release that --profile names, and say which it is") {
  TemporaryFolder folder;
  const std::string mesh = folder.write("mesh.yaml", R"(apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, name: http }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: http, port: 80 }]
endpoints:
  - { addresses: [10.0.0.1], conditions: { ready: true }, zone: eu-a, nodeName: n1, targetRef: { kind: Pod, name: web-1 } }
  - { addresses: [10.0.0.2], conditions: { ready: false }, zone: eu-a, nodeName: n1, targetRef: { kind: Pod, name: web-2 } }
  - { addresses: [10.0.0.3], conditions: { ready: true }, zone: eu-b, nodeName: n2, targetRef: { kind: Pod, name: web-3 } }
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: web }
spec: { host: web, trafficPolicy: { outlierDetection: { maxEjectionPercent: 100 } } }
)");
  CHECK(assumes(mesh, "release-1.30", {"--from", "eu-a", "--profile", "istio=release-1.30"}));
  CHECK(assumes(mesh, "Istio 1.31: "));
  CHECK(share_file(mesh, {"--profile", "kuma=head"}).code == 2);
  CHECK(share_file(mesh, {"--profile", "istio=release-1.2"}).code == 2);
}

TEST_CASE("Without its routes a gateway answers 404, and beside other rules they stay") {
  TemporaryFolder folder;
  const std::string routes = R"(apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web }
spec:
  hosts: ["*"]
  gateways: [public]
  http: [{ route: [{ destination: { host: web } }] }]
)";
  const Finished alone = run_program({"try", folder.write("routes.yaml", routes), "--quiet"});
  CAPTURE(alone.output, alone.error);
  CHECK(alone.code == 0);
  CHECK(alone.output.find("0 % of the requests reach no pod (100 % without the rule)") != std::string::npos);
  const Finished both = run_program(
      {"try",
       folder.write("both.yaml", routes + "---\napiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { "
                                          "name: web }\nspec: { host: web, trafficPolicy: { outlierDetection: { "
                                          "maxEjectionPercent: 100 } } }\n"),
       "--quiet"});
  CAPTURE(both.output, both.error);
  CHECK(both.output.find("zone-1 gets 100 % (33.33 % without the rule)") != std::string::npos);
}

TEST_CASE("Texts that are nearly JSON are refused with what they are") {
  TemporaryFolder folder;
  const auto help_of = [&](const std::string& text) { return share_file(folder.write("text.json", text)).error; };
  CHECK(help_of(R"({"name": "a", "type": "STAT)").find("the text breaks off here") != std::string::npos);
  CHECK(help_of(R"({"name": "a", "load_assignment": {"endpoints": [)").find("breaks off here") != std::string::npos);
  CHECK(help_of(R"({"name": None})").find("how Python prints") != std::string::npos);
  CHECK(help_of(R"({'name': 'a'})").find("how Python prints") != std::string::npos);
  CHECK(help_of("{\"name\": \"a\", # one\n\"type\": \"STATIC\"}").find("no comments of this kind") !=
        std::string::npos);
  CHECK(help_of(R"({"name": "a"}})").find("breaks off") == std::string::npos);
}

TEST_CASE("An ellipsis in place of a name is a placeholder") {
  TemporaryFolder folder;
  const std::string file = folder.write("divided_rule.yaml",
                                        "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata:\n  name: "
                                        "...\nspec:\n  host: ...\n  trafficPolicy: { outlierDetection: {} }\n");
  CHECK(assumes(file, "`...` is read as redacted"));
}

TEST_CASE("A line that begins with a colon, above the line of an error, is only quoted") {
  TemporaryFolder folder;
  const std::string text = "zones: [{ name: a }]\nservices:\n  - name: s\n    : x\n    bogus: 1\n";
  const Finished finished = run_program({"validate", folder.write("colon.yaml", text)});
  CAPTURE(finished.error);
  CHECK(finished.code == 2);
  CHECK(finished.error.find("SP013") != std::string::npos);
}
