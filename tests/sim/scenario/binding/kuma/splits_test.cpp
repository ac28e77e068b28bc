// What splits lead to. Expected shares are arithmetic on Kuma 2.14.3's rules (docs/behaviour/kuma.md 11).
#include <algorithm>

#include "tests/sim/scenario/binding/kuma/simulated.hpp"

using spillway::scenario::Scenario;
using spillway::test::read_mesh;
using spillway::test::Shares;
using spillway::test::shares;
using spillway::test::simulate_mesh;

namespace {

// A route of `be` with these rules.
std::string http_route(const std::string& rules) {
  return "  - type: MeshHTTPRoute\n    name: split\n    mesh: default\n    spec:\n      to:\n"
         "        - { targetRef: { kind: MeshService, name: be }, rules: [" +
         rules + "] }\n";
}

std::string rule(const std::string& path, const std::string& references) {
  return "{ matches: [{ path: { type: PathPrefix, value: " + path + " } }], default: { backendRefs: [" + references +
         "] } }";
}

// be, which speaks http, and db, which speaks what is said, in one zone; what `web` gets of both.
Shares of_web(const std::string& policies, const std::string& protocol_of_db = "tcp") {
  const Scenario scenario = read_mesh(
      "duration: 10s\nmode: exact\nzones: [{ name: z1 }]\nservices:\n"
      "  - { name: be, endpoints: [{ id: b, zone: z1, tags: { kuma.io/protocol: http } }] }\n"
      "  - { name: db, endpoints: [{ id: d, zone: z1, tags: { kuma.io/protocol: " +
      protocol_of_db + " } }] }\npolicies:\n" + policies +
      "clients: [{ name: web, zone: z1, workload: { service: be, rate: 10rps } }]\n");
  return shares(scenario, simulate_mesh(scenario), "web");
}

const std::string even_split =
    "{ kind: MeshService, name: be, weight: 50 }, { kind: MeshService, name: db, weight: 50 }";

}  // namespace

TEST_CASE("an http split drops a backend that does not speak http, and the others take its part", "[mesh]") {
  CHECK(of_web(http_route(rule("/", even_split)), "tcp") == Shares{{"b", 100.0}});
  CHECK(of_web(http_route(rule("/", even_split)), "kafka") == Shares{{"b", 100.0}});
  // Shares are those of each service, which has one endpoint.
  CHECK(of_web(http_route(rule("/", even_split)), "grpc") == Shares{{"b", 100.0}, {"d", 100.0}});
}

TEST_CASE("a rule whose backends are all dropped is left out, and the next one takes its requests", "[mesh]") {
  const std::string of_db = "{ kind: MeshService, name: db }";
  const std::string empty = "{ kind: MeshService, name: db, weight: 0 }";
  // The request's path is "/", so that a rule of an exact path comes first.
  const auto exact = [](const std::string& references) {
    return "{ matches: [{ path: { type: Exact, value: / } }], default: { backendRefs: [" + references + "] } }";
  };
  CHECK(of_web(http_route(exact(of_db))) == Shares{{"b", 100.0}});
  CHECK(of_web(http_route(exact(empty) + ", " + rule("/", of_db)), "http") == Shares{{"d", 100.0}});
}

TEST_CASE("a backendRef to nothing is dropped, and the others take its part", "[mesh]") {
  const std::string missing = "{ kind: MeshService, name: canary, weight: 10 }";
  CHECK(of_web(http_route(rule("/", missing + ", { kind: MeshService, name: be, weight: 90 }"))) ==
        Shares{{"b", 100.0}});
  const std::string labels =
      "{ kind: MeshMultiZoneService, labels: { kuma.io/display-name: canary }, port: 80, weight: 10 }";
  CHECK(of_web(http_route(rule("/", labels + ", { kind: MeshService, name: db, weight: 90 }")), "http") ==
        Shares{{"d", 100.0}});
}

TEST_CASE("without a backendRef that resolves, requests go to the destination itself", "[mesh]") {
  const std::string labels = "{ kind: MeshMultiZoneService, labels: { kuma.io/display-name: canary }, port: 80 }";
  CHECK(of_web(http_route(rule("/", labels))) == Shares{{"b", 100.0}});
}

TEST_CASE("where a rule takes all requests and none of its backends is there, nothing answers", "[mesh]") {
  const auto reading = spillway::scenario::read_scenario_text(
      "mesh.yaml",
      "duration: 10s\nmode: exact\nzones: [{ name: z1 }]\nservices:\n"
      "  - { name: be, endpoints: [{ id: b, zone: z1 }] }\npolicies:\n" +
          http_route(rule("/", "{ kind: MeshService, name: canary }")) +
          "clients: [{ name: web, zone: z1, workload: { service: be, rate: 10rps } }]\n");
  CHECK_FALSE(reading.scenario.has_value());
}

TEST_CASE("what is dropped of a split is a warning", "[mesh]") {
  const auto reading = spillway::scenario::read_scenario_text(
      "mesh.yaml",
      "duration: 10s\nmode: exact\nzones: [{ name: z1 }]\nservices:\n"
      "  - { name: be, endpoints: [{ id: b, zone: z1 }] }\n"
      "  - { name: db, endpoints: [{ id: d, zone: z1, tags: { kuma.io/protocol: tcp } }] }\npolicies:\n" +
          http_route(rule("/", even_split)) +
          "clients: [{ name: web, zone: z1, workload: { service: be, rate: 10rps } }]\n");
  CHECK(reading.scenario.has_value());
  const auto warnings = std::count_if(reading.diagnostics.begin(), reading.diagnostics.end(),
                                      [](const auto& problem) { return problem.code == "SP633"; });
  CHECK(warnings == 1);
}

TEST_CASE("a route by requests is not for a service whose endpoints have no http in common", "[mesh]") {
  const auto of_two = [](const std::string& one, const std::string& other) {
    const auto dataplane = [](const std::string& name, const std::string& service, const std::string& protocol) {
      return "  - { type: Dataplane, mesh: default, name: " + name + ", networking: { address: " + name +
             ".local, inbound: [{ port: 80, tags: { kuma.io/service: " + service + ", kuma.io/zone: z1" +
             (protocol.empty() ? "" : ", kuma.io/protocol: " + protocol) + " } }] } }\n";
    };
    const Scenario scenario = read_mesh("duration: 10s\nmode: exact\nresources:\n" + dataplane("be-1", "be", one) +
                                        dataplane("be-2", "be", other) + dataplane("other-1", "other", "http") +
                                        "policies:\n" + http_route(rule("/", "{ kind: MeshService, name: other }")) +
                                        "clients: [{ name: web, zone: z1, workload: { service: be, rate: 10rps } }]\n");
    return shares(scenario, simulate_mesh(scenario), "web");
  };
  const Shares routed = {{"other-1", 100.0}};
  const Shares itself = {{"be-1", 50.0}, {"be-2", 50.0}};
  CHECK(of_two("http", "http") == routed);
  CHECK(of_two("grpc", "http2") == routed);
  CHECK(of_two("http", "tcp") == itself);
  CHECK(of_two("http", "") == itself);
  CHECK(of_two("http", "grpc") == itself);
}
