// Documents of Kuma in both forms, and what they are read into.
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/binding/kuma/documents/checked.hpp"
#include "tests/support/program.hpp"

using namespace spillway;
using namespace spillway::scenario;
using spillway::kuma::Tags;
using test::clean_documents;
using test::the_only_document_problem;

TEST_CASE("A strategy is read with its name, its labels and what it says", "[kuma]") {
  const auto checked = clean_documents(
      "policies:\n"
      "  - type: MeshLoadBalancingStrategy\n"
      "    mesh: shop\n"
      "    name: local\n"
      "    labels: { kuma.io/origin: zone, kuma.io/zone: zone-1, kuma.io/display-name: shown }\n"
      "    creationTime: '2026-01-01T00:00:00Z'\n"
      "    modificationTime: '2026-01-01T00:00:00Z'\n"
      "    spec:\n"
      "      targetRef: { kind: Dataplane, labels: { app: web } }\n"
      "      to:\n"
      "        - targetRef: { kind: Mesh }\n"
      "          default:\n"
      "            localityAwareness:\n"
      "              localZone: { affinityTags: [{ key: node, weight: 90 }, { key: az, weight: 9 }] }\n"
      "              crossZone:\n"
      "                failover:\n"
      "                  - from: { zones: [zone-1] }\n"
      "                    to: { type: Only, zones: [zone-2, zone-3] }\n"
      "                failoverThreshold: { percentage: \"12.5\" }\n"
      "            loadBalancer: { type: LeastRequest, leastRequest: { choiceCount: 5, activeRequestBias: 2 } }\n"
      "            hashPolicies: [{ type: Cookie, terminal: true, cookie: { name: c, ttl: 1h, path: / } }]\n");
  REQUIRE(checked->documents.strategies.size() == 1);
  const auto& policy = checked->documents.strategies.front();
  CHECK(policy.origin.mesh == "shop");
  CHECK(policy.origin.display_name() == "shown");
  CHECK(policy.origin.zone() == "zone-1");
  CHECK_FALSE(policy.origin.kubernetes);
  CHECK(policy.value.name == "local");
  CHECK(policy.value.labels == policy.origin.labels);
  spillway::kuma::MeshLoadBalancingStrategy spec;
  spec.targetRef = spillway::kuma::TargetRef{.kind = "Dataplane", .labels = Tags{{"app", "web"}}};
  auto& item = spec.to.emplace().emplace_back();
  item.targetRef = spillway::kuma::TargetRef{.kind = "Mesh"};
  auto& awareness = item.default_.localityAwareness.emplace();
  awareness.localZone = {{{{"node", 90U}, {"az", 9U}}}};
  auto& cross_zone = awareness.crossZone.emplace();
  cross_zone.failover.emplace().push_back({.from = {{{{"zone-1"}}}}, .to = {{"Only", {{"zone-2", "zone-3"}}}}});
  cross_zone.failoverThreshold = {{.percentage = "12.5"}};
  auto& balancer = item.default_.loadBalancer.emplace();
  balancer.type = "LeastRequest";
  balancer.leastRequest = {{.choiceCount = 5U, .activeRequestBias = 2}};
  item.default_.hashPolicies.emplace().push_back(
      {.type = "Cookie", .terminal = true, .cookie = {{.name = "c", .ttl = "1h", .path = "/"}}});
  CHECK(policy.value.spec == spec);
}

TEST_CASE("Absent, empty and written sections stay apart", "[kuma]") {
  const auto conf = [](const std::string& text) {
    const auto checked = test::check_documents(test::strategy_to("{ kind: Mesh }", text));
    REQUIRE_FALSE(has_errors(checked->problems));
    return checked->documents.strategies.at(0).value.spec.to->at(0).default_;
  };
  CHECK_FALSE(conf("{}").localityAwareness);
  CHECK_FALSE(conf("{ localityAwareness: {} }").localityAwareness->localZone);
  CHECK_FALSE(conf("{ localityAwareness: { localZone: {} } }").localityAwareness->localZone->affinityTags);
  CHECK(conf("{ localityAwareness: { localZone: { affinityTags: [] } } }").localityAwareness->localZone->affinityTags);
  CHECK(conf("{ hashPolicies: [] }").hashPolicies);
}

