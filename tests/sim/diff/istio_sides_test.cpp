// Rules of Istio in the world of a scenario, and worlds that name files of documents.
#include <catch2/catch.hpp>
#include <string>

#include "sim/diff/compare.hpp"
#include "sim/diff/read_sides.hpp"
#include "tests/sim/diff/sides.hpp"
#include "tests/support/program.hpp"

using namespace spillway;
using support::TemporaryFolder;

namespace {

// As `kubectl get -o yaml` and a deployment write them: several documents, and a list.
const std::string mesh_of_two_zones = R"(apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Node, metadata: { name: n1, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1 } } }
  - { apiVersion: v1, kind: Node, metadata: { name: n2, labels: { topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z2 } } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: web-1 }, spec: { nodeName: n1 }, status: { podIP: 10.1.1.1 } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: web-2 }, spec: { nodeName: n2 }, status: { podIP: 10.1.1.2 } }
---
{ apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] } }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
ports: [{ name: http, port: 8080 }]
endpoints:
  - { addresses: [10.1.1.1], targetRef: { kind: Pod, name: web-1 } }
  - { addresses: [10.1.1.2], targetRef: { kind: Pod, name: web-2 } }
)";

const std::string istio_world =
    "duration: 1s\nmode: exact\nresources: [mesh.yaml, rule.yaml]\nclients: [{ name: c, node: n1, workload: { service: "
    "web, rate: 10rps } }]\n";

std::string destination_rule(const std::string& policy) {
  return "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: { name: web }\nspec: { host: web, "
         "trafficPolicy: { " +
         policy + " } }\n";
}

std::string percentages(const std::string& first, const std::string& second) {
  return destination_rule("loadBalancer: { localityLbSetting: { distribute: [{ from: r1/*, to: { r1/z1/*: " + first +
                          ", r1/z2/*: " + second + " } }] } }");
}

void check_moved(const diff::Sides& sides, const std::string& near, const std::string& far) {
  REQUIRE_FALSE(sides.refusal);
  REQUIRE(sides.before);
  REQUIRE(sides.after);
  const diff::Difference difference = diff::compare(*sides.before, *sides.after, {});
  REQUIRE(difference.moves.size() == 1);
  CHECK(support::change_of(difference.moves.front().zones, "z1") == near);
  CHECK(support::change_of(difference.moves.front().zones, "z2") == far);
}

}  // namespace

TEST_CASE("an old and a new DestinationRule are compared in the world of a scenario", "[istio]") {
  const TemporaryFolder folder;
  folder.write("mesh.yaml", mesh_of_two_zones);
  folder.write("rule.yaml", destination_rule("loadBalancer: { simple: RANDOM }"));
  const std::string world = folder.write("world.yaml", istio_world);
  const std::string before = folder.write("before.yaml", percentages("70", "30"));
  const std::string after = folder.write("after.yaml", percentages("20", "80"));
  check_moved(diff::read_sides({.before = before, .after = after, .world = world}), "70 -> 20", "30 -> 80");
  check_moved(diff::read_sides({.before = world, .after = after}), "50 -> 20", "50 -> 80");
}

TEST_CASE("a rule that is written anew keeps the time at which the old one was created", "[istio]") {
  const TemporaryFolder folder;
  const auto created = [](std::string rule, const std::string& name, const std::string& time) {
    const std::string metadata = "{ name: web }";
    return rule.replace(rule.find(metadata), metadata.size(),
                        "{ name: " + name + ", creationTimestamp: " + time + " }");
  };
  folder.write("mesh.yaml", mesh_of_two_zones);
  folder.write("rule.yaml", created(percentages("60", "40"), "young", "2024-01-01T00:00:00Z") + "---\n" +
                                created(percentages("50", "50"), "web", "2020-01-01T00:00:00Z"));
  const std::string world = folder.write("world.yaml", istio_world);
  const std::string after = folder.write("after.yaml", percentages("20", "80"));
  check_moved(diff::read_sides({.before = world, .after = after}), "50 -> 20", "50 -> 80");
  const std::string later = folder.write("later.yaml", created(percentages("30", "70"), "web", "2025-01-01T00:00:00Z"));
  check_moved(diff::read_sides({.before = after, .after = later, .world = world}), "20 -> 30", "80 -> 70");
}

TEST_CASE("a world that names a file that is not there is told, in its own words", "[istio]") {
  const TemporaryFolder folder;
  folder.write("mesh.yaml", mesh_of_two_zones);
  const std::string world = folder.write("world.yaml", istio_world);
  const std::string rule = folder.write("after.yaml", percentages("20", "80"));
  const diff::Sides sides = diff::read_sides({.before = world, .after = rule});
  CHECK_FALSE(sides.before);
  REQUIRE(sides.bad_before);
  REQUIRE(sides.bad_before->diagnostics.size() == 1);
  CHECK(sides.bad_before->diagnostics.front().code == "SP001");
  CHECK(sides.bad_before->diagnostics.front().where.line == 3);
}
