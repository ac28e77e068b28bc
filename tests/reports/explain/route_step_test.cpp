// The route is part of an explanation, and what keeps requests from a zone is named: a route, a rule, or the mesh.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "reports/explain/explain.hpp"
#include "reports/explain/explanation.hpp"
#include "reports/explain/unreached.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/binding/istio/mesh_of_web.hpp"

using namespace spillway;
using reports::explain::Explanation;
using reports::explain::Fact;

namespace {

const std::string three_zones = R"(duration: 10s
zones: [{ name: zone-1 }, { name: zone-2 }, { name: zone-3 }]
services:
  - name: backend
    endpoints: [{ count: 2, zone: zone-1 }, { count: 2, zone: zone-2 }, { count: 2, zone: zone-3 }]
clients: [{ name: frontend, zone: zone-2, workload: { service: backend, rate: 100rps } }]
)";

std::string route_document(const std::string& kind, const std::string& matches) {
  return "  - { type: " + kind +
         ", name: r, mesh: default, spec: { targetRef: { kind: Mesh }, to: [{ targetRef: { kind: " +
         "MeshService, name: backend }, rules: [{ " + matches +
         "default: { backendRefs: [{ kind: MeshServiceSubset, name: backend, weight: 70, tags: { kuma.io/zone: zone-1 "
         "} "
         "}, { kind: MeshServiceSubset, name: backend, weight: 30, tags: { kuma.io/zone: zone-3 } }] } }] }] } }\n";
}

const std::string failover_to_any =
    "  - { type: MeshLoadBalancingStrategy, name: s, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, "
    "name: "
    "backend }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }] } }\n";

struct Explained {
  scenario::Reading reading;
  Explanation explanation;
};

Explained explained(const std::string& text, const std::string& why = "") {
  Explained result{scenario::read_scenario_text("mesh.yaml", text), {}};
  REQUIRE(result.reading.scenario);
  const auto service = reports::explain::asked_services(*result.reading.scenario, {0}).front();
  reports::explain::Question question{.client = {0}, .service = service};
  if (!why.empty()) {
    question.why = why;
  }
  result.explanation = reports::explain::explain(*result.reading.scenario, result.reading.sources, question);
  return result;
}

std::vector<Fact> route_facts(const Explanation& explanation) {
  const auto& first = explanation.sections.front().steps.front();
  return first.name == "route" ? first.facts : std::vector<Fact>{};
}

bool any_has(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

// repro/turn3/run/why-own-zone-under-a-split.yaml: `Any` admits every zone, and zone-2 is the client's own.
TEST_CASE("A route that divides requests over other zones is why the client's own zone gets nothing", "[explain]") {
  for (const auto& [kind, matches] :
       {std::pair{"MeshTCPRoute", ""},
        std::pair{"MeshHTTPRoute", "matches: [{ path: { type: PathPrefix, value: / } }], "}}) {
    INFO(kind);
    const std::string text = three_zones + "policies:\n" + route_document(kind, matches) + failover_to_any;
    const Explained of = explained(text, "zone-2");
    const std::string sends =
        std::string(kind) + " r sends all requests to backend{kuma.io/zone=zone-1} and backend{kuma.io/zone=zone-3}";
    REQUIRE(of.explanation.why);
    REQUIRE(of.explanation.why->because.size() == 1);
    CHECK(of.explanation.why->because.front().note == sends);
    CHECK(of.explanation.why->because.front().where == "mesh.yaml:8");
    const auto lines = reports::explain::unreached_lines(*of.reading.scenario);
    REQUIRE(lines.size() == 1);
    CHECK(lines.front().starts_with("zone-2 gets nothing: " + sends));
    CHECK_FALSE(any_has(of.explanation.notes, "reached by no rule"));
    const auto facts = route_facts(of.explanation);
    REQUIRE(facts.size() == 1);
    CHECK(facts.front().subject == std::string(kind) + " r:");
    CHECK(facts.front().note == "70 % to backend{kuma.io/zone=zone-1}, 30 % to backend{kuma.io/zone=zone-3}");
    CHECK(facts.front().where == "mesh.yaml:8");
  }
}

TEST_CASE("A route's weight is an input that turns a zone's traffic", "[explain]") {
  const Explained of =
      explained(three_zones + "policies:\n" + route_document("MeshTCPRoute", "") + failover_to_any, "zone-3");
  REQUIRE(of.explanation.why);
  const auto& turns = of.explanation.why->turns;
  const auto turn = std::find_if(turns.begin(), turns.end(), [](const auto& one) {
    return one.input == "weight of backend{kuma.io/zone=zone-3} in MeshTCPRoute r";
  });
  REQUIRE(turn != turns.end());
  CHECK(turn->now == "30");
  CHECK(turn->turns_at == "0");
  CHECK(turn->share_there == 0.0);
  // 1 of 71.
  CHECK(turn->just_before == "1");
  REQUIRE(turn->share_before);
  CHECK(*turn->share_before == Approx(1.0 / 71.0));
}

TEST_CASE("A zone that no failover rule admits is still reached by no rule", "[explain]") {
  std::string none = failover_to_any;
  none.replace(none.find("type: Any"), 9, "type: Only, zones: [zone-1]");
  const Explained of = explained(three_zones + "policies:\n" + none, "zone-3");
  REQUIRE(of.explanation.why);
  CHECK(of.explanation.why->because.front().note == "zone-3 is reached by no rule");
}

// docs/behaviour/kuma.md 4: without mTLS no ingress of another zone is an endpoint.
TEST_CASE("Without mTLS the Mesh is why another zone gets nothing", "[explain]") {
  const Explained of =
      explained(three_zones + "policies:\n  - { type: Mesh, name: default }\n" + failover_to_any, "zone-1");
  REQUIRE(of.explanation.why);
  CHECK(of.explanation.why->because.front().note == "its zone ingress gets no requests, since the Mesh has no mTLS");
  CHECK(any_has(reports::explain::unreached_lines(*of.reading.scenario), "zone-3 gets nothing: its zone ingress"));
}

TEST_CASE("The scenario's own route is explained with its line", "[explain]") {
  const std::string text = R"(duration: 10s
zones: [{ name: z }]
services: [{ name: v1, endpoints: [{ count: 1, zone: z }] }, { name: v2, endpoints: [{ count: 1, zone: z }] }]
routes:
  - { match: { prefix: /a }, route: { cluster: v2 } }
  - { match: { prefix: / }, route: { weighted_clusters: { clusters: [{ name: v1, weight: 3 }, { name: v2, weight: 1 }] } } }
clients: [{ name: c, zone: z, workload: { rate: 1rps } }]
)";
  const auto facts = route_facts(explained(text).explanation);
  REQUIRE(facts.size() == 1);
  CHECK(facts.front().note == "75 % to v1, 25 % to v2");
  CHECK(facts.front().where == "mesh.yaml:6");
}