TEST_CASE("The Kubernetes form is read with what a server adds to it", "[kuma]") {
  const auto checked = clean_documents(
      "policies:\n"
      "  - apiVersion: kuma.io/v1alpha1\n"
      "    kind: MeshLoadBalancingStrategy\n"
      "    metadata:\n"
      "      name: local\n"
      "      namespace: shop-ns\n"
      "      labels: { kuma.io/mesh: shop, kuma.io/policy-role: consumer }\n"
      "      annotations: { a: b }\n"
      "      uid: 1\n"
      "      resourceVersion: '7'\n"
      "      generation: 3\n"
      "      creationTimestamp: null\n"
      "      managedFields: [{}]\n"
      "    spec: { to: [] }\n"
      "    status: {}\n");
  const auto& policy = checked->documents.strategies.at(0);
  CHECK(policy.origin.kubernetes);
  CHECK(policy.origin.mesh == "shop");
  CHECK(policy.origin.name_space() == "shop-ns");
  CHECK(policy.value.labels ==
        Tags{{"kuma.io/mesh", "shop"}, {"kuma.io/policy-role", "consumer"}, {"k8s.kuma.io/namespace", "shop-ns"}});
}

TEST_CASE("A list as kubectl prints it holds documents of any kind, in either key", "[kuma]") {
  const auto checked = clean_documents(
      "policies:\n"
      "  - { type: Mesh, name: default }\n"
      "resources:\n"
      "  - apiVersion: v1\n"
      "    kind: List\n"
      "    metadata: { resourceVersion: '' }\n"
      "    items:\n"
      "      - { apiVersion: kuma.io/v1alpha1, kind: Mesh, metadata: { name: other }, spec: { routing: { zoneEgress: "
      "true } } }\n"
      "      - { apiVersion: kuma.io/v1alpha1, kind: MeshLoadBalancingStrategy, metadata: { name: l }, spec: {} }\n");
  CHECK(checked->documents.count == 3);
  CHECK(checked->documents.meshes.size() == 2);
  CHECK(checked->documents.meshes[1].value.zoneEgress);
  CHECK_FALSE(checked->documents.meshes[1].value.mtls);
  CHECK(checked->documents.strategies.size() == 1);
}

TEST_CASE("A mesh says whether other zones are reached, and how", "[kuma]") {
  const auto checked = clean_documents(
      "resources:\n"
      "  - type: Mesh\n"
      "    name: shop\n"
      "    mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin, dpCert: {} }] }\n"
      "    routing: { localityAwareLoadBalancing: true, zoneEgress: true }\n"
      "    meshServices: { mode: Exclusive }\n"
      "    networking: { outbound: { passthrough: false } }\n");
  const auto& mesh = checked->documents.meshes.at(0);
  CHECK(mesh.origin.mesh.empty());
  CHECK(mesh.value.name == "shop");
  CHECK(mesh.value.mtls);
  CHECK(mesh.value.zoneEgress);
  CHECK(mesh.value.localityAwareLoadBalancing);
}

TEST_CASE("A dataplane has inbounds, of which the healthy ones are ready, and outbounds", "[kuma]") {
  const auto checked = clean_documents(
      "resources:\n"
      "  - type: Dataplane\n"
      "    mesh: default\n"
      "    name: web-1\n"
      "    labels: { app: web }\n"
      "    networking:\n"
      "      address: 10.0.0.1\n"
      "      inbound:\n"
      "        - { port: 80, servicePort: 8080, name: http, tags: { kuma.io/service: web, kuma.io/zone: zone-1 } }\n"
      "        - { port: 81, address: 10.0.0.2, protocol: http, state: NotReady }\n"
      "        - { port: 82, state: Ignored }\n"
      "        - { port: 83, health: { ready: false } }\n"
      "        - { port: 84, state: Ready, health: { ready: true } }\n"
      "      outbound:\n"
      "        - { port: 1000, tags: { kuma.io/service: backend } }\n"
      "        - { port: 1001, address: 127.0.0.2, backendRef: { kind: MeshService, name: backend, port: 8080 } }\n"
      "        - { port: 1002, backendRef: { kind: MeshMultiZoneService, labels: { a: b }, port: 8080 } }\n"
      "      transparentProxying: { redirectPortInbound: 15006 }\n");
  const auto& dataplane = checked->documents.dataplanes.at(0);
  CHECK(dataplane.zone == "zone-1");
  CHECK(dataplane.value.address == "10.0.0.1");
  REQUIRE(dataplane.value.inbounds.size() == 5);
  CHECK(dataplane.value.inbounds[0].name == "http");
  CHECK(dataplane.value.inbounds[1].address == "10.0.0.2");
  CHECK(dataplane.value.inbounds[1].protocol == "http");
  std::vector<bool> ready;
  for (const auto& inbound : dataplane.value.inbounds) {
    ready.push_back(inbound.ready);
  }
  CHECK(ready == std::vector<bool>{true, false, false, false, true});
  REQUIRE(dataplane.outbounds.size() == 3);
  CHECK(dataplane.outbounds[0].address == "127.0.0.1");
  CHECK(dataplane.outbounds[0].tags == Tags{{"kuma.io/service", "backend"}});
  CHECK(dataplane.outbounds[1].backendRef->kind == "MeshService");
  CHECK(dataplane.outbounds[1].backendRef->port == 8080);
  CHECK(dataplane.outbounds[2].backendRef->labels == Tags{{"a", "b"}});
}

