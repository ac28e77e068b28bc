// What can be compared with what.
#include "sim/diff/read_sides.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/diff/compare.hpp"
#include "tests/sim/diff/sides.hpp"
#include "tests/support/program.hpp"

using namespace spillway;
using support::TemporaryFolder;

namespace {

const std::string world_of_thirds =
    "duration: 1s\n"
    "zones: [{ name: zone-1 }, { name: zone-2 }, { name: zone-3 }]\n"
    "services: [{ name: backend, endpoints: [{ zone: zone-1, healthy: \"0\" }, { zone: zone-2 }, { zone: zone-3 }] }]\n"
    "clients: [{ name: frontend, zone: zone-1, workload: { service: backend, rate: 10rps } }]\n"
    "failures: []\n";

std::string policy(const std::string& zones, const std::string& name = "cross") {
  return "type: MeshLoadBalancingStrategy\nname: " + name +
         "\nmesh: default\nspec:\n  to:\n    - targetRef: { kind: MeshService, name: backend }\n      default:\n"
         "        localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [" +
         zones + "] } }] } }\n";
}

std::string kubernetes_policy(const std::string& zones) {
  return "apiVersion: kuma.io/v1alpha1\nkind: MeshLoadBalancingStrategy\nmetadata: { name: cross, labels: { "
         "kuma.io/mesh: default } }\nspec:\n  to:\n    - targetRef: { kind: MeshService, name: backend }\n      "
         "default:\n"
         "        localityAwareness: { crossZone: { failover: [{ to: { type: Only, zones: [" +
         zones + "] } }] } }\n";
}

std::string indented(const std::string& text) {
  std::string result = "    ";
  for (const char letter : text) {
    result += letter == '\n' ? std::string("\n    ") : std::string(1, letter);
  }
  return result.substr(0, result.find_last_not_of(' ') + 1);
}

std::string cluster(int weight) {
  return "name: backend\nconnect_timeout: 1s\ntype: STATIC\nload_assignment:\n  cluster_name: backend\n  endpoints:\n"
         "    - lb_endpoints:\n"
         "        - { load_balancing_weight: 1, endpoint: { address: { socket_address: { address: 10.0.0.1, "
         "port_value: "
         "80 } } } }\n"
         "        - { load_balancing_weight: " +
         std::to_string(weight) +
         ", endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }\n";
}

// All of frontend's requests leave zone-1, whose endpoint is unhealthy: from the first to the second, or not at all.
void check_from_zone_2_to_3(const diff::Sides& sides) {
  REQUIRE_FALSE(sides.refusal);
  REQUIRE(sides.before);
  REQUIRE(sides.after);
  const diff::Difference difference = diff::compare(*sides.before, *sides.after, {});
  REQUIRE(difference.moves.size() == 1);
  CHECK(support::change_of(difference.moves.front().zones, "zone-2") == "100 -> 0");
  CHECK(support::change_of(difference.moves.front().zones, "zone-3") == "0 -> 100");
}

}  // namespace

TEST_CASE("two files of Kuma's documents are compared in the world of a scenario") {
  const TemporaryFolder folder;
  const std::string world = folder.write("world.yaml", world_of_thirds);
  const std::string before = folder.write("before.yaml", policy("zone-2"));
  const std::string after = folder.write("after.yaml", policy("zone-3"));
  check_from_zone_2_to_3(diff::read_sides({.before = before, .after = after, .world = world}));
  // A world that has the policy already, in whatever version, and one that was deleted and named anew.
  const std::string full =
      folder.write("full.yaml", world_of_thirds + "policies:\n  - " + indented(policy("zone-3")).substr(4));
  check_from_zone_2_to_3(diff::read_sides({.before = before, .after = after, .world = full}));
  const std::string renamed = folder.write("renamed.yaml", policy("zone-3", "other"));
  check_from_zone_2_to_3(diff::read_sides({.before = before, .after = renamed, .world = full}));
  const std::string kubernetes = folder.write("kubernetes.yaml", kubernetes_policy("zone-3"));
  check_from_zone_2_to_3(diff::read_sides({.before = before, .after = kubernetes, .world = full}));
  const std::string list = folder.write("list.json", R"({"apiVersion": "v1", "kind": "List", "items": [
    {"apiVersion": "kuma.io/v1alpha1", "kind": "MeshLoadBalancingStrategy", "metadata": {"name": "cross"},
     "spec": {"to": [{"targetRef": {"kind": "MeshService", "name": "backend"}, "default": {"localityAwareness":
      {"crossZone": {"failover": [{"to": {"type": "Only", "zones": ["zone-3"]}}]}}}}]}}]})");
  check_from_zone_2_to_3(diff::read_sides({.before = before, .after = list, .world = full}));
}

TEST_CASE("a scenario is the world of documents that change it, or that it changes") {
  const TemporaryFolder folder;
  const std::string own =
      folder.write("own.yaml", world_of_thirds + "policies:\n  - " + indented(policy("zone-2")).substr(4));
  const std::string after = folder.write("after.yaml", policy("zone-3"));
  check_from_zone_2_to_3(diff::read_sides({.before = own, .after = after}));
  const diff::Sides back = diff::read_sides({.before = after, .after = own});
  REQUIRE(back.before);
  const diff::Difference difference = diff::compare(*back.before, *back.after, {});
  REQUIRE(difference.moves.size() == 1);
  CHECK(support::change_of(difference.moves.front().zones, "zone-2") == "0 -> 100");
}

