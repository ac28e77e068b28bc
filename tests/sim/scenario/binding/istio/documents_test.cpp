// Istio's documents in scenarios: what clients get, what is refused, and what is named.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {

namespace {

// Two zones with a pod each, a rule for `host`, and a client in the first zone.
std::string istio_scenario(const std::string& host, const std::string& policy, const std::string& service = "web",
                           const std::string& release = "release-1.31") {
  return "duration: 2s\nmode: exact\nprofile: { istio: " + release + R"( }
resources:
  - { apiVersion: v1, kind: Node, metadata: { name: n1, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1 } } }
  - { apiVersion: v1, kind: Node, metadata: { name: n2, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z2 } } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-1, labels: { app: web } }, spec: { nodeName: n1 }, status: { podIP: 10.1.1.1 } }
  - { apiVersion: v1, kind: Pod, metadata: { name: web-2, labels: { app: web } }, spec: { nodeName: n2 }, status: { podIP: 10.1.1.2 } }
  - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] } }
  - apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
    ports: [{ name: http, port: 8080 }]
    endpoints:
      - { addresses: [10.1.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-1 } }
      - { addresses: [10.1.1.2], conditions: { ready: true }, targetRef: { kind: Pod, name: web-2 } }
  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web }, spec: { host: )" +
         host + ", trafficPolicy: " + policy +
         " } }\nclients:\n  - { name: c, node: n1, workload: { service: " + service +
         ", rate: 10rps } }\ntimeline:\n  - { at: 1s, endpoints: [web-1], healthy: 0 }\n";
}

std::vector<std::string> codes_of(const Reading& reading) {
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    codes.push_back(diagnostic.code);
  }
  return codes;
}

const Service& view_of_client(const Scenario& scenario) {
  return scenario.services[scenario.clients.front().workload.service.value];
}

}  // namespace