TEST_CASE("A VirtualService is explained with the line of its rule, and is why a subset's zone gets nothing",
          "[explain][istio]") {
  const std::string text = std::string(scenario::test::mesh_of_web) + R"(  - apiVersion: networking.istio.io/v1
    kind: DestinationRule
    metadata: { name: web }
    spec: { host: web, subsets: [{ name: near, labels: { topology.kubernetes.io/zone: z1 } }] }
  - apiVersion: networking.istio.io/v1
    kind: VirtualService
    metadata: { name: web }
    spec:
      hosts: [web]
      http:
        - { match: [{ uri: { prefix: /none } }], route: [{ destination: { host: web } }] }
        - { route: [{ destination: { host: web, subset: near } }] }
clients:
  - { name: c, node: n1, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)";
  const Explained of = explained(text, "z2");
  const auto facts = route_facts(of.explanation);
  REQUIRE(facts.size() == 1);
  CHECK(facts.front().subject == "VirtualService default/web:");
  const auto line = static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("subset: near")), '\n') + 1);
  CHECK(facts.front().where == "mesh.yaml:" + std::to_string(line));
  REQUIRE(of.explanation.why);
  REQUIRE_FALSE(of.explanation.why->because.empty());
  CHECK(of.explanation.why->because.front().note.starts_with("VirtualService default/web sends all requests to "));
}

// ../shared/tickets/10-istio-61045: a real Envoy 1.40.0 without a hash policy sent 33, 17, 20 and 30 % of the requests
// to the four hosts of a ring.
TEST_CASE("A key decides nothing where the route has no hash policy, and something where it has one", "[explain]") {
  const auto text = [](const std::string& hash_policy) {
    return "duration: 1s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 4, zone: z }] }]\n"
           "clusters: [{ name: s, lb_policy: RING_HASH }]\nroutes: [{ match: { prefix: / }, route: { cluster: s" +
           hash_policy + " } }]\nclients: [{ name: c, zone: z, workload: { rate: 1rps, headers: { x-user: u1 } } }]\n";
  };
  const Explained without = explained(text(""));
  const reports::explain::Question by_key{.client = {0}, .service = {0}, .key = "u1"};
  const auto refused = reports::explain::refusal(*without.reading.scenario, by_key);
  REQUIRE(refused);
  CHECK(refused->message.find("has no hash_policy, so that Envoy draws a random hash") != std::string::npos);
  CHECK(any_has(without.explanation.notes, "the route has no hash_policy"));
  CHECK(without.explanation.endpoints.size() == 4);
  const Explained with = explained(text(", hash_policy: [{ header: { header_name: x-user } }]"));
  CHECK_FALSE(reports::explain::refusal(*with.reading.scenario, by_key));
  CHECK_FALSE(any_has(with.explanation.notes, "hash_policy"));
}

TEST_CASE("A route of the scenario before one of Kuma's documents is named, with its line", "[explain]") {
  std::string text = three_zones + "routes: [{ match: { prefix: / }, route: { cluster: backend } }]\npolicies:\n" +
                     route_document("MeshHTTPRoute", "matches: [{ path: { type: PathPrefix, value: / } }], ");
  const std::string straight = "service: backend, rate: 100rps";
  text.replace(text.find(straight), straight.size(), "rate: 100rps, requests: [{ name: root, path: / }]");
  const Explained of = explained(text);
  const std::vector<Fact> facts = route_facts(of.explanation);
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].subject == "route");
  CHECK(facts[0].where.find("mesh.yaml:7") != std::string::npos);
  CHECK(facts[1].subject == "MeshHTTPRoute r:");
}
