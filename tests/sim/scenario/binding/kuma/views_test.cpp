// Figures are those of docs/behaviour/kuma.md 4 to 14.
#include <algorithm>
#include <cmath>

#include "models/kuma/placement.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/binding/kuma/simulated.hpp"

using spillway::scenario::Mode;
using spillway::scenario::Scenario;
using spillway::test::read_mesh;
using spillway::test::Shares;
using spillway::test::shares;
using spillway::test::simulate_mesh;

namespace {

std::string strategy(const std::string& conf, const std::string& name = "strategy") {
  return "  - type: MeshLoadBalancingStrategy\n    name: " + name +
         "\n    mesh: default\n    spec:\n      targetRef: { kind: Mesh }\n      to:\n"
         "        - { targetRef: { kind: Mesh }, default: " +
         conf + " }\n";
}

// One endpoint b1, b2, b3 and one client c1, c2, c3 in each of three zones.
std::string three_zones(const std::string& policies, const std::string& rest = "") {
  return "duration: 40s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }, { name: zone-3 }]\n"
         "services: [{ name: backend, endpoints: [{ id: b1, zone: zone-1 }, { id: b2, zone: zone-2 }, "
         "{ id: b3, zone: zone-3 }] }]\npolicies:\n" +
         policies +
         "clients:\n"
         "  - { name: c1, zone: zone-1, workload: { service: backend, rate: 10rps } }\n"
         "  - { name: c2, zone: zone-2, workload: { service: backend, rate: 10rps } }\n"
         "  - { name: c3, zone: zone-3, workload: { service: backend, rate: 10rps } }\n" +
         rest;
}

// The same with a thousand clients in the first zone.
std::string many_clients(const std::string& policies) {
  std::string text = three_zones(policies);
  text.replace(text.find("{ name: c1, zone: zone-1,"), 25, "{ name: c1, zone: zone-1, count: 1000,");
  return text;
}

const std::string only_1_and_3 =
    "{ localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [zone-1, zone-3] } }] } } }";

}  // namespace

TEST_CASE("use case 4: a zone falls back equally to the zones of its list, marked and removed", "[mesh]") {
  const Scenario scenario = read_mesh(three_zones(strategy(only_1_and_3),
                                                  "timeline:\n"
                                                  "  - { at: 10s, endpoints: [b2], healthy: 0 }\n"
                                                  "  - { at: 20s, endpoints: [b2], remove: 1 }\n"
                                                  "  - { at: 30s, endpoints: [b1], healthy: 0 }\n"));
  const auto results = simulate_mesh(scenario);
  const Shares both = {{"b1 via zone-1 ingress", 50.0}, {"b3 via zone-3 ingress", 50.0}};
  CHECK(shares(scenario, results, "c2", 0) == Shares{{"b2", 100.0}});
  CHECK(shares(scenario, results, "c2", 1) == both);
  CHECK(shares(scenario, results, "c2", 2) == both);
  CHECK(shares(scenario, results, "c2", 3) == Shares{{"b3 via zone-3 ingress", 100.0}});
  CHECK(shares(scenario, results, "c1", 0) == Shares{{"b1", 100.0}});
  CHECK(shares(scenario, results, "c3", 0) == Shares{{"b3", 100.0}});
}

TEST_CASE("use case 1: a zone that keeps to itself fails once its endpoint is removed", "[mesh]") {
  const Scenario scenario =
      read_mesh(three_zones(strategy("{ localityAwareness: { localZone: { affinityTags: [] } } }"),
                            "timeline:\n"
                            "  - { at: 10s, endpoints: [b1], healthy: 0 }\n"
                            "  - { at: 20s, endpoints: [b1], remove: 1 }\n"));
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "c1", 0) == Shares{{"b1", 100.0}});
  CHECK(shares(scenario, results, "c1", 1) == Shares{{"b1", 100.0}});
  CHECK(shares(scenario, results, "c1", 2).empty());
}