TEST_CASE("Members without a value are as absent in the documents of a scenario", "[istio]") {
  // As kubectl and charts print them: https://github.com/istio/istio/issues/46569.
  std::string text = istio_scenario("web", "{ outlierDetection: null, loadBalancer: { simple: RANDOM } }");
  for (const auto& [from, to] : {std::pair{"{ name: n1, labels", "{ name: n1, annotations: , labels"},
                                 {"{ name: web-2, labels: { app: web } }",
                                  "{ name: web-2, labels: { app: web }, "
                                  "annotations: null, ownerReferences: ~ }"},
                                 {"spec: { clusterIP: 10.0.0.1", "spec: { externalIPs: null, clusterIP: 10.0.0.1"},
                                 {"clients:\n",
                                  "  - { apiVersion: v1, kind: List, items: [{ apiVersion: v1, kind: "
                                  "Namespace, metadata: { name: shop, labels: null } }] }\nclients:\n"}}) {
    text.replace(text.find(from), std::string(from).size(), to);
  }
  const Reading reading = read_scenario_text("test.yaml", text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  CHECK_FALSE(view_of_client(*reading.scenario).cluster.outlier_detection);
  CHECK(view_of_client(*reading.scenario).hosts.size() == 2);
}

TEST_CASE("A client's view has the priorities that istiod gives to its proxy", "[istio]") {
  const Reading reading = read_scenario_text("test.yaml", istio_scenario("web", "{ outlierDetection: {} }"));
  REQUIRE(reading.scenario);
  const Service& view = view_of_client(*reading.scenario);
  CHECK(view.name == "outbound|80||web.default.svc.cluster.local");
  REQUIRE(view.load_assignment.endpoints.size() == 2);
  CHECK(view.load_assignment.endpoints[0].priority.value == 0);
  CHECK(view.load_assignment.endpoints[1].priority.value == 1);
  CHECK(view.cluster.common_lb_config.healthy_panic_threshold.value == 0.0);
  CHECK(std::any_of(reading.scenario->changes.begin(), reading.scenario->changes.end(), [&](const Change& change) {
    const auto* const reported = std::get_if<EdsHealth>(&change.effect);
    return reported != nullptr && reported->service == reading.scenario->clients.front().workload.service;
  }));
}

TEST_CASE("In 1.30 an unready endpoint leaves, and Envoy's panic threshold stays", "[istio]") {
  const Reading reading = read_scenario_text(
      "test.yaml", istio_scenario("web", "{ loadBalancer: { simple: RANDOM } }", "web", "release-1.30"));
  REQUIRE(reading.scenario);
  CHECK(view_of_client(*reading.scenario).cluster.common_lb_config.healthy_panic_threshold.value == 50.0);
  CHECK(std::any_of(reading.scenario->changes.begin(), reading.scenario->changes.end(), [](const Change& change) {
    const auto* const reported = std::get_if<EdsMembership>(&change.effect);
    return reported != nullptr && !reported->member;
  }));
}

// ../shared/tickets/06-istio-49384: istiod of 1.30 leaves unready endpoints out, so that nothing is told of one that is
// added unready before it is ready.
TEST_CASE("In 1.30 an endpoint that is added unready joins when it is ready", "[istio]") {
  std::string text = istio_scenario("web", "{ loadBalancer: { simple: RANDOM } }", "web", "release-1.30");
  text.erase(text.find("timeline:"));
  text +=
      "timeline:\n  - { at: 100ms, endpoints: [web-1], remove: 100% }\n  - { at: 200ms, endpoints: [web-1], healthy: 0 "
      "}\n  - { at: 300ms, endpoints: [web-1], add: 100% }\n  - { at: 900ms, endpoints: [web-1], healthy: 1 }\n";
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  std::vector<std::pair<bool, std::int64_t>> pushes;  // of the client's view
  for (const Change& change : reading.scenario->changes) {
    const auto* const reported = std::get_if<EdsMembership>(&change.effect);
    if (reported != nullptr && reported->service == reading.scenario->clients.front().workload.service) {
      pushes.emplace_back(reported->member, std::chrono::duration_cast<std::chrono::milliseconds>(change.at).count());
    }
  }
  CHECK(std::find(pushes.begin(), pushes.end(), std::pair{true, std::int64_t{300}}) == pushes.end());
  CHECK(std::find(pushes.begin(), pushes.end(), std::pair{true, std::int64_t{900}}) != pushes.end());
}

// istio #60892 (1.31): only the listed codes count. In 1.30 the field does not exist.
TEST_CASE("outlierDetectionHttpErrorCodes says which answers count as errors", "[istio]") {
  const std::string policy = "{ outlierDetection: { outlierDetectionHttpErrorCodes: [429, 503] } }";
  const Reading reading = read_scenario_text("test.yaml", istio_scenario("web", policy));
  REQUIRE(reading.scenario);
  const auto& statuses = view_of_client(*reading.scenario).cluster.error_statuses;
  REQUIRE(statuses);
  CHECK(statuses->count() == 2);
  CHECK(statuses->test(429));
  CHECK(statuses->test(503));
  const Reading older = read_scenario_text("test.yaml", istio_scenario("web", policy, "web", "release-1.30"));
  REQUIRE(older.scenario);
  CHECK_FALSE(view_of_client(*older.scenario).cluster.error_statuses);
}

TEST_CASE("The rule that was created first is in force, wherever it stands", "[istio]") {
  const auto priorities = [](const std::string& time) {
    std::string text = istio_scenario("web", "{ outlierDetection: {} }");
    const std::string name = "kind: DestinationRule, metadata: { name: web";
    text.insert(text.find(name) + name.size(), ", creationTimestamp: 2024-05-06T07:08:09Z");
    text.insert(text.find("clients:"),
                "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: zz, "
                "creationTimestamp: " +
                    time + " }, spec: { host: web, trafficPolicy: { loadBalancer: { simple: RANDOM } } } }\n");
    const Reading reading = read_scenario_text("test.yaml", text);
    INFO(time);
    REQUIRE(reading.scenario);
    return view_of_client(*reading.scenario).load_assignment.endpoints.back().priority.value;
  };
  CHECK(priorities("2020-01-01T00:00:00Z") == 0);
  CHECK(priorities("2024-05-06T07:08:08Z") == 0);
  CHECK(priorities("2024-05-06T08:38:08.999+01:30") == 0);
  CHECK(priorities("2024-05-06T07:08:10Z") == 1);
  CHECK(priorities("2024-05-06T05:38:10-01:30") == 1);
  CHECK(priorities("null") == 1);
}

TEST_CASE("A time of creation that is none is refused", "[istio]") {
  for (const std::string time :
       {"2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01", "2024-01-01T25:00:00Z", "2024-01-01T00:00:00",
        "yesterday", "\"\"", "2024-01-01T00:00:00.Z", "-024-01-01T00:00:00Z"}) {
    std::string text = istio_scenario("web", "{ outlierDetection: {} }");
    const std::string name = "kind: DestinationRule, metadata: { name: web";
    text.insert(text.find(name) + name.size(), ", creationTimestamp: " + time);
    INFO(time);
    CHECK(codes_of(read_scenario_text("test.yaml", text)) == std::vector<std::string>{"SP024"});
  }
}

// docs/behaviour/istio.md 10: `authority` is the pseudo header of the requested host.
TEST_CASE("Requests have the called host as their authority, with a port that is not 80", "[istio]") {
  const auto is_taken = [](const std::string& authority, const std::string& headers = "",
                           const std::string& port = "80") {
    std::string text = istio_scenario("web", "{ outlierDetection: {} }", "web" + headers);
    const std::string written = "{ name: http, port: 80 }";
    text.replace(text.find(written), written.size(), "{ name: http, port: " + port + " }");
    text.insert(text.find("clients:"),
                "  - { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web }, spec: { "
                "hosts: [web], http: [{ match: [{ authority: " +
                    authority + " }], route: [{ destination: { host: web } }] }] } }\n");
    const Reading reading = read_scenario_text("test.yaml", text);
    REQUIRE(reading.scenario);
    return view_of_client(*reading.scenario).missing == nullptr;
  };
  CHECK(is_taken("{ prefix: web }"));
  CHECK(is_taken("{ exact: web.default.svc.cluster.local }"));
  CHECK_FALSE(is_taken("{ exact: api }"));
  CHECK(is_taken("{ exact: api }", ", headers: { host: api }"));
  CHECK(is_taken("{ exact: 'web.default.svc.cluster.local:8080' }", "", "8080"));
  CHECK_FALSE(is_taken("{ exact: web.default.svc.cluster.local }", "", "8080"));
}

TEST_CASE("Rules that istiod refuses or that no service has are told", "[istio]") {
  const auto read = [](const std::string& host, const std::string& policy) {
    return codes_of(read_scenario_text("test.yaml", istio_scenario(host, policy)));
  };
  CHECK(read("web", "{ connectionPool: {} }") == std::vector<std::string>{"SP652"});
  CHECK(read("web", "{ outlierDetection: { consecutiveErrors: 5, maxEjectionPercent: 100 } }") ==
        std::vector<std::string>{"SP662", "SP653"});
  CHECK(read("api.default", "{ outlierDetection: {} }") == std::vector<std::string>{"SP654"});
  CHECK(read("web", "{ loadBalancer: { simple: PASSTHROUGH } }") == std::vector<std::string>{"SP656"});
  CHECK(read("web", "{ outlierDetecton: {} }") == std::vector<std::string>{"SP020"});
}

TEST_CASE("Documents that make istiod panic are an error of the workload that needs them", "[istio]") {
  const Reading reading = read_scenario_text("test.yaml", R"(duration: 1s
mode: exact
profile: { istio: release-1.31 }
resources:
  - { apiVersion: v1, kind: Node, metadata: { name: n1, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1 } } }
  - apiVersion: networking.istio.io/v1
    kind: ServiceEntry
    metadata: { name: api }
    spec:
      hosts: [api.example.com]
      resolution: DNS
      ports: [{ number: 80, name: http, protocol: HTTP }]
      endpoints:
        - { address: a.example.com, locality: r1/z1 }
        - { address: b.example.com, locality: r1/z2 }
  - apiVersion: networking.istio.io/v1
    kind: DestinationRule
    metadata: { name: api }
    spec:
      host: api.example.com
      trafficPolicy:
        outlierDetection: {}
        loadBalancer: { localityLbSetting: { failoverPriority: [topology.istio.io/subzone] } }
clients:
  - { name: c, node: n1, workload: { service: api.example.com, rate: 10rps } }
)");
  CHECK_FALSE(reading.scenario);
  REQUIRE(codes_of(reading) == std::vector<std::string>{"SP674", "SP656"});
  CHECK(reading.diagnostics.back().label.find("istiod panics") != std::string::npos);
}

