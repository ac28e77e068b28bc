// What a Dataplane's outbounds lead to. Expected shares are arithmetic on Kuma 2.14.3's rules (docs/behaviour/kuma.md
// 11): an outbound by tags is the endpoints that have them all.
#include "models/kuma/proxy/outbound_listener.hpp"
#include "sim/scenario/outbound_in_use.hpp"
#include "tests/sim/scenario/binding/kuma/simulated.hpp"

using spillway::scenario::Scenario;
using spillway::test::read_mesh;
using spillway::test::Shares;
using spillway::test::shares;
using spillway::test::simulate_mesh;

namespace {

std::string inbound(int port, const std::string& service, const std::string& zone, const std::string& more = "") {
  return "{ port: " + std::to_string(port) + ", tags: { kuma.io/service: " + service + ", kuma.io/zone: " + zone +
         ", kuma.io/protocol: http" + more + " } }";
}

std::string dataplane(const std::string& name, const std::string& inbounds, const std::string& rest = "") {
  return "  - { type: Dataplane, mesh: default, name: " + name + ", networking: { address: " + name +
         ".local, inbound: [" + inbounds + "]" + rest + " } }\n";
}

// A client `web` with these outbounds; `be` has v=1 and v=2 in z1, and neither in z2.
Scenario web_with(const std::string& outbounds, const std::string& rest = "", const std::string& clients = "") {
  return read_mesh("duration: 10s\nmode: exact\nresources:\n" +
                   dataplane("web", inbound(80, "web", "z1"), ", outbound: [" + outbounds + "]" + rest) +
                   dataplane("be-1", inbound(80, "be", "z1", ", v: '1'") + ", " + inbound(81, "be", "z1", ", v: '2'")) +
                   dataplane("be-2", inbound(80, "be", "z2")) + clients);
}

}  // namespace

TEST_CASE("an outbound with more tags than the service leads to the endpoints that have them", "[mesh]") {
  const Scenario second = web_with("{ port: 90, tags: { kuma.io/service: be, v: '2' } }");
  CHECK(shares(second, simulate_mesh(second), "web") == Shares{{"be-1:81", 100.0}});
  const Scenario none = web_with("{ port: 90, tags: { kuma.io/service: be, v: '3' } }");
  CHECK(shares(none, simulate_mesh(none), "web").empty());
}

TEST_CASE("each outbound of a dataplane has its own tags", "[mesh]") {
  const Scenario both = web_with(
      "{ port: 90, tags: { kuma.io/service: be, v: '1' } }, { port: 91, tags: { kuma.io/service: be, v: '2' } }");
  CHECK(shares(both, simulate_mesh(both), "web") == Shares{{"be-1:80", 50.0}, {"be-1:81", 50.0}});
}

TEST_CASE("a client that is named asks by its dataplane's outbound", "[mesh]") {
  const Scenario named = web_with("{ port: 90, tags: { kuma.io/service: be, v: '2' } }", "",
                                  "clients: [{ name: web, zone: z1, workload: { service: be, rate: 10rps } }]\n");
  CHECK(shares(named, simulate_mesh(named), "web") == Shares{{"be-1:81", 100.0}});
}

TEST_CASE("with transparent proxying what is written of outbounds does not count", "[mesh]") {
  const Scenario transparent =
      web_with("{ port: 90, tags: { kuma.io/service: be, v: '2' } }",
               ", transparentProxying: { redirectPortInbound: 15006, redirectPortOutbound: 15001 }");
  // One other ingress that advertises services: every local instance has weight 1, the ingress that of its instance.
  CHECK(shares(transparent, simulate_mesh(transparent), "web") ==
        Shares{{"be-1:80", 33.3333}, {"be-1:81", 33.3333}, {"be-2 via z2 ingress", 33.3333}});
}