TEST_CASE("use case 2: nodes and availability zones share 90, 9 and 1", "[mesh]") {
  const Scenario scenario = read_mesh(
      "duration: 10s\nmode: exact\nzones:\n  - name: zone-1\n    nodes:\n"
      "      - { name: node-1, labels: { k8s.io/node: node-1, k8s.io/az: az-1 } }\n"
      "      - { name: node-2, labels: { k8s.io/node: node-2, k8s.io/az: az-1 } }\n"
      "      - { name: node-3, labels: { k8s.io/node: node-3, k8s.io/az: az-2 } }\n"
      "services: [{ name: backend, endpoints: [{ id: n1, node: node-1 }, { id: n2, node: node-2 }, { id: n3, node: "
      "node-3 }] }]\npolicies:\n" +
      strategy("{ localityAwareness: { localZone: { affinityTags: [{ key: k8s.io/node }, { key: k8s.io/az }] } } }") +
      "clients:\n"
      "  - { name: on-1, node: node-1, workload: { service: backend, rate: 1rps } }\n"
      "  - { name: on-2, node: node-2, workload: { service: backend, rate: 1rps } }\n"
      "  - { name: on-3, node: node-3, workload: { service: backend, rate: 1rps } }\n");
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "on-1") == Shares{{"n1", 90.0}, {"n2", 9.0}, {"n3", 1.0}});
  CHECK(shares(scenario, results, "on-2") == Shares{{"n2", 90.0}, {"n1", 9.0}, {"n3", 1.0}});
  CHECK(shares(scenario, results, "on-3") == Shares{{"n3", 98.9011}, {"n1", 0.5495}, {"n2", 0.5495}});
}

TEST_CASE("without a policy all zones share by instances, since a local weight counts the other ingresses", "[mesh]") {
  const std::string text = three_zones(
      "  - { type: MeshHealthCheck, name: none, mesh: default, spec: { targetRef: { kind: Mesh }, to: [] } }\n");
  const Scenario scenario = read_mesh(text);
  // Local weight 2 (two remote ingresses), one instance behind each of the others.
  CHECK(shares(scenario, simulate_mesh(scenario), "c1") ==
        Shares{{"b1", 50.0}, {"b2 via zone-2 ingress", 25.0}, {"b3 via zone-3 ingress", 25.0}});
}

TEST_CASE("an ingress weighs as many instances as are ready behind it, and they share what it gets", "[mesh]") {
  const Scenario scenario = read_mesh(
      "duration: 20s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }, { name: zone-3 }]\n"
      "services: [{ name: backend, endpoints: [{ count: 3, zone: zone-2 }, { count: 1, zone: zone-3 }] "
      "}]\npolicies:\n" +
      strategy("{ localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } }") +
      "clients: [{ name: c1, zone: zone-1, workload: { service: backend, rate: 10rps } }]\n"
      "timeline: [{ at: 10s, zone: zone-2, remove: 2 }]\n");
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "c1", 0) == Shares{{"backend-1 via zone-2 ingress", 25.0},
                                                     {"backend-2 via zone-2 ingress", 25.0},
                                                     {"backend-3 via zone-2 ingress", 25.0},
                                                     {"backend-4 via zone-3 ingress", 25.0}});
  CHECK(shares(scenario, results, "c1", 1) ==
        Shares{{"backend-3 via zone-2 ingress", 50.0}, {"backend-4 via zone-3 ingress", 50.0}});
  const auto counted = simulate_mesh(scenario, Mode::requests);
  std::uint64_t requests = 0;
  for (const auto& share : counted.shares) {
    requests += share.requests.value();
  }
  CHECK(requests == counted.outcomes.at(0).ok() + counted.outcomes.at(1).ok());
}

TEST_CASE("through egresses a sidecar ignores the rules and its egress applies those of the whole mesh", "[mesh]") {
  const std::string mesh =
      "resources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] }, "
      "routing: { zoneEgress: true } }]\n";
  const Scenario scenario = read_mesh(three_zones(strategy(only_1_and_3), mesh + "timeline: [{ at: 10s, endpoints: "
                                                                                 "[b2], remove: 1 }]\n"));
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "c2", 0) == Shares{{"b2", 100.0}});
  CHECK(shares(scenario, results, "c2", 1) ==
        Shares{{"b1 via zone-2 egress > zone-1 ingress", 50.0}, {"b3 via zone-2 egress > zone-3 ingress", 50.0}});
}

