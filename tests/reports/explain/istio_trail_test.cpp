// Which rule of Istio's documents placed each locality, and where it stands.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "reports/explain/explain.hpp"
#include "reports/explain/explanation.hpp"
#include "reports/explain/unreached.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/binding/istio/mesh_of_web.hpp"

using namespace spillway;

namespace {

std::vector<reports::explain::Fact> facts_of(const std::string& file, const std::string& step) {
  const scenario::Reading reading =
      scenario::read_scenario_file(SPILLWAY_SOURCE_DIR "/scenarios/documented/istio/" + file);
  REQUIRE(reading.scenario);
  const config::ClientEntryIndex client{0};
  const auto explanation = reports::explain::explain(
      *reading.scenario, reading.sources,
      {.client = client, .service = reports::explain::asked_services(*reading.scenario, client).front()});
  const auto& steps = explanation.sections.front().steps;
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const auto& one) { return one.name == step; });
  REQUIRE(found != steps.end());
  return found->facts;
}

}  // namespace

TEST_CASE("An explanation names the DestinationRule and the setting that count", "[explain][istio]") {
  const auto facts = facts_of("locality-failover.yaml", "policy");
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].note == "DestinationRule sample/helloworld, of the client's namespace");
  CHECK(facts[0].where.ends_with("locality-failover.yaml:35"));
  CHECK(facts[1].note == "the rule's localityLbSetting: failover");
  CHECK(facts[1].where.ends_with("locality-failover.yaml:43"));
}

TEST_CASE("An explanation says what placed each locality", "[explain][istio]") {
  const auto facts = facts_of("locality-failover.yaml", "priorities");
  REQUIRE(facts.size() == 4);
  CHECK(facts[0].subject == "P0 region1/zone1:");
  CHECK(facts[0].note == "1 endpoint, locality weight 1: the client's locality");
  CHECK(facts[1].note == "1 endpoint, locality weight 1: another zone of the client's region (region1/zone1)");
  CHECK(facts[2].note == "1 endpoint, locality weight 1: failover[0] from region1 to region2");
  CHECK(facts[3].note ==
        "1 endpoint, locality weight 1: a region that no entry prefers: failover[0] from region1 to region2");
}

TEST_CASE("An explanation names the key of distribute, and what no key is for", "[explain][istio]") {
  const auto facts = facts_of("weighted-distribution.yaml", "priorities");
  REQUIRE(facts.size() == 4);
  CHECK(facts[0].note == "1 endpoint, locality weight 70: distribute[0].to \"region1/zone1/*\": 70 %");
  CHECK(facts[2].subject == "P0 region2/zone3:");
  CHECK(facts[2].note.find("left out: no key of distribute[0] is for it") != std::string::npos);
}

// The gateway of network `far` is the endpoint of r1/z2 in the load assignment: what stands there gets requests by it.
TEST_CASE("A zone behind a network gateway is not called unreached", "[explain][istio]") {
  const std::string text =
      std::string(scenario::test::mesh_of_web) +
      R"(  - { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, metadata: { name: mesh },
      spec: { values: { global: { meshNetworks: { far: { gateways: [{ address: 9.9.9.9, port: 15443 }] } } } } } }
  - { apiVersion: v1, kind: Node, metadata: { name: n9, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z9 } } }
  - { apiVersion: v1, kind: Pod, metadata: { name: far-0, labels: { app: web, topology.istio.io/network: far, security.istio.io/tlsMode: istio } },
      spec: { nodeName: n9 }, status: { podIP: 10.3.1.1 } }
  - apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata: { name: web-2, labels: { kubernetes.io/service-name: web } }
    ports: [{ name: http, port: 8080 }]
    endpoints:
      - { addresses: [10.3.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: far-0 } }
clients:
  - { name: c, node: n1, tags: { topology.istio.io/network: near }, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)";
  const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", text);
  REQUIRE(reading.scenario);
  REQUIRE(std::any_of(reading.scenario->zones.begin(), reading.scenario->zones.end(),
                      [](const scenario::Zone& zone) { return zone.name == "z9"; }));
  const auto views = reports::explain::views_by_service(*reading.scenario, reading.scenario->clients.front());
  REQUIRE(views.size() == 1);
  CHECK(reports::explain::unreached_zones(*reading.scenario, {0}, views.front()).empty());
}
