// Lints of settings that Kuma's policies and Istio's rules make: at the field of the document, in its own words.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

std::vector<Diagnostic> settings_of(const std::string& text) {
  const Reading reading = read_scenario_text("mesh.yaml", text);
  REQUIRE(reading.scenario);
  std::vector<Diagnostic> found;
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    if (diagnostic.code >= "SP750" && diagnostic.code <= "SP789") {
      found.push_back(diagnostic);
    }
  }
  return found;
}

std::string line_at(const std::string& text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t number = 1; number < line; ++number) {
    begin = text.find('\n', begin) + 1;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Three endpoints in each of two zones, under a MeshCircuitBreaker.
std::string kuma_mesh(const std::string& conf) {
  return R"(duration: 10s
zones: [{ name: zone-1 }, { name: zone-2 }]
services:
  - name: backend
    endpoints: [{ count: 3, zone: zone-1, service_time: 20ms }, { count: 3, zone: zone-2, service_time: 20ms }]
policies:
  - type: MeshCircuitBreaker
    mesh: default
    name: breaker
    spec:
      targetRef: { kind: Mesh }
      to:
        - targetRef: { kind: MeshService, name: backend }
          default:
)" + conf +
         R"(
clients:
  - { name: frontend, zone: zone-1, workload: { service: backend, rate: 1000rps } }
timeline:
  - { at: 5s, endpoints: [backend-1], fails: 100% }
)";
}

std::string istio_mesh(const std::string& policy) {
  std::string text = "duration: 2s\nresources:\n  - { apiVersion: v1, kind: Node, metadata: { name: n1 } }\n";
  std::string endpoints;
  for (const char* const pod : {"1", "2", "3"}) {
    const std::string number(pod);
    text += "  - { apiVersion: v1, kind: Pod, metadata: { name: web-" + number +
            ", labels: { app: web } }, spec: { nodeName: n1 }, status: { podIP: 10.1.1." + number + " } }\n";
    endpoints += "      - { addresses: [10.1.1." + number + "], targetRef: { kind: Pod, name: web-" + number + " } }\n";
  }
  return text +
         "  - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, ports: [{ name: "
         "http, port: 80 }] } }\n"
         "  - apiVersion: discovery.k8s.io/v1\n    kind: EndpointSlice\n    metadata: { name: web-1, labels: { "
         "kubernetes.io/service-name: web } }\n    ports: [{ name: http, port: 8080 }]\n    endpoints:\n" +
         endpoints +
         "  - apiVersion: networking.istio.io/v1\n    kind: DestinationRule\n    metadata: { name: web }\n    spec:\n  "
         "    host: web\n      trafficPolicy:\n" +
         policy + "clients:\n  - { name: c, node: n1, workload: { service: web, rate: 10rps } }\n";
}

}  // namespace

TEST_CASE("A MeshCircuitBreaker that never ejects is named at its percentage", "[lints]") {
  const std::string text = kuma_mesh(
      "            outlierDetection:\n              maxEjectionPercent: 10\n"
      "              detectors: { totalFailures: { consecutive: 5 } }\n");
  const auto found = settings_of(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "SP750");
  CHECK(line_at(text, found[0].where.line).find("maxEjectionPercent: 10") != std::string::npos);
  REQUIRE(found[0].helps.size() == 1);
  CHECK(found[0].helps[0].find("`maxEjectionPercent: ") != std::string::npos);
  CHECK(found[0].helps[0].find("always_eject_one_host") == std::string::npos);
}

TEST_CASE("A MeshCircuitBreaker that lets a part be ejected is no trap", "[lints]") {
  CHECK(settings_of(kuma_mesh("            outlierDetection:\n              maxEjectionPercent: 50\n"
                              "              detectors: { totalFailures: { consecutive: 5 } }\n"))
            .empty());
}

TEST_CASE("Connection limits of a MeshCircuitBreaker below what the workload needs are named", "[lints]") {
  // 1,000 a second of 20 ms each: 20 under way.
  const std::string text = kuma_mesh("            connectionLimits:\n              maxRequests: 5\n");
  const auto found = settings_of(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "SP757");
  CHECK(line_at(text, found[0].where.line).find("maxRequests: 5") != std::string::npos);
  CHECK(found[0].helps[0] == "write at least twice as many, `maxRequests: 41`");
}

TEST_CASE("A DestinationRule that never ejects is named at its percentage, once", "[lints][istio]") {
  const std::string text = istio_mesh("        outlierDetection:\n          maxEjectionPercent: 20\n");
  const auto found = settings_of(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "SP750");
  CHECK(found[0].label == "20 % of 3 hosts is less than one host");
  CHECK(line_at(text, found[0].where.line).find("maxEjectionPercent: 20") != std::string::npos);
  CHECK(found[0].helps[0] == "write `maxEjectionPercent: 34` or more");
  CHECK(settings_of(istio_mesh("        outlierDetection:\n          maxEjectionPercent: 34\n")).empty());
}