TEST_CASE("a strategy is for a split's backend only where the dataplane has an outbound for it", "[mesh]") {
  const auto mesh = [](const std::string& more_of_web) {
    return read_mesh(
        "duration: 10s\nmode: exact\nresources:\n" +
        dataplane("web", inbound(80, "web", "z1"),
                  ", outbound: [{ port: 90, tags: { kuma.io/service: be } }" + more_of_web) +
        dataplane("be-1", inbound(80, "be", "z1")) + dataplane("c-1", inbound(80, "canary", "z1")) +
        dataplane("c-2", inbound(80, "canary", "z2")) +
        "policies:\n"
        "  - { type: MeshHTTPRoute, name: r, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, name: be }, "
        "rules: [{ matches: [{ path: { type: PathPrefix, value: / } }], default: { backendRefs: [{ kind: MeshService, "
        "name: canary }] } }] }] } }\n"
        "  - { type: MeshLoadBalancingStrategy, name: s, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, "
        "name: canary }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }] } }\n"
        "clients: [{ name: web, zone: z1, workload: { service: be, rate: 10rps } }]\n");
  };
  // Without the policy all are in one priority: one instance here of weight 1, and one behind the other ingress.
  const Scenario without = mesh("]");
  CHECK(shares(without, simulate_mesh(without), "web") == Shares{{"c-1", 50.0}, {"c-2 via z2 ingress", 50.0}});
  const Scenario with = mesh(", { port: 91, tags: { kuma.io/service: canary } }]");
  CHECK(shares(with, simulate_mesh(with), "web") == Shares{{"c-1", 100.0}});
  const Scenario transparent = mesh("], transparentProxying: { redirectPortOutbound: 15001 }");
  CHECK(shares(transparent, simulate_mesh(transparent), "web") == Shares{{"c-1", 100.0}});
}

TEST_CASE("an outbound leads to the kind of resource that it names, whatever else has this name", "[mesh]") {
  const Scenario scenario = read_mesh(
      "duration: 1s\nmode: exact\nprofile: { kuma: head }\nresources:\n" +
      dataplane("web", inbound(80, "web", "z1"),
                ", outbound: [{ port: 90, backendRef: { kind: MeshService, name: pay, port: 80 } }, "
                "{ port: 91, backendRef: { kind: MeshExternalService, name: pay, port: 80 } }]") +
      "  - { type: Dataplane, mesh: default, name: be, labels: { app: be }, networking: { address: 10.0.0.1, "
      "inbound: [{ port: 80 }] } }\n"
      "  - { type: MeshService, mesh: default, name: pay, labels: { kuma.io/zone: z1 }, spec: { selector: { "
      "dataplaneLabels: { matchLabels: { app: be } } }, ports: [{ port: 80, appProtocol: http }] } }\n"
      "  - { type: MeshExternalService, mesh: default, name: pay, spec: { match: { type: HostnameGenerator, port: 80, "
      "protocol: http }, endpoints: [{ address: 1.1.1.1, port: 443 }] } }\n");
  const auto& outbounds = scenario.clients.front().outbounds;
  REQUIRE(outbounds.size() == 2);
  CHECK(outbounds[0].listener->port == 90);
  CHECK(outbounds[1].listener->port == 91);
}

TEST_CASE("documents of one external service are its endpoints", "[mesh]") {
  const auto external = [](const std::string& name, const std::string& address, const std::string& more) {
    return "  - { type: ExternalService, mesh: default, name: " + name + ", networking: { address: '" + address +
           ":80' }, tags: { kuma.io/service: ext, kuma.io/protocol: http" + more + " } }\n";
  };
  const Scenario scenario = read_mesh(
      "duration: 10s\nmode: exact\nzones: [{ name: z1 }, { name: z2 }]\nresources:\n" +
      dataplane("web", inbound(80, "web", "z1"), ", outbound: [{ port: 81, tags: { kuma.io/service: ext } }]") +
      external("e1", "1.1.1.1", "") + external("e2", "1.1.1.2", ", kuma.io/zone: z2"));
  CHECK(shares(scenario, simulate_mesh(scenario), "web") == Shares{{"1.1.1.1:80", 50.0}, {"1.1.1.2:80", 50.0}});
}