TEST_CASE("documents of Envoy are compared as one proxy knows them") {
  const TemporaryFolder folder;
  const diff::Sides sides =
      diff::read_sides({.before = folder.write("a.yaml", cluster(1)), .after = folder.write("b.yaml", cluster(3))});
  REQUIRE(sides.before);
  REQUIRE(sides.after);
  const diff::Difference difference = diff::compare(*sides.before, *sides.after, {});
  REQUIRE_FALSE(difference.moves.empty());
  CHECK(support::change_of(difference.moves.front().endpoints, "10.0.0.2:80") == "50 -> 75");
  CHECK_FALSE(difference.utilisation_known);
  CHECK(difference.simulated.replications == 0);
  REQUIRE(difference.not_compared.size() == 1);
  CHECK(difference.not_compared.front().find("documents of Envoy have no workload") != std::string::npos);
}

TEST_CASE("two files of different kinds are refused, with a code") {
  const TemporaryFolder folder;
  const std::string world = folder.write("world.yaml", world_of_thirds);
  const std::string document = folder.write("policy.yaml", policy("zone-2"));
  const std::string envoy = folder.write("cluster.yaml", cluster(1));
  const auto code = [](const diff::Files& files) {
    const diff::Sides sides = diff::read_sides(files);
    CHECK_FALSE((sides.before && sides.after));
    return sides.refusal ? sides.refusal->code : "";
  };
  CHECK(code({.before = world, .after = world, .world = world}) == "SP930");
  CHECK(code({.before = document, .after = envoy, .world = world}) == "SP930");
  CHECK(code({.before = document, .after = document}) == "SP931");
  CHECK(code({.before = world, .after = envoy}) == "SP932");
  CHECK(code({.before = envoy, .after = document}) == "SP932");
  CHECK(code({.before = "-", .after = "-"}) == "SP933");
}

TEST_CASE("what cannot be read is told of the side that it is") {
  const TemporaryFolder folder;
  const std::string world = folder.write("world.yaml", world_of_thirds);
  const std::string wrong = folder.write("wrong.yaml", "duration: 1s\nzones: [{ nam: a }]\nclients: []\n");
  diff::Sides sides = diff::read_sides({.before = world, .after = wrong});
  CHECK(sides.before);
  REQUIRE(sides.bad_after);
  CHECK(sides.bad_after->sources.front().name == wrong);
  sides = diff::read_sides({.before = folder.path("none.yaml"), .after = folder.path("neither.yaml")});
  REQUIRE(sides.bad_before);
  REQUIRE(sides.bad_after);
  CHECK(sides.bad_before->diagnostics.front().code == "SP001");
  const std::string bad_policy = folder.write("policy.yaml", policy("zone-2") + "  nonsense: 1\n");
  sides = diff::read_sides({.before = world, .after = bad_policy});
  CHECK(sides.before);
  REQUIRE(sides.bad_after);
  CHECK(sides.bad_after->sources[sides.bad_after->diagnostics.front().where.file].name == bad_policy);
}

TEST_CASE("a scenario is compared with itself by two profiles of a control plane") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.yaml",
                   "duration: 20s\nprofile: { envoy: release-1.36, istio: release-1.31 }\nzones: [{ name: a }]\n"
                   "services: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
                   "clients: [{ name: c, zone: a, workload: { service: s, rate: 50rps } }]\n");
  const auto sides = diff::read_profiles(file, diff::ProfileChoice{"istio", "release-1.30"}, {"istio", "release-1.31"});
  REQUIRE(sides);
  REQUIRE(sides->before);
  REQUIRE(sides->after);
  CHECK(sides->before->scenario().profile.istio == config::IstioProfile::release_1_30);
  CHECK(sides->after->scenario().profile.istio == config::IstioProfile::release_1_31);
  CHECK(sides->before->scenario().profile.envoy == config::EnvoyProfile::release_1_36);
}

TEST_CASE("a scenario is compared with itself by the rules of two releases of Envoy") {
  const TemporaryFolder folder;
  // docs/behaviour/releases.md: before 1.28 the first host of two could always be ejected.
  const std::string text =
      "duration: 20s\nprofile: { kuma: head }\nzones: [{ name: a }]\n"
      "services: [{ name: s, endpoints: [{ count: 2, zone: a, service_time: 1ms }] }]\n"
      "clusters: [{ name: s, outlier_detection: {} }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 50rps } }]\n"
      "timeline: [{ at: 1s, endpoints: [s-1], fails: 100% }]\nfailures: []\n";
  const std::string file = folder.write("s.yaml", text);
  const auto sides = diff::read_releases(file, 27, 28);
  REQUIRE(sides);
  REQUIRE(sides->before);
  REQUIRE(sides->after);
  CHECK(sides->before->scenario().profile.envoy == config::EnvoyProfile::release_1_27);
  CHECK(sides->after->scenario().profile.envoy == config::EnvoyProfile::release_1_28);
  CHECK(sides->after->scenario().profile.kuma == config::KumaProfile::head);
  const auto alike = diff::read_releases(file, 38, 39);
  REQUIRE(alike);
  CHECK_FALSE(diff::compare(*alike->before, *alike->after, {}).changed());
  // Documents of Envoy have their own way.
  CHECK_FALSE(diff::read_releases(folder.write("c.yaml", cluster(1)), 27, 28));
}