TEST_CASE("a split keeps its weight and fails where the policy drops all of its endpoints", "[mesh]") {
  const std::string route =
      "  - type: MeshHTTPRoute\n    name: split\n    mesh: default\n    spec:\n      targetRef: { kind: Mesh }\n"
      "      to:\n        - targetRef: { kind: MeshService, name: backend }\n          rules:\n"
      "            - matches: [{ path: { type: PathPrefix, value: / } }]\n              default:\n"
      "                backendRefs:\n"
      "                  - { kind: MeshServiceSubset, name: backend, tags: { kuma.io/zone: zone-1 }, weight: 50 }\n"
      "                  - { kind: MeshServiceSubset, name: backend, tags: { kuma.io/zone: zone-2 }, weight: 50 }\n";
  const Scenario scenario = read_mesh(three_zones(
      strategy("{ localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [zone-1] } }] } } }") +
      route));
  const auto results = simulate_mesh(scenario, Mode::requests);
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;
  for (const auto& row : results.outcomes) {
    const bool of_c3 = scenario.clients[row.client.value].name == "c3";
    sent += of_c3 ? row.sent : 0;
    failed += of_c3 ? row[scenario::Outcome::no_healthy_upstream] : 0;
  }
  REQUIRE(sent > 200);
  // Half of them, within five standard deviations.
  const double deviations =
      (static_cast<double>(failed) - 0.5 * static_cast<double>(sent)) / (0.5 * std::sqrt(static_cast<double>(sent)));
  CHECK(std::abs(deviations) < 5.0);
}

TEST_CASE("a split by tags is one table, in which each part has its weight", "[mesh]") {
  const Scenario scenario = read_mesh(three_zones(
      "  - type: MeshTCPRoute\n    name: split\n    mesh: default\n    spec:\n      targetRef: { kind: Mesh }\n"
      "      to:\n        - targetRef: { kind: MeshService, name: backend }\n          rules:\n"
      "            - default:\n                backendRefs:\n"
      "                  - { kind: MeshServiceSubset, name: backend, tags: { kuma.io/zone: zone-1 }, weight: 3 }\n"
      "                  - { kind: MeshServiceSubset, name: backend, tags: { kuma.io/zone: zone-2 }, weight: 1 }\n",
      "timeline: [{ at: 10s, endpoints: [b2], remove: 1 }]\n"));
  const auto results = simulate_mesh(scenario);
  CHECK(results.epochs.size() == 6);
  CHECK(shares(scenario, results, "c1", 0) == Shares{{"b1", 75.0}, {"b2 via zone-2 ingress", 25.0}});
  CHECK(shares(scenario, results, "c1", 1) == Shares{{"b1", 75.0}});
}

TEST_CASE("an aggregate cluster beside Kuma's documents hears what its services are told", "[mesh]") {
  const Scenario scenario = read_mesh(
      "duration: 20s\nmode: exact\nzones: [{ name: zone-1 }]\n"
      "services:\n  - { name: first, endpoints: [{ id: a, zone: zone-1 }] }\n"
      "  - { name: second, endpoints: [{ id: b, zone: zone-1 }] }\n  - { name: both }\n"
      "clusters:\n  - name: both\n    cluster_type:\n      name: envoy.clusters.aggregate\n      typed_config: { "
      "'@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [first, second] }\n"
      "    lb_policy: CLUSTER_PROVIDED\npolicies:\n" +
      strategy("{ localityAwareness: { disabled: true } }") +
      "clients: [{ name: c, zone: zone-1, workload: { service: both, rate: 10rps } }]\n"
      "timeline: [{ at: 10s, endpoints: [a], healthy: 0 }]\n");
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "c", 0) == Shares{{"a", 100.0}});
  CHECK(shares(scenario, results, "c", 1) == Shares{{"b", 100.0}});
}

TEST_CASE("clients that no rule tells apart share a load assignment", "[mesh]") {
  const std::string text = many_clients(strategy(only_1_and_3));
  const Scenario scenario = read_mesh(text + "seed: 1\n");
  REQUIRE(scenario.cla_cache.has_value());
  CHECK(scenario.cla_cache->misses == 3);
  CHECK(scenario.cla_cache->hits == 999);
}

