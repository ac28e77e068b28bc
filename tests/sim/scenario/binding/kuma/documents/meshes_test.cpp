// Which mesh the clients are in, and what happens to documents of others.
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

std::string policy_in(const std::string& name, const std::string& mesh) {
  return "  - { type: MeshLoadBalancingStrategy, name: " + name + ", mesh: " + mesh +
         ", spec: { to: [{ targetRef: { kind: MeshService, name: backend }, default: { localityAwareness: { localZone: "
         "{} } } }] } }\n";
}

std::string dataplane_in(const std::string& name, const std::string& mesh, const std::string& service) {
  return "  - { type: Dataplane, name: " + name + ", mesh: " + mesh + ", networking: { address: 10.0.0." +
         std::to_string(name.size()) + ", inbound: [{ port: 80, tags: { kuma.io/service: " + service +
         ", kuma.io/zone: zone-1 } }] } }\n";
}

std::string scenario_of(const std::string& documents) {
  return "duration: 20s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
         "services: [{ name: backend, endpoints: [{ count: 1, zone: zone-1 }, { count: 1, zone: zone-2 }] }]\n"
         "clients: [{ name: web, zone: zone-1, workload: { service: backend, rate: 100rps } }]\n" +
         documents;
}

// The one error of a scenario whose wrong part is marked.
Diagnostic refused_mesh(const std::string& documents, const std::string& code) {
  return test::the_only_diagnostic(scenario_of(documents), code);
}

void accepted_mesh(const std::string& documents) {
  const Reading reading = read_scenario_text("mesh.yaml", scenario_of(documents));
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  CHECK(reading.diagnostics.empty());
}

}  // namespace

TEST_CASE("A policy of a mesh that no client is in is refused, wherever it stands", "[kuma]") {
  for (const std::string& list :
       {policy_in("typo", "«defualt»") + policy_in("p", "default"),
        policy_in("p", "default") + policy_in("typo", "«defualt»"), policy_in("typo", "«defualt»")}) {
    INFO(list);
    const Diagnostic found = refused_mesh("policies:\n" + list, "SP634");
    CHECK(found.severity == Severity::error);
    CHECK(found.message == "a MeshLoadBalancingStrategy of a mesh that no client is in: `defualt`");
    REQUIRE(found.helps.size() == 1);
    CHECK(found.helps[0] == "did you mean `default`?");
  }
  const Diagnostic other = refused_mesh("policies:\n" + policy_in("p", "default") + policy_in("q", "«shop»"), "SP634");
  CHECK(other.helps.empty());
  CHECK(other.notes == std::vector<std::string>{"the clients are in mesh `default`"});
}

TEST_CASE("The clients' mesh is that of their dataplanes, else the Mesh, else the dataplanes', else the policies'",
          "[kuma]") {
  accepted_mesh("policies:\n" + policy_in("p", "shop") + policy_in("q", "shop"));
  accepted_mesh("policies:\n" + policy_in("p", "shop") + "resources:\n  - { type: Mesh, name: shop }\n");
  accepted_mesh("policies:\n" + policy_in("p", "defualt") + "resources:\n  - { type: Mesh, name: defualt }\n");
  refused_mesh("policies:\n" + policy_in("p", "«default»") + "resources:\n  - { type: Mesh, name: shop }\n", "SP634");
  refused_mesh("policies:\n" + policy_in("p", "«default»") + "resources:\n" + dataplane_in("cache-1", "shop", "cache"),
               "SP634");
  refused_mesh("policies:\n" + policy_in("p", "shop") + "resources:\n" + dataplane_in("web", "shop", "web") +
                   dataplane_in("cache-1", "«other»", "cache"),
               "SP634");
  refused_mesh("resources:\n" + dataplane_in("web", "shop", "web") + "  - { type: Mesh, name: «default» }\n" +
                   "  - { type: Mesh, name: shop }\n",
               "SP634");
  // Most documents are in it.
  refused_mesh("policies:\n" + policy_in("p", "«shpo»") + policy_in("q", "shop") + policy_in("r", "shop"), "SP634");
}

TEST_CASE("A mesh in a label is found at its label", "[kuma]") {
  refused_mesh(
      "policies:\n" + policy_in("p", "default") +
          "  - { apiVersion: kuma.io/v1alpha1, kind: MeshLoadBalancingStrategy, metadata: { name: q, namespace: "
          "kuma-system, labels: { kuma.io/mesh: «defualt» } }, spec: { to: [] } }\n",
      "SP634");
}

TEST_CASE("Clients of two meshes are refused", "[kuma]") {
  const std::string text =
      "duration: 20s\nmode: exact\nzones: [{ name: zone-1 }]\n"
      "clients:\n  - { name: web-1, zone: zone-1, workload: { service: backend, rate: 100rps } }\n"
      "  - { name: web-2, zone: zone-1, workload: { service: backend, rate: 100rps } }\n"
      "resources:\n" +
      dataplane_in("web-1", "one", "web") + dataplane_in("«web-2»", "two", "web") +
      dataplane_in("backend-3", "one", "backend");
  test::the_only_diagnostic(text, "SP635");
}
