// Which addresses of other zones a proxy has, and what its checks find behind them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/binding/kuma/simulated.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

std::string dataplane(const std::string& name, const std::string& zone, const std::string& address,
                      const std::string& service, const std::string& rest = "") {
  return "  - { type: Dataplane, name: " + name + ", labels: { kuma.io/zone: " + zone +
         " }, networking: { address: " + address + ", inbound: [{ port: 80, tags: { kuma.io/service: " + service +
         ", kuma.io/zone: " + zone + ", kuma.io/protocol: http } }]" + rest + " } }\n";
}

std::string ingress(const std::string& zone, const std::string& last) {
  return "  - { type: ZoneIngress, name: i-" + zone + ", zone: " + zone + ", networking: { address: 10.9.0." + last +
         ", port: 10001, advertisedAddress: 1.2.0." + last + ", advertisedPort: 10001 } }\n";
}

std::string mesh_service(const std::string& zone) {
  return "  - { type: MeshService, name: b, labels: { kuma.io/zone: " + zone +
         " }, spec: { selector: { dataplaneTags: { kuma.io/service: b } }, ports: [{ port: 80, appProtocol: http }] } "
         "}\n";
}

}  // namespace

// docs/behaviour/kuma.md 4; v2.14.3 outbound.go: "MeshZoneAddress takes priority over legacy ZoneIngress".
TEST_CASE("a zone with a MeshZoneAddress is reached by that alone, and others by their ingresses", "[mesh]") {
  const scenario::Scenario scenario = read_mesh(
      "duration: 1s\nmode: exact\nresources:\n" +
      dataplane("web", "z1", "10.1.0.1", "web",
                ", outbound: [{ port: 1001, backendRef: { kind: MeshMultiZoneService, name: all, port: 80 } }]") +
      dataplane("b2", "z2", "10.2.0.2", "b") + dataplane("b3", "z3", "10.3.0.2", "b") + ingress("z2", "2") +
      ingress("z3", "3") +
      "  - { type: MeshZoneAddress, name: a3, labels: { kuma.io/zone: z3 }, spec: { address: 9.9.9.9, port: 10001 } "
      "}\n" +
      mesh_service("z2") + mesh_service("z3") +
      "  - { type: MeshMultiZoneService, name: all, spec: { selector: { meshService: { matchLabels: { "
      "kuma.io/display-name: b } } }, ports: [{ port: 80, appProtocol: http }] } }\n");
  const Shares found = shares(scenario, simulate_mesh(scenario), "web");
  REQUIRE(found.size() == 2);
  for (const auto& [name, percent] : found) {
    CHECK(percent == 50.0);
    CHECK(name.find("i-z3") == std::string::npos);
  }
}

TEST_CASE("a zone whose only ingress has no public address is not reachable", "[mesh]") {
  const scenario::Scenario scenario = read_mesh(
      "duration: 1s\nmode: exact\nzones: [{ name: z1 }, { name: z2 }]\nresources:\n" +
      dataplane("web", "z1", "10.1.0.1", "web", ", outbound: [{ port: 1001, tags: { kuma.io/service: b } }]") +
      dataplane("b1", "z1", "10.1.0.2", "b") + dataplane("b2", "z2", "10.2.0.2", "b") +
      "  - { type: ZoneIngress, name: i2, zone: z2, networking: { address: 10.2.9.1, port: 10001 } }\n");
  CHECK(shares(scenario, simulate_mesh(scenario), "web") == Shares{{"b1", 100.0}});
  CHECK(std::none_of(scenario.assumptions.begin(), scenario.assumptions.end(),
                     [](const std::string& text) { return text.find("ingress") != std::string::npos; }));
}

// A check is a connection of the cluster's own, which the ingress passes on: with nobody behind it well, it fails.
TEST_CASE("active checks through an ingress find what is behind it", "[mesh]") {
  const auto failed_until = [](const std::string& out) {
    const scenario::Scenario scenario = read_mesh(
        "duration: 30s\nzones: [{ name: z1 }, { name: z2 }]\n"
        "services: [{ name: backend, endpoints: [{ count: 2, zone: z1 }, { count: 2, zone: z2 }] }]\n"
        "policies:\n  - { type: MeshHealthCheck, name: hc, spec: { to: [{ targetRef: { kind: Mesh }, default: { "
        "interval: 2s, timeout: 1s, unhealthyThreshold: 2, healthyThreshold: 1, http: { path: /h } } }] } }\n"
        "clients: [{ name: web, zone: z1, workload: { service: backend, rate: 50rps } }]\n"
        "timeline: [{ at: 10s, endpoints: [" +
        out + "], outage: true }]\n");
    const run::Results results = simulate_mesh(scenario, scenario::Mode::requests);
    return static_cast<double>(results.outcomes.at(0).sent - results.outcomes.at(0).ok()) / 50.0;
  };
  // Half of the requests fail for at most two intervals and a timeout, and none after; else it would be ten seconds.
  CHECK(failed_until("backend-3, backend-4") > 0.2);
  CHECK(failed_until("backend-3, backend-4") < 3.5);
}

TEST_CASE("clients of one entry on several nodes have the affinity of the first, which is told", "[mesh]") {
  const auto reported = [](const std::string& policy) {
    const scenario::Scenario scenario = read_mesh(
        "duration: 1s\nmode: exact\n"
        "zones: [{ name: z1, nodes: [{ name: n1, labels: { host: n1 } }, { name: n2, labels: { host: n2 } }] }]\n"
        "services: [{ name: backend, endpoints: [{ count: 2, zone: z1 }] }]\n"
        "policies: [{ type: MeshLoadBalancingStrategy, name: lb, spec: { to: [{ targetRef: { kind: MeshService, name: "
        "backend }, default: { " +
        policy +
        " } }] } }]\n"
        "clients: [{ name: web, zone: z1, count: 3, workload: { service: backend, rate: 30rps } }]\n");
    return std::count(
        scenario.assumptions.begin(), scenario.assumptions.end(),
        "all 3 clients of web prefer what has the tags of node n1, where the first of them runs: write an "
        "entry with `node` for each node");
  };
  CHECK(reported("localityAwareness: { localZone: { affinityTags: [{ key: host }] } }") == 1);
  CHECK(reported("loadBalancer: { type: RoundRobin }") == 0);
}