TEST_CASE("What manifests hold beside Istio's documents is ignored, and said so", "[istio]") {
  std::string text = istio_scenario("web", "{ outlierDetection: {} }");
  text.insert(text.find("clients:"),
              "  - { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 3 } }\n"
              "  - { apiVersion: security.istio.io/v1, kind: PeerAuthentication, metadata: { name: default } }\n");
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  const auto codes = codes_of(reading);
  CHECK(std::count(codes.begin(), codes.end(), "SP650") == 2);
}

TEST_CASE("An autoscaler that is ignored leaves replicas as they are, and says so", "[istio]") {
  std::string text = istio_scenario("web", "{ outlierDetection: {} }");
  text.insert(text.find("clients:"),
              "  - { apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: web } }\n");
  const Reading reading = read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  const auto ignored = std::find_if(reading.diagnostics.begin(), reading.diagnostics.end(),
                                    [](const auto& problem) { return problem.code == "SP650"; });
  REQUIRE(ignored != reading.diagnostics.end());
  CHECK(ignored->label == "replicas are taken as they are now");
}

TEST_CASE("Documents of other programs are ignored by name, and a misspelled group is not", "[istio]") {
  const auto read = [](const std::string& document) {
    std::string text = istio_scenario("web", "{ outlierDetection: {} }");
    text.insert(text.find("clients:"), "  - " + document + "\n");
    return read_scenario_text("test.yaml", text);
  };
  for (const char* const document :
       {"{ apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: { name: web }, spec: { replicas: 2 } }",
        "{ apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: { name: web } }",
        "{ apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: { name: web } }"}) {
    CAPTURE(document);
    const Reading reading = read(document);
    CHECK(reading.scenario);
    const auto codes = codes_of(reading);
    CHECK(std::count(codes.begin(), codes.end(), "SP650") == 1);
  }
  CHECK_FALSE(read("{ apiVersion: networking.istio.i/v1, kind: DestinationRule, metadata: { name: a }, spec: { host: a "
                   "} }")
                  .scenario);
}

