// Resources of one name in two namespaces are two resources. Which of them a reference means is Kuma 2.14.3's
// TargetRefToKRI: a name is looked for in the namespace that is written, else in that of what it is written in.
#include "tests/sim/scenario/binding/kuma/simulated.hpp"

using spillway::scenario::read_scenario_text;
using spillway::scenario::Scenario;
using spillway::test::read_mesh;
using spillway::test::Shares;
using spillway::test::shares;
using spillway::test::simulate_mesh;

namespace {

std::string dataplane_in_namespace(const std::string& name, const std::string& rest,
                                   const std::string& name_space = "") {
  const std::string label = name_space.empty() ? "" : ", labels: { k8s.kuma.io/namespace: " + name_space + " }";
  return "  - { type: Dataplane, mesh: default, name: " + name + label + ", networking: { address: " + name +
         ".local, " + rest + " } }\n";
}

std::string inbound_in(const std::string& name_space) {
  return "inbound: [{ port: 80, tags: { kuma.io/service: " + name_space +
         ", kuma.io/zone: z1, kuma.io/protocol: http, ns: " + name_space + " } }]";
}

std::string service_in(const std::string& name_space) {
  return "  - { apiVersion: kuma.io/v1alpha1, kind: MeshService, metadata: { name: backend, namespace: " + name_space +
         ", labels: { kuma.io/zone: z1, team: " + name_space +
         " } }, spec: { selector: { dataplaneTags: { ns: " + name_space +
         " } }, ports: [{ port: 80, appProtocol: http }] } }\n";
}

std::string mesh_asked_by(const std::string& reference, const std::string& name_space, const std::string& more = "") {
  return "duration: 10s\nmode: exact\nresources:\n" + dataplane_in_namespace("shop-1", inbound_in("shop")) +
         dataplane_in_namespace("blog-1", inbound_in("blog")) + service_in("shop") + service_in("blog") +
         dataplane_in_namespace(
             "web",
             "inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z1 } }], outbound: [{ port: 90, "
             "backendRef: " +
                 reference + " }]",
             name_space) +
         more;
}

Shares shares_of(const std::string& text) {
  const Scenario scenario = read_mesh(text);
  return shares(scenario, simulate_mesh(scenario), "web");
}

const std::string by_name = "{ kind: MeshService, name: backend, port: 80 }";

}  // namespace

TEST_CASE("MeshServices of one name in two namespaces are not one", "[mesh]") {
  CHECK(shares_of(mesh_asked_by(by_name, "blog")) == Shares{{"blog-1", 100.0}});
  CHECK(shares_of(mesh_asked_by(by_name, "shop")) == Shares{{"shop-1", 100.0}});
  CHECK(shares_of(mesh_asked_by("{ kind: MeshService, labels: { team: blog }, port: 80 }", "shop")) ==
        Shares{{"blog-1", 100.0}});
}

TEST_CASE("an outbound to a name that two namespaces have says so where the client's is not known", "[mesh]") {
  const auto reading = read_scenario_text("mesh.yaml", mesh_asked_by(by_name, ""));
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics.front().code == "SP633");
  CHECK(reading.diagnostics.front().label == "`backend` is in the namespaces `shop` and `blog`");
}

TEST_CASE("a backendRef means the service of the namespace that it names, or else of its policy's", "[mesh]") {
  const auto route = [](const std::string& reference, const std::string& name_space) {
    return "policies:\n  - { apiVersion: kuma.io/v1alpha1, kind: MeshHTTPRoute, metadata: { name: r, namespace: " +
           name_space +
           ", labels: { kuma.io/policy-role: system } }, spec: { targetRef: { kind: Mesh }, to: [{ targetRef: { kind: "
           "MeshService, name: backend, namespace: shop }, rules: [{ matches: [{ path: { type: PathPrefix, value: / } "
           "}], default: { backendRefs: [" +
           reference + "] } }] }] } }\n";
  };
  CHECK(shares_of(mesh_asked_by(by_name, "shop",
                                route("{ kind: MeshService, name: backend, namespace: blog, port: 80 }", "shop"))) ==
        Shares{{"blog-1", 100.0}});
  CHECK(shares_of(mesh_asked_by(by_name, "shop", route("{ kind: MeshService, name: backend, port: 80 }", "blog"))) ==
        Shares{{"blog-1", 100.0}});
  // The route is for the other service.
  CHECK(shares_of(mesh_asked_by(by_name, "blog", route("{ kind: MeshService, name: backend, port: 80 }", "shop"))) ==
        Shares{{"blog-1", 100.0}});
}

TEST_CASE("MeshMultiZoneServices and MeshExternalServices of two namespaces are not one either", "[mesh]") {
  const auto in = [](const std::string& kind, const std::string& name_space, const std::string& spec) {
    return "  - { apiVersion: kuma.io/v1alpha1, kind: " + kind + ", metadata: { name: all, namespace: " + name_space +
           " }, spec: " + spec + " }\n";
  };
  const auto of_team = [&](const std::string& name_space) {
    return in("MeshMultiZoneService", name_space,
              "{ selector: { meshService: { matchLabels: { team: " + name_space +
                  " } } }, ports: [{ port: 80, appProtocol: http }] }");
  };
  CHECK(shares_of(mesh_asked_by("{ kind: MeshMultiZoneService, name: all, port: 80 }", "blog",
                                of_team("shop") + of_team("blog"))) == Shares{{"blog-1", 100.0}});
  const auto at = [&](const std::string& name_space) {
    return in("MeshExternalService", name_space,
              "{ match: { type: HostnameGenerator, port: 80, protocol: http }, endpoints: [{ address: " + name_space +
                  ".example, port: 443 }] }");
  };
  CHECK(shares_of(mesh_asked_by("{ kind: MeshExternalService, name: all, port: 80 }", "blog",
                                at("shop") + at("blog"))) == Shares{{"blog.example:443 via z1 egress", 100.0}});
}

TEST_CASE("an endpoint of a MeshExternalService that is removed gets nothing", "[mesh]") {
  const Scenario scenario = read_mesh(
      "duration: 10s\nmode: exact\nresources:\n" +
      dataplane_in_namespace(
          "web",
          "inbound: [{ port: 80, tags: { kuma.io/service: web, kuma.io/zone: z1 } }], outbound: [{ port: 90, "
          "backendRef: { kind: MeshExternalService, name: ext, port: 80 } }]") +
      "  - { type: MeshExternalService, mesh: default, name: ext, spec: { match: { type: HostnameGenerator, port: 80, "
      "protocol: http }, endpoints: [{ address: one.example, port: 443 }, { address: two.example, port: 443 }] } }\n"
      "timeline:\n  - { at: 5s, service: ext, remove: 1 }\n");
  const auto results = simulate_mesh(scenario);
  CHECK(shares(scenario, results, "web", 0) ==
        Shares{{"one.example:443 via z1 egress", 50.0}, {"two.example:443 via z1 egress", 50.0}});
  CHECK(shares(scenario, results, "web", 1) == Shares{{"two.example:443 via z1 egress", 100.0}});
}