TEST_CASE("without a cache every client's load assignment is made, and the shares are the same", "[mesh]") {
  const std::string text = many_clients(strategy(only_1_and_3));
  const Scenario scenario = read_mesh(text + "cla_cache: none\n");
  REQUIRE(scenario.cla_cache.has_value());
  CHECK(scenario.cla_cache->misses == 1002);
  CHECK(scenario.cla_cache->hits == 0);
  const Scenario cached = read_mesh(text);
  for (const char* const client : {"c1", "c2", "c3"}) {
    CHECK(shares(scenario, simulate_mesh(scenario), client) == shares(cached, simulate_mesh(cached), client));
  }
}

TEST_CASE("clients that edit one object lose the zones that an earlier one has dropped, and get its factor", "[mesh]") {
  const auto policy = [](const std::string& client, const std::string& conf) {
    return "  - type: MeshLoadBalancingStrategy\n    name: of-" + client +
           "\n    mesh: default\n    spec:\n      targetRef: { kind: MeshSubset, tags: { kuma.io/service: " + client +
           " } }\n      to:\n        - { targetRef: { kind: Mesh }, default: { localityAwareness: " + conf + " } }\n";
  };
  const auto client = [](const std::string& name) {
    return "  - { name: " + name + ", zone: zone-1, workload: { service: backend, rate: 10rps } }\n";
  };
  const std::string text =
      "duration: 1s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
      "services: [{ name: backend, endpoints: [{ id: b1, zone: zone-1 }, { id: b2, zone: zone-2 }] }]\npolicies:\n" +
      policy("stays", "{ localZone: { affinityTags: [] } }") +
      policy("leaves", "{ crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { percentage: 50 } } }") +
      "clients:\n" + client("without") + client("stays") + client("leaves");
  const Scenario alone = read_mesh(text);
  CHECK(shares(alone, simulate_mesh(alone), "without") == Shares{{"b1", 50.0}, {"b2 via zone-2 ingress", 50.0}});
  const Scenario together = read_mesh(text + "cla_cache: shared_object\n");
  const auto results = simulate_mesh(together);
  for (const char* const name : {"without", "stays", "leaves"}) {
    CHECK(shares(together, results, name) == Shares{{"b1", 100.0}});
    const auto& entry = *std::find_if(together.clients.begin(), together.clients.end(),
                                      [&](const auto& candidate) { return candidate.name == name; });
    CHECK(together.services[entry.workload.service.value].load_assignment.overprovisioning_factor == 200);
  }
  CHECK(together.cla_cache->misses == 1);
  CHECK(together.cla_cache->hits == 2);
}

TEST_CASE("a view keeps which rule placed each endpoint, and which it lacks", "[mesh]") {
  using spillway::kuma::PlacedBy;
  using spillway::kuma::Placement;
  const Scenario scenario = read_mesh(three_zones(
      strategy("{ localityAwareness: { crossZone: { failover: [{ from: { zones: [zone-9] }, to: { type: None } }, "
               "{ to: { type: Only, zones: [zone-3] } }] } } }")));
  const auto& view = scenario.services[scenario.clients.front().workload.service.value];
  REQUIRE(view.hosts.size() == 2);
  CHECK(view.hosts[0].placement == Placement{PlacedBy::local_rest, 0});
  CHECK(view.hosts[1].placement == Placement{PlacedBy::failover_rule, 1});
  REQUIRE(view.as_view);
  const auto& dropped = view.as_view->dropped;
  REQUIRE(dropped.size() == 1);
  CHECK(scenario.endpoints[dropped.front().endpoint.value].id == "zone-2 ingress");
  CHECK(dropped.front().placement == Placement{PlacedBy::no_rule, 0});
}