TEST_CASE("What Gateway API adds to routes is not supported, and nobody's document of Kuma", "[istio]") {
  std::string text = istio_scenario("web", "{ outlierDetection: {} }");
  text.insert(text.find("clients:"),
              "  - { apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: { name: web }, spec: {} }\n");
  const Reading reading = read_scenario_text("test.yaml", text);
  CHECK_FALSE(reading.scenario);
  const auto codes = codes_of(reading);
  CHECK(std::count(codes.begin(), codes.end(), "SP651") == 1);
}

TEST_CASE("The mesh's configuration is read of the ConfigMap that istiod reads", "[istio]") {
  std::string text = istio_scenario("web", "{ outlierDetection: {} }");
  const auto priorities = [](const std::string& of) {
    const Reading reading = read_scenario_text("test.yaml", of);
    REQUIRE(reading.scenario);
    return view_of_client(*reading.scenario).load_assignment.endpoints.back().priority.value;
  };
  CHECK(priorities(text) == 1);
  text.insert(text.find("clients:"),
              "  - apiVersion: v1\n    kind: ConfigMap\n    metadata: { name: istio, namespace: istio-system }\n"
              "    data:\n      mesh: |\n        defaultConfig: { discoveryAddress: istiod:15012 }\n"
              "        localityLbSetting: { enabled: false }\n      meshNetworks: \"networks: {}\"\n");
  CHECK(priorities(text) == 0);
}

TEST_CASE("A route to a subset that no rule makes names the rule", "[istio]") {
  std::string text = istio_scenario("web", "{ outlierDetection: {} }");
  text.insert(text.find("clients:"),
              "  - { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web }, spec: { hosts: "
              "[web], http: [{ route: [{ destination: { host: web, subset: v9 } }] }] } }\n");
  const Reading reading = read_scenario_text("test.yaml", text);
  CHECK(reading.scenario);
  const auto found = std::find_if(reading.diagnostics.begin(), reading.diagnostics.end(),
                                  [](const Diagnostic& problem) { return problem.code == "SP656"; });
  REQUIRE(found != reading.diagnostics.end());
  CHECK(found->label.find("DestinationRule default/web has no subset `v9`") != std::string::npos);
}

TEST_CASE("A service that the documents do not have is unknown, and none of theirs", "[istio]") {
  const auto codes = [](const std::string& service) {
    std::vector<std::string> errors;
    for (const Diagnostic& problem :
         read_scenario_text("test.yaml", istio_scenario("web", "{ outlierDetection: {} }", service)).diagnostics) {
      if (problem.severity == Severity::error) {
        errors.push_back(problem.code + " " + problem.message);
      }
    }
    return errors;
  };
  CHECK(codes("web").empty());
  CHECK(codes("typo") == std::vector<std::string>{"SP107 unknown service `typo`"});
  CHECK(codes("web:81") == std::vector<std::string>{"SP107 unknown service `web:81`"});
  std::string serving = istio_scenario("web", "{ outlierDetection: {} }");
  serving += "serving: [{ service: typo, capacity: 5rps }]\n";
  const Reading reading = read_scenario_text("test.yaml", serving);
  CHECK_FALSE(reading.scenario);
}

