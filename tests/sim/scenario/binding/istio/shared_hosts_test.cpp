// Services of one host and namespace. istiod keeps endpoints by host and namespace (pilot/pkg/model/endpointshards.go),
// and merges the ports of ServiceEntries that are otherwise alike (appendSidecarServices of
// pilot/pkg/model/sidecar.go).
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/binding/istio/answered_shares.hpp"

namespace spillway::scenario {

namespace {

using Shares = std::map<std::string, double>;

constexpr const char* node_of_hosts =
    "  - { apiVersion: v1, kind: Node, metadata: { name: n1, labels: { topology.kubernetes.io/region: r1, "
    "topology.kubernetes.io/zone: z1 } } }\n";

// `more`: of the spec, after a comma.
std::string entry_of_host(const std::string& name, const std::string& port, const std::string& endpoints,
                          const std::string& host = "a.example", const std::string& more = "") {
  return "  - { apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: { name: " + name +
         " }, spec: { hosts: [" + host + "], resolution: STATIC, ports: [" + port + "], endpoints: [" + endpoints +
         "]" + more + " } }\n";
}

Reading reading_of(const std::string& documents, const std::string& service) {
  return read_scenario_text("test.yaml", "duration: 1s\nmode: exact\nresources:\n" + std::string(node_of_hosts) +
                                             documents + "clients:\n  - { name: c, node: n1, workload: { service: '" +
                                             service + "', rate: 1rps } }\n");
}

Shares shares_of(const std::string& documents, const std::string& service = "a.example") {
  const Reading reading = reading_of(documents, service);
  REQUIRE(reading.scenario);
  const auto all = test::answered_shares(*reading.scenario);
  const auto of = all.find("c");
  return of == all.end() ? Shares{} : of->second;
}

constexpr const char* port_80 = "{ number: 80, name: http, protocol: HTTP }";
constexpr const char* port_81 = "{ number: 81, name: http-81, protocol: HTTP }";
constexpr const char* first_endpoint = "{ address: 10.9.0.1 }";
constexpr const char* second_endpoint = "{ address: 10.9.0.2 }";

}  // namespace

TEST_CASE("Two ServiceEntries of one host have the endpoints of both", "[istio]") {
  CHECK(shares_of(entry_of_host("one", port_80, first_endpoint) + entry_of_host("two", port_80, second_endpoint)) ==
        Shares{{"10.9.0.1:80", 0.5}, {"10.9.0.2:80", 0.5}});
}

TEST_CASE("A ServiceEntry of a younger document puts the client's own zone first", "[istio]") {
  const std::string rule =
      "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: d }, spec: { host: "
      "a.example, "
      "trafficPolicy: { outlierDetection: { consecutive5xxErrors: 5 } } } }\n";
  CHECK(shares_of(entry_of_host("one", port_80, "{ address: 10.9.0.1, locality: r1/z2 }") +
                  entry_of_host("two", port_80, "{ address: 10.9.0.2, locality: r1/z1 }") + rule) ==
        Shares{{"10.9.0.2:80", 1.0}});
}

TEST_CASE("A ServiceEntry of a Service's host adds its endpoints to the pods", "[istio]") {
  const std::string service =
      R"(  - { apiVersion: v1, kind: Pod, metadata: { name: web-1 }, spec: { nodeName: n1 }, status: { podIP: 10.1.1.1 } }
  - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] } }
  - apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
    ports: [{ name: http, port: 8080 }]
    endpoints: [{ addresses: [10.1.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-1 } }]
)";
  const std::string host = "web.default.svc.cluster.local";
  const Shares both = {{"web-1", 0.5}, {"10.9.0.1:80", 0.5}};
  CHECK(shares_of(service + entry_of_host("vms", port_80, first_endpoint, host), "web") == both);
  // Whatever their order, the Service says what it is like: a port that only the ServiceEntry has is none of it.
  CHECK(shares_of(entry_of_host("vms", port_80, first_endpoint, host) + service, host) == both);
  const std::string two_ports = std::string(port_80) + ", " + port_81;
  CHECK(shares_of(service + entry_of_host("vms", two_ports, first_endpoint, host), "web") == both);
  CHECK_FALSE(reading_of(service + entry_of_host("vms", two_ports, first_endpoint, host), host + ":81").scenario);
}

TEST_CASE("ServiceEntries of one host with other ports are one service with all ports", "[istio]") {
  const std::string documents =
      entry_of_host("one", port_80, first_endpoint) + entry_of_host("two", port_81, second_endpoint);
  CHECK(shares_of(documents) == Shares{{"10.9.0.1:80", 1.0}});
  CHECK(shares_of(documents, "a.example:81") == Shares{{"10.9.0.2:81", 1.0}});
  // Endpoints belong to a port by its name.
  const std::string of_one_name = entry_of_host("one", port_80, first_endpoint) +
                                  entry_of_host("two", "{ number: 81, name: http, protocol: HTTP }", second_endpoint);
  CHECK(shares_of(of_one_name, "a.example:81") == Shares{{"10.9.0.1:80", 0.5}, {"10.9.0.2:81", 0.5}});
}

TEST_CASE("Of ServiceEntries of one host the oldest says what it is like", "[istio]") {
  // The younger one stands first, and names the port otherwise: endpoints belong to the port's name of the
  // older one.
  const std::string younger = entry_of_host("two, creationTimestamp: '2026-02-01T00:00:00Z'",
                                            "{ number: 80, name: web, protocol: HTTP }", second_endpoint);
  const std::string older = entry_of_host("one, creationTimestamp: '2026-01-01T00:00:00Z'", port_80, first_endpoint);
  CHECK(shares_of(younger + older) == Shares{{"10.9.0.1:80", 1.0}});
}

TEST_CASE("ServiceEntries of one host that differ otherwise do not share their ports", "[istio]") {
  const std::string documents = entry_of_host("one", port_80, first_endpoint) +
                                entry_of_host("two", port_81, second_endpoint, "a.example", ", exportTo: ['.']");
  CHECK(shares_of(documents) == Shares{{"10.9.0.1:80", 1.0}});
  CHECK_FALSE(reading_of(documents, "a.example:81").scenario);
}

}  // namespace spillway::scenario