TEST_CASE("with a ring hash policy a fixed header reaches one of three instances, without a policy all", "[mesh]") {
  const std::string text =
      "duration: 1s\nmode: exact\nzones: [{ name: zone-1 }]\n"
      "services: [{ name: echo, endpoints: [{ zone: zone-1, count: 3 }] }, { name: other, endpoints: [{ zone: zone-1, "
      "count: 3 }] }]\npolicies:\n  - type: MeshLoadBalancingStrategy\n    name: ring\n    mesh: default\n    spec:\n"
      "      targetRef: { kind: Mesh }\n      to:\n        - targetRef: { kind: MeshService, name: echo }\n"
      "          default: { loadBalancer: { type: RingHash, ringHash: { hashPolicies: [{ type: Header, header: { name: "
      "x-header } }] } } }\nclients:\n"
      "  - { name: hashed, zone: zone-1, workload: { service: echo, headers: { x-header: value }, rate: 10rps } }\n"
      "  - { name: plain, zone: zone-1, workload: { service: other, headers: { x-header: value }, rate: 10rps } }\n";
  const Scenario scenario = read_mesh(text);
  const auto results = simulate_mesh(scenario);
  REQUIRE(shares(scenario, results, "hashed").size() == 1);
  CHECK(shares(scenario, results, "hashed").begin()->second == 100.0);
  CHECK(shares(scenario, results, "plain") == Shares{{"other-1", 33.3333}, {"other-2", 33.3333}, {"other-3", 33.3333}});
}

TEST_CASE("a builtin gateway of 2.14 is a client that policies for its MeshGateway concern", "[mesh]") {
  const std::string text =
      "duration: 1s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
      "services: [{ name: backend, endpoints: [{ id: b1, zone: zone-1 }, { id: b2, zone: zone-2 }] }]\npolicies:\n"
      "  - type: MeshLoadBalancingStrategy\n    name: of-the-gateway\n    mesh: default\n    spec:\n"
      "      targetRef: { kind: MeshGateway, name: edge }\n"
      "      to: [{ targetRef: { kind: Mesh }, default: { localityAwareness: { localZone: { affinityTags: [] } } } }]\n"
      "resources:\n  - { type: Dataplane, mesh: default, name: edge-1, networking: { address: 10.0.0.1, gateway: { "
      "type: "
      "BUILTIN, tags: { kuma.io/service: edge, kuma.io/zone: zone-1 } } } }\n"
      "clients:\n  - { name: edge-1, zone: zone-1, workload: { service: backend, rate: 10rps } }\n"
      "  - { name: web, zone: zone-1, workload: { service: backend, rate: 10rps } }\n";
  const Scenario scenario = read_mesh(text);
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "edge-1") == Shares{{"b1", 100.0}});
  CHECK(shares(scenario, results, "web") == Shares{{"b1", 50.0}, {"b2 via zone-2 ingress", 50.0}});
  const auto head = spillway::scenario::read_scenario_text("mesh.yaml", text + "profile: { kuma: head }\n").diagnostics;
  CHECK(std::any_of(head.begin(), head.end(), [](const auto& diagnostic) { return diagnostic.code == "SP302"; }));
}

TEST_CASE("the document's egress is an aggregate cluster over the client's zone and the others in order", "[mesh]") {
  const Scenario scenario = read_mesh(three_zones(
      strategy(only_1_and_3),
      "profile: { kuma: document }\nresources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ "
      "name: ca, type: builtin }] }, routing: { zoneEgress: true } }]\n"
      "timeline:\n  - { at: 10s, endpoints: [b2], healthy: 0 }\n  - { at: 20s, endpoints: [b1], remove: 1 }\n"));
  const auto& view = scenario.services[scenario.clients[1].workload.service.value];
  CHECK(view.cluster.aggregate_clusters ==
        std::vector<std::string>{"backend_in_zone", "backend_zone-1", "backend_zone-3"});
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "c2", 0) == Shares{{"b2", 100.0}});
  CHECK(shares(scenario, results, "c2", 1) == Shares{{"b1 via zone-2 egress > zone-1 ingress", 100.0}});
  CHECK(shares(scenario, results, "c2", 2) == Shares{{"b3 via zone-2 egress > zone-3 ingress", 100.0}});
  CHECK(shares(scenario, results, "c1", 1) == Shares{{"b3 via zone-1 egress > zone-3 ingress", 100.0}});
}