TEST_CASE("A route with a fault or a delegate is refused by name where a client's requests take it, a mirror is not",
          "[istio]") {
  const auto codes = [](const std::string& route) {
    std::string text = istio_scenario("web", "{ outlierDetection: {} }");
    text.insert(
        text.find("clients:"),
        "  - { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web }, spec: { hosts: "
        "[web], http: [{ " +
            route + " }] } }\n");
    std::vector<std::string> errors;
    for (const Diagnostic& problem : read_scenario_text("test.yaml", text).diagnostics) {
      if (problem.severity == Severity::error) {
        errors.push_back(problem.code + " " + problem.label);
      }
    }
    return errors;
  };
  const std::string to_web = "route: [{ destination: { host: web } }]";
  CHECK(codes(to_web).empty());
  CHECK(codes(to_web + ", fault: { abort: { httpStatus: 503, percentage: { value: 100 } } }").empty());
  CHECK(codes(to_web + ", fault: { abort: { httpStatus: 200, percentage: { value: 100 } } }") ==
        std::vector<std::string>{"SP301 `fault.abort` of its route is not supported yet"});
  CHECK(codes(to_web + ", fault: { abort: { grpcStatus: UNAVAILABLE, percentage: { value: 100 } } }").empty());
  CHECK(codes(to_web + ", fault: { delay: { fixedDelay: 5s, percentage: { value: 1 } } }").empty());
  CHECK(codes(to_web + ", fault: { abort: { httpStatus: 503 } }").empty());
  CHECK(codes(to_web + ", mirror: { host: web }").empty());
  CHECK(codes("delegate: { name: d, namespace: default }") ==
        std::vector<std::string>{"SP301 `delegate` of its route is not supported yet"});
  CHECK(codes("redirect: { uri: /x }") == std::vector<std::string>{"SP656 its route answers by itself: `redirect`"});
}

TEST_CASE("A route that leads nowhere names its VirtualService, with its line", "[istio]") {
  std::string text = istio_scenario("web", "{ outlierDetection: {} }");
  text.insert(text.find("clients:"),
              "  - { apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: { name: web }, spec: { hosts: "
              "[web], http: [{ route: [{ destination: { host: nosuch } }] }] } }\n");
  const Reading reading = read_scenario_text("test.yaml", text);
  const auto found = std::find_if(reading.diagnostics.begin(), reading.diagnostics.end(),
                                  [](const Diagnostic& problem) { return problem.code == "SP656"; });
  REQUIRE(found != reading.diagnostics.end());
  REQUIRE(found->notes.size() == 1);
  CHECK(found->notes.front() == "VirtualService `default/web` in test.yaml:18 routes them");
}

TEST_CASE("settings without an effect are named of Istio's rules as of Envoy's clusters", "[istio][lints]") {
  const auto has = [](const std::string& code, const std::string& policy, const std::string& port = "http") {
    std::string text = istio_scenario("web", policy);
    for (std::size_t at = 0; (at = text.find("name: http", at)) != std::string::npos; at += port.size()) {
      text.replace(at, 10, "name: " + port);
    }
    const std::vector<std::string> codes = codes_of(read_scenario_text("test.yaml", text));
    return std::find(codes.begin(), codes.end(), code) != codes.end();
  };
  // Envoy's default is 10 %, of two hosts none. Where SP672 says so of a zone, it is not said twice.
  CHECK(has("SP750", "{ outlierDetection: { consecutive5xxErrors: 5 } }"));
  CHECK_FALSE(has("SP672", "{ outlierDetection: { consecutive5xxErrors: 5 } }"));
  CHECK_FALSE(has("SP750", "{ outlierDetection: { maxEjectionPercent: 50 } }"));
  // istio#58708: a port that is not HTTP has no route that could hash by a header.
  const std::string by_header = "{ loadBalancer: { consistentHash: { httpHeaderName: x-user } } }";
  CHECK(has("SP773", by_header, "https"));
  CHECK(has("SP773", by_header, "tcp"));
  CHECK_FALSE(has("SP773", by_header));
  CHECK_FALSE(has("SP773", "{ loadBalancer: { consistentHash: { useSourceIp: true } } }", "tcp"));
  // istio#50727: a proxy without self-discovery knows no cluster of its own.
  const std::string outlier = ", outlierDetection: { maxEjectionPercent: 100 } }";
  CHECK(has("SP783", "{ loadBalancer: { zoneAwareLbSetting: { enabled: true } }" + outlier));
  CHECK_FALSE(has("SP783", "{ loadBalancer: { zoneAwareLbSetting: { enabled: false } }" + outlier));
  CHECK_FALSE(has("SP783", "{ loadBalancer: { localityLbSetting: { enabled: true } }" + outlier));
}

}  // namespace spillway::scenario