TEST_CASE("A dataplane's zone is that of its tags, else of its label", "[kuma]") {
  const auto checked = clean_documents(
      "resources:\n"
      "  - { type: Dataplane, name: a, labels: { kuma.io/zone: zone-2 }, networking: { address: a, inbound: [{ port: 1 "
      "}] } }\n"
      "  - { type: Dataplane, name: g, networking: { address: a, gateway: { tags: { kuma.io/service: g, kuma.io/zone: "
      "zone-3 } } } }\n"
      "  - { type: Dataplane, name: z, networking: { address: a, advertisedAddress: b, listeners: [{ type: ZoneEgress, "
      "address: c, port: 10002, name: e }] } }\n");
  const auto& dataplanes = checked->documents.dataplanes;
  CHECK(dataplanes.at(0).zone == "zone-2");
  CHECK(dataplanes.at(1).zone == "zone-3");
  CHECK_FALSE(dataplanes.at(1).gateway->builtin);
  CHECK(dataplanes.at(2).zone.empty());
  CHECK(dataplanes.at(2).value.address == "b");
  CHECK(dataplanes.at(2).listeners.at(0).egress);
  CHECK(dataplanes.at(2).listeners.at(0).port == 10'002);
}

TEST_CASE("Zones are reached where their ingresses, egresses and addresses say", "[kuma]") {
  const auto checked = clean_documents(
      "resources:\n"
      "  - type: ZoneIngress\n"
      "    name: ingress-2\n"
      "    zone: zone-2\n"
      "    networking: { address: 10.0.0.1, port: 10001, advertisedAddress: 1.2.3.4, advertisedPort: 443 }\n"
      "    availableServices:\n"
      "      - { tags: { kuma.io/service: backend }, instances: 3, mesh: shop, externalService: true }\n"
      "  - { type: ZoneIngress, name: i, labels: { kuma.io/zone: zone-3 }, networking: { address: a, port: 1 } }\n"
      "  - { type: ZoneEgress, name: e, zone: zone-1, networking: { address: 10.0.0.9, port: 10002 } }\n"
      "  - { type: MeshZoneAddress, name: a, mesh: shop, labels: { kuma.io/zone: zone-2 }, spec: { address: 1.2.3.5, "
      "port: 444 } }\n");
  const auto& documents = checked->documents;
  CHECK(documents.zone_ingresses.at(0).value.zone == "zone-2");
  CHECK(documents.zone_ingresses[0].value.advertisedPort == 443);
  CHECK(documents.zone_ingresses[0].value.availableServices ==
        std::vector<spillway::kuma::AvailableService>{{{{"kuma.io/service", "backend"}}, 3, "shop", true}});
  CHECK(documents.zone_ingresses.at(1).value.zone == "zone-3");
  CHECK(documents.zone_egresses.at(0).zone == "zone-1");
  CHECK(documents.zone_egresses[0].value.port == 10'002);
  CHECK(documents.mesh_zone_addresses.at(0).value.zone == "zone-2");
  CHECK(documents.mesh_zone_addresses[0].origin.mesh == "shop");
}

TEST_CASE("Services say who serves them, and multi-zone services who their members are", "[kuma]") {
  const std::string services =
      "resources:\n"
      "  - { type: MeshService, name: b1, labels: { app: b, kuma.io/zone: zone-1 }, spec: { selector: { dataplaneTags: "
      "{ kuma.io/service: b } }, ports: [{ port: 80, name: http, targetPort: 8080, appProtocol: http }, { port: 81, "
      "targetPort: web }] } }\n"
      "  - { type: MeshService, name: b2, labels: { app: b, kuma.io/zone: zone-2 }, spec: { state: Unavailable, "
      "selector: { dataplaneLabels: { matchLabels: { app: b } } }, ports: [{ port: 80 }] } }\n"
      "  - { type: MeshService, name: c, spec: { selector: { dataplaneRef: { name: d } }, ports: [{ port: 80 }] } }\n";
  const std::string multi =
      "  - { type: MeshMultiZoneService, name: b, spec: { selector: { meshService: { matchLabels: { app: b } } }, "
      "ports: [{ port: 80, name: http }] }";
  const auto by_selector = clean_documents(services + multi + " }\n");
  const auto& documents = by_selector->documents;
  const auto& first = documents.mesh_services.at(0).value;
  CHECK(first.zone == "zone-1");
  CHECK(first.available);
  CHECK(first.dataplaneTags == Tags{{"kuma.io/service", "b"}});
  CHECK(first.ports.at(0).target_port == 8080U);
  CHECK(first.ports.at(1).target_port_name == "web");
  CHECK_FALSE(documents.mesh_services.at(1).value.available);
  CHECK(documents.mesh_services[1].value.dataplaneLabels == Tags{{"app", "b"}});
  CHECK(documents.mesh_services.at(2).value.dataplaneRef == "d");
  CHECK(documents.mesh_multi_zone_services.at(0).value.members == std::vector<std::size_t>{0, 1});
  const auto by_status =
      clean_documents(services + multi + ", status: { meshServices: [{ name: b2, zone: zone-2 }], vips: [] } }\n");
  CHECK(by_status->documents.mesh_multi_zone_services.at(0).value.members == std::vector<std::size_t>{1});
  the_only_document_problem(services + multi + ", status: { meshServices: [«{» name: b3, zone: zone-2 }] } }\n",
                            "SP607");
}

TEST_CASE("External services say where they are", "[kuma]") {
  const auto checked = clean_documents(
      "resources:\n"
      "  - { type: MeshExternalService, name: e, spec: { match: { type: HostnameGenerator, port: 443, protocol: tcp }, "
      "endpoints: [{ address: example.com, port: 443 }, { address: 'unix:///a', priority: 1 }], tls: {} } }\n"
      "  - { type: ExternalService, name: f, mesh: shop, networking: { address: 'example.com:443', tls: {} }, tags: { "
      "kuma.io/service: f } }\n");
  const auto& external = checked->documents.mesh_external_services.at(0).value;
  CHECK(external.port == 443);
  CHECK(external.endpoints.at(1).priority == 1);
  const auto& older = checked->documents.external_services.at(0).value;
  CHECK(older.address == "example.com");
  CHECK(older.port == 443);
}

TEST_CASE("What is wrong with a document is told at its place", "[kuma]") {
  const auto resource = [](const std::string& text) { return "resources:\n  - " + text + "\n"; };
  const auto check = [](const std::string& marked, const std::string& code) {
    return the_only_document_problem(marked, code);
  };
  check(resource("«{» name: x }"), "SP021");
  check(resource("«{» apiVersion: kuma.io/v1alpha1, metadata: { name: x } }"), "SP021");
  check(resource("{ type: MeshService, name: x, spec: { ports: [{ port: 80 }], «selektor»: {} } }"), "SP020");
  check(resource("{ type: Mesh, name: x, «spec»: {} }"), "SP020");
  check(resource("{ apiVersion: «v1», kind: Mesh, metadata: { name: x } }"), "SP025");
  check(resource("{ type: MeshService, name: x, spec: { ports: [{ port: «0» }] } }"), "SP023");
  check(resource("{ type: Dataplane, name: x, networking: { address: a, inbound: [{ port: 80, tags: { v: «1» } }] } }"),
        "SP022");
  check(resource("{ type: MeshExternalService, name: x, spec: { match: { port: 1 }, «extension»: { type: Lambda } } }"),
        "SP301");
  check(resource("{ type: Mesh, name: x, routing: { defaultForbidMeshExternalServiceAccess: «true» } }"), "SP302");
  check(resource("{ type: «ProxyTemplate», name: x }"), "SP602");
  check(resource("{ type: Mesh, name: a }\n  - { type: Mesh, name: «a» }"), "SP604");
  check(resource("{ type: Mesh, name: a, mtls: { enabledBackend: «ca» } }"), "SP605");
  check(resource("{ type: ExternalService, name: a, networking: { address: «example.com» }, tags: { a: b } }"),
        "SP605");
  check(resource("{ type: MeshExternalService, name: a, spec: { match: { port: 1 }, endpoints: [«{» address: a }] } }"),
        "SP605");
  check(resource("{ type: MeshService, name: a, spec: { ports: [{ port: 1, targetPort: «0» }] } }"), "SP605");
  check(resource("{ type: Dataplane, name: x, mesh: «a», labels: { kuma.io/mesh: b }, networking: { address: a } }"),
        "SP606");
}

TEST_CASE("Kinds that leave the shares alone are passed over with a word on them", "[kuma]") {
  const Diagnostic reported = the_only_document_problem(
      "policies: [{ type: «MeshTrace», name: x, spec: { to: [{ any: thing }] } }]\n", "SP603");
  CHECK(reported.severity == Severity::warning);
  CHECK(reported.label == "it only watches traffic");
}

TEST_CASE("A misspelt kind gets a suggestion", "[kuma]") {
  const Diagnostic reported = the_only_document_problem("resources: [{ type: «DataPlane», name: x }]\n", "SP025");
  REQUIRE(reported.helps.size() == 1);
  CHECK(reported.helps[0] == "did you mean `Dataplane`?");
}

TEST_CASE("The design document's policy as it is printed is told today's form", "[kuma]") {
  // The shape of the document's first example: docs/behaviour/kuma.md 15, row 13.
  const auto checked = test::check_documents(
      "policies:\n"
      "  - targetRef: { kind: Mesh }\n"
      "    to:\n"
      "      targetRef: { kind: MeshService, name: backend }\n"
      "      defaults: { localityAwareness: {} }\n");
  REQUIRE(test::codes_of(checked->problems) == std::vector<std::string>{"SP021", "SP022", "SP020"});
  CHECK(checked->problems[0].helps.at(0).find("`type: MeshLoadBalancingStrategy`") != std::string::npos);
  CHECK(checked->problems[1].helps.at(0) ==
        "`to` is a list: write a dash before each targetRef, with `default` next to it");
  CHECK(checked->problems[2].helps.at(0) == "did you mean `default`?");
}

TEST_CASE("Documents of one name in two zones or namespaces stand beside each other", "[kuma]") {
  const auto checked = clean_documents(
      "resources:\n"
      "  - { type: MeshService, name: a, labels: { kuma.io/zone: zone-1 }, spec: { ports: [{ port: 1 }] } }\n"
      "  - { type: MeshService, name: a, labels: { kuma.io/zone: zone-2 }, spec: { ports: [{ port: 1 }] } }\n"
      "  - { apiVersion: kuma.io/v1alpha1, kind: MeshService, metadata: { name: a, namespace: n }, spec: { ports: [{ "
      "port: 1 }] } }\n");
  CHECK(checked->documents.mesh_services.size() == 3);
}

TEST_CASE("What head drops of 2.14 is warned of", "[kuma]") {
  const auto check = [](const std::string& marked) {
    const Diagnostic reported = the_only_document_problem(marked, "SP608", test::KumaProfile::head);
    CHECK(reported.severity == Severity::warning);
    const auto without = test::unmark(marked).text;
    CHECK(test::check_documents(without)->problems.empty());
  };
  check(
      "resources:\n  - { type: Dataplane, name: x, networking: { address: a, inbound: [{ port: 1, «tags»: { a: b } }] "
      "} }\n");
  check("resources:\n  - { type: Dataplane, name: x, networking: { address: a, «advertisedAddress»: b } }\n");
  check(
      "resources:\n  - { type: MeshService, name: x, spec: { ports: [{ port: 1 }], selector: { «dataplaneTags»: { a: b "
      "} } } }\n");
  check(test::strategy_to("{ kind: Mesh }", "{ loadBalancer: { type: RingHash, ringHash: { «hashPolicies»: [] } } }"));
}

TEST_CASE("A policy of a namespace has the role that Kuma would give it", "[kuma]") {
  const auto role = [](const std::string& metadata, const std::string& target) {
    const auto checked = clean_documents(
        "policies:\n  - { apiVersion: kuma.io/v1alpha1, kind: MeshLoadBalancingStrategy, metadata: { name: p" +
        metadata + " }, spec: { to: [{ targetRef: " + target + " }] } }\n");
    const Tags& labels = checked->documents.strategies.at(0).value.labels;
    return std::string(spillway::kuma::value_of(labels, spillway::kuma::policy_role_label));
  };
  CHECK(role(", namespace: shop", "{ kind: MeshService, name: b }") == "producer");
  CHECK(role(", namespace: shop", "{ kind: Mesh }") == "consumer");
  CHECK(role(", namespace: kuma-system", "{ kind: Mesh }").empty());
  CHECK(role("", "{ kind: Mesh }").empty());
  CHECK(role(", namespace: shop, labels: { kuma.io/policy-role: producer }", "{ kind: Mesh }") == "producer");
  const Diagnostic mixed = the_only_document_problem(
      "policies:\n  - { apiVersion: kuma.io/v1alpha1, kind: MeshLoadBalancingStrategy, metadata: { name: «p», "
      "namespace: "
      "n }, spec: { to: [{ targetRef: { kind: Mesh } }, { targetRef: { kind: MeshService, name: b } }] } }\n",
      "SP601");
  CHECK(mixed.label == "it's not allowed to mix producer and consumer items in the same policy");
}

TEST_CASE("Resources have the labels of their name and mesh that selectors ask for", "[kuma]") {
  const auto checked = clean_documents(
      "resources:\n"
      "  - { type: MeshService, name: b, mesh: shop, spec: { ports: [{ port: 1 }] } }\n"
      "  - { type: MeshService, name: hashed, mesh: shop, labels: { kuma.io/display-name: b, kuma.io/zone: zone-2 }, "
      "spec: "
      "{ ports: [{ port: 1 }] } }\n"
      "  - { type: MeshService, name: c, mesh: shop, spec: { ports: [{ port: 1 }] } }\n"
      "  - { type: MeshMultiZoneService, name: m, mesh: shop, spec: { selector: { meshService: { matchLabels: { "
      "kuma.io/display-name: b } } }, ports: [{ port: 1 }] } }\n");
  CHECK(checked->documents.mesh_services.at(0).value.labels ==
        Tags{{"kuma.io/display-name", "b"}, {"kuma.io/mesh", "shop"}});
  CHECK(checked->documents.mesh_multi_zone_services.at(0).value.members == std::vector<std::size_t>{0, 1});
}

// kumactl get meshloadbalancingstrategies -o yaml: the API server's answer, without a kind.
TEST_CASE("what kumactl prints of several documents stands for them, in a file of its own or in its place", "[kuma]") {
  const std::string printed =
      "items:\n- type: MeshLoadBalancingStrategy\n  mesh: default\n  name: a\n  spec: { to: [] }\n"
      "- type: MeshLoadBalancingStrategy\n  mesh: default\n  name: a\n  spec: { to: [] }\nnext: null\ntotal: 2\n";
  const auto scenario = [](const std::string& policies) {
    return "duration: 30s\nzones: [{ name: z1 }]\nservices: [{ name: s, endpoints: [{ zone: z1 }] }]\n"
           "clients: [{ name: c, zone: z1, workload: { service: s, rate: 1rps } }]\npolicies:\n" +
           policies;
  };
  const auto check = [](const Reading& reading) {
    INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.diagnostics.size() == 1);
    CHECK(reading.diagnostics.front().code == "SP604");  // both were read
  };
  const spillway::support::TemporaryFolder folder;
  folder.write("printed.yaml", printed);
  check(read_scenario_file(folder.write("s.yaml", scenario("  - printed.yaml\n"))));
  check(read_scenario_text("s.yaml", scenario("  - items:\n"
                                              "      - { type: MeshLoadBalancingStrategy, name: a, spec: {} }\n"
                                              "      - { type: MeshLoadBalancingStrategy, name: a, spec: {} }\n"
                                              "    total: 2\n")));
}