TEST_CASE("rejected designs for the egress stand beside the document's, with shares and clusters", "[mesh]") {
  using spillway::kuma::ClusterCounts;
  using spillway::kuma::EgressDesign;
  const Scenario scenario = read_mesh(three_zones(
      strategy(only_1_and_3),
      "profile: { kuma: document }\nresources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ "
      "name: ca, type: builtin }] }, routing: { zoneEgress: true } }]\n"));
  using Zones = std::vector<std::pair<std::string, double>>;
  const Zones equal = {{"zone-1", 0.5}, {"zone-3", 0.5}};
  int seen = 0;
  for (const auto& row : scenario.egress_designs) {
    if (row.client == "c2") {
      ++seen;
      const bool aggregate = row.design == EgressDesign::aggregate;
      CHECK(row.zones == (aggregate ? Zones{{"zone-1", 1.0}} : equal));
      CHECK(row.clusters == (aggregate ? ClusterCounts{1, 4} : ClusterCounts{1, 1}));
    }
  }
  CHECK(seen == 4);
}

TEST_CASE("dataplanes alone make a scenario: their tags are services, their outbounds clients", "[mesh]") {
  const auto dataplane = [](const std::string& name, const std::string& zone, const std::string& service,
                            const std::string& rest) {
    return "  - { type: Dataplane, mesh: default, name: " + name + ", networking: { address: 10.0.0." + name.back() +
           ", inbound: [{ port: 80, tags: { kuma.io/service: " + service + ", kuma.io/zone: " + zone + " } }]" + rest +
           " } }\n";
  };
  const Scenario scenario =
      read_mesh("duration: 20s\nmode: exact\npolicies:\n" + strategy(only_1_and_3) + "resources:\n" +
                dataplane("web-1", "zone-2", "web", ", outbound: [{ port: 81, tags: { kuma.io/service: backend } }]") +
                dataplane("backend-2", "zone-2", "backend", "") + dataplane("backend-3", "zone-3", "backend", "") +
                "timeline: [{ at: 10s, service: backend, endpoints: [backend-2], healthy: 0 }]\n");
  REQUIRE(scenario.clients.front().name == "web-1");
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "web-1", 0) == Shares{{"backend-2", 100.0}});
  CHECK(shares(scenario, results, "web-1", 1) == Shares{{"backend-3 via zone-3 ingress", 100.0}});
}

TEST_CASE("traffic from one mesh to another is refused, and the reason is given", "[mesh]") {
  const auto reading = spillway::scenario::read_scenario_text(
      "meshes.yaml",
      "duration: 20s\nresources:\n"
      "  - { type: Dataplane, mesh: one, name: web, networking: { address: 10.0.0.1, inbound: [{ port: 80, tags: { "
      "kuma.io/service: web, kuma.io/zone: z } }], outbound: [{ port: 81, tags: { kuma.io/service: backend } }] } }\n"
      "  - { type: Dataplane, mesh: two, name: backend, networking: { address: 10.0.0.2, inbound: [{ port: 80, tags: { "
      "kuma.io/service: backend, kuma.io/zone: z } }] } }\n");
  REQUIRE_FALSE(reading.scenario.has_value());
  const bool reported = std::any_of(reading.diagnostics.begin(), reading.diagnostics.end(),
                                    [](const auto& problem) { return problem.code == "SP631"; });
  CHECK(reported);
}

TEST_CASE("an egress that no endpoint is behind from the beginning answers nothing", "[mesh]") {
  // `localZone` without `crossZone` keeps the other zones' endpoints from the egress (docs/behaviour/kuma.md 11).
  const Scenario scenario = read_mesh(
      "duration: 10s\nmode: requests\nzones: [{ name: z1 }, { name: z2 }]\n"
      "services: [{ name: be, endpoints: [{ zone: z2, count: 2 }] }]\n"
      "resources:\n"
      "  - type: Mesh\n    name: default\n    mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] }\n"
      "    routing: { zoneEgress: true }\n"
      "policies:\n" +
      strategy("{ localityAwareness: { localZone: { affinityTags: [] } } }") +
      "clients:\n  - { name: web, zone: z1, workload: { service: be, rate: 100rps } }\n");
  const auto results = simulate_mesh(scenario, Mode::requests);
  REQUIRE(results.outcomes.size() == 1);
  CHECK(results.outcomes.front().sent > 900);
  CHECK(results.outcomes.front().ok() == 0);
}
