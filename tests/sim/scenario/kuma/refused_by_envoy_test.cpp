// Policies that Kuma admits and whose clusters or routes Envoy refuses: its words, at the policy's field.
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway::scenario;

namespace {

std::string mesh_with(const std::string& policies) {
  return "duration: 30s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
         "services:\n"
         "  - name: backend\n"
         "    endpoints:\n"
         "      - { count: 4, zone: zone-1, tags: { version: v1 } }\n"
         "      - { count: 2, zone: zone-2, tags: { version: v2 } }\n"
         "policies:\n" +
         policies + "clients: [{ name: web, zone: zone-1, workload: { service: backend, rate: 100rps } }]\n";
}

std::string balanced_by(const std::string& balancer, const std::string& name = "hash") {
  return "  - { type: MeshLoadBalancingStrategy, name: " + name +
         ", mesh: default, spec: { to: [{ targetRef: { kind: Mesh }, default: { loadBalancer: " + balancer +
         ", hashPolicies: [{ type: Header, header: { name: x } }] } }] } }\n";
}

std::string told(const std::string& policies) {
  return test::the_only_diagnostic(mesh_with(policies), "SP139").label;
}

}  // namespace

TEST_CASE("A table of Maglev that is not prime is refused by Envoy where Kuma admits it", "[kuma]") {
  // MaglevLoadBalancer's constructor (extensions/load_balancing_policies/maglev/maglev_lb.cc).
  const std::string prime = "The table size of maglev must be prime number";
  for (const std::string size : {"1000", "12", "4", "65536"}) {
    CHECK(told(balanced_by("{ type: Maglev, maglev: { tableSize: «" + size + "» } }")) == prime);
  }
  test::accepted(mesh_with(balanced_by("{ type: Maglev, maglev: { tableSize: 1009 } }")));
  test::accepted(mesh_with(balanced_by("{ type: Maglev, maglev: { tableSize: 65537 } }")));
}

TEST_CASE("A table that no balancer uses is nobody's to refuse", "[kuma]") {
  test::accepted(mesh_with(balanced_by("{ type: RingHash, maglev: { tableSize: 1000 } }")));
}

TEST_CASE("Of two policies the one that says the refused field is pointed at", "[kuma]") {
  // Fields of one body are merged: the second policy says the type alone.
  const std::string size = "{ type: Maglev, maglev: { tableSize: «1000» } }";
  CHECK(told(balanced_by(size, "b") + balanced_by("{ type: Maglev }", "a")) ==
        "The table size of maglev must be prime number");
  CHECK(told("  - { type: MeshLoadBalancingStrategy, name: b, mesh: default, spec: { to: [{ targetRef: { kind: Mesh }, "
             "default: { loadBalancer: { type: Maglev, maglev: { tableSize: 1009 } } } }] } }\n" +
             balanced_by(size, "a")) == "The table size of maglev must be prime number");
}