TEST_CASE("an object that says nothing of a mesh stands beside documents of Kuma", "[mesh]") {
  const std::string start =
      "duration: 10s\nmode: exact\nresources:\n" +
      dataplane("web", inbound(80, "web", "z1"), ", outbound: [{ port: 81, tags: { kuma.io/service: be } }]") +
      dataplane("be-1", inbound(80, "be", "z1"));
  const Scenario scenario =
      read_mesh(start + "  - { apiVersion: v1, kind: ConfigMap, metadata: { name: x }, data: { a: b } }\n");
  CHECK(shares(scenario, simulate_mesh(scenario), "web") == Shares{{"be-1", 100.0}});
  const auto of_istio = spillway::scenario::read_scenario_text(
      "mesh.yaml", start +
                       "  - { apiVersion: security.istio.io/v1, kind: PeerAuthentication, metadata: { name: x }, spec: "
                       "{} }\n");
  CHECK_FALSE(of_istio.scenario.has_value());
}

TEST_CASE("an external service of another zone is reached by its zone's ingress and egress", "[mesh]") {
  const Scenario scenario = read_mesh(
      "duration: 10s\nmode: exact\nzones: [{ name: z1 }, { name: z2 }, { name: z3 }]\nresources:\n"
      "  - { type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] }, "
      "routing: "
      "{ zoneEgress: true } }\n" +
      dataplane("web", inbound(80, "web", "z1"), ", outbound: [{ port: 81, tags: { kuma.io/service: ext } }]") +
      "  - { type: ExternalService, mesh: default, name: e, networking: { address: '1.1.1.2:80' }, tags: { "
      "kuma.io/service: ext, kuma.io/protocol: http, kuma.io/zone: z2 } }\n");
  CHECK(shares(scenario, simulate_mesh(scenario), "web") ==
        Shares{{"1.1.1.2:80 via z1 egress > z2 ingress > z2 egress", 100.0}});
}

// docs/behaviour/kuma.md 4: the entry's weight is what the ingress tells, and not all of that has to be written down.
TEST_CASE("a written ZoneIngress has as many instances as it says, less those that are removed", "[mesh]") {
  const auto ingress = [](const std::string& more) {
    return "  - { type: ZoneIngress, name: in-2, zone: z2, networking: { address: 1.1.1.1, port: 10001, "
           "advertisedAddress: 1.1.1.1, advertisedPort: 10001 }, availableServices: [{ tags: { kuma.io/service: be, "
           "kuma.io/zone: z2, kuma.io/protocol: http }, instances: 9, mesh: default }] }\n" +
           more;
  };
  const std::string web =
      dataplane("web", inbound(80, "web", "z1"), ", outbound: [{ port: 90, tags: { kuma.io/service: be } }]");
  const std::string head =
      "duration: 10s\nmode: exact\nresources:\n" + web + dataplane("be-1", inbound(80, "be", "z1"));
  // One other ingress: the local instance has weight 1.
  const Scenario known =
      read_mesh(head + dataplane("be-2", inbound(80, "be", "z2")) + dataplane("be-3", inbound(80, "be", "z2")) +
                ingress("timeline: [{ at: 5s, service: be, zone: z2, remove: 1 }]\n"));
  const auto simulated = simulate_mesh(known);
  CHECK(shares(known, simulated, "web", 0) == Shares{{"be-1", 10.0}, {"be-2 via in-2", 45.0}, {"be-3 via in-2", 45.0}});
  CHECK(shares(known, simulated, "web", 1) == Shares{{"be-1", 11.1111}, {"be-3 via in-2", 88.8889}});
  // None of them is in the documents, though something else of the zone is.
  const Scenario unknown = read_mesh(head + dataplane("other-1", inbound(80, "other", "z2")) + ingress(""));
  CHECK(shares(unknown, simulate_mesh(unknown), "web") == Shares{{"be-1", 10.0}, {"in-2", 90.0}});
}
