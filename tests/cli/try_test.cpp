// `try` names requests that reach no pod first, compares zones with zones, and has Kuma's world on both sides.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

using spillway::support::Finished;
using spillway::support::run_program;
using spillway::support::TemporaryFolder;

namespace {

nlohmann::json tried(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"try"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"--quiet", "-o", "json"});
  const Finished finished = run_program(all);
  CAPTURE(finished.output, finished.error);
  REQUIRE(finished.code == 0);
  return nlohmann::json::parse(finished.output);
}

nlohmann::json row_of(const nlohmann::json& document, const std::string& caller, const std::string& situation,
                      bool rule) {
  for (const auto& row : document.at("rows")) {
    if (row.at("client") == caller && row.at("situation") == situation && row.at("rule") == rule) {
      return row;
    }
  }
  FAIL("no row of " << caller << ", " << situation);
  return {};
}

// Kuma's documentation of localityAwareness: without `failover`, no other zone is used.
constexpr const char* own_zone_only = R"(type: MeshLoadBalancingStrategy
name: local
mesh: default
spec:
  targetRef: { kind: Mesh }
  to:
    - targetRef: { kind: MeshService, name: orders }
      default: { localityAwareness: { localZone: {} } }
)";

}  // namespace

TEST_CASE("Requests that reach no pod are the headline and a column of `try`") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", R"(apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: cart }
spec:
  host: cart
  trafficPolicy:
    loadBalancer: { localityLbSetting: { distribute: [{ from: eu/a/*, to: { "eu/a/*": 100 } }] } }
)");
  const auto document = tried({rule, "--from", "a"});
  CHECK(document.at("headline") ==
        "client-a: with a without ready pods, 100 % of the requests reach no pod (0 % without the rule)");
  CHECK(row_of(document, "client-a", "a without ready pods", true).at("no_pod") == 1.0);
  CHECK(row_of(document, "client-a", "a without ready pods", false).at("no_pod") == 0.0);
  CHECK(run_program({"try", rule, "--from", "a", "--quiet"}).output.find("no pod") != std::string::npos);
}

TEST_CASE("`try` compares zones with zones if a rule divides requests, and shows the parts in a second table") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", R"(apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web }
spec:
  hosts: [web]
  http: [{ route: [{ destination: { host: web, subset: v1 }, weight: 90 }, { destination: { host: web, subset: v2 }, weight: 10 }] }]
)");
  const auto document = tried({rule});
  CHECK(document.at("headline").get<std::string>().find("v1 gets 90 %") != std::string::npos);
  for (const bool with : {false, true}) {
    const auto row = row_of(document, "client-zone-1", "all pods ready", with);
    CHECK(row.at("zones").at("zone-1").get<double>() == Approx(1.0 / 3.0));
  }
  const std::string text = run_program({"try", rule, "--quiet"}).output;
  CHECK(text.find(" zone-1    zone-2    zone-3\n") != std::string::npos);
  CHECK(text.find("v1") != std::string::npos);
}

// Kuma: "Only inbounds that are ready enter the list" (docs/behaviour/kuma.md 4).
TEST_CASE("Endpoints of Kuma that are not ready get nothing") {
  TemporaryFolder folder;
  const std::string rule = folder.write("rule.yaml", own_zone_only);
  const auto document = tried({rule, "--zones", "dc1:3,dc2:3"});
  const auto without = row_of(document, "client-dc1", "dc1 without ready pods", false);
  CHECK(without.at("zones").value("dc1", 0.0) == 0.0);
  CHECK(without.at("zones").at("dc2") == 1.0);
  CHECK(row_of(document, "client-dc1", "dc1 without ready pods", true).at("no_pod") == 1.0);
}

TEST_CASE("With health checks of Kuma, `try` says that the shares are those before they fail") {
  TemporaryFolder folder;
  const std::string checks = folder.write("checks.yaml", R"(type: MeshHealthCheck
name: h
mesh: default
spec:
  targetRef: { kind: Mesh }
  to:
    - targetRef: { kind: MeshService, name: orders }
      default: { interval: 10s, timeout: 2s, unhealthyThreshold: 3, healthyThreshold: 1, http: { path: / } }
)");
  const auto document = tried({checks});
  CHECK(document.at("assumed").dump().find("stay until their health checks fail") != std::string::npos);
  // A check moves nothing while all pods are ready.
  CHECK(row_of(document, "client-zone-1", "all pods ready", true).at("zones") ==
        row_of(document, "client-zone-1", "all pods ready", false).at("zones"));
}

TEST_CASE("A policy of Kuma alone is compared with the mesh that is assumed, as with the Mesh beside it") {
  TemporaryFolder folder;
  const std::string alone = folder.write("alone.yaml", own_zone_only);
  const std::string with_mesh = folder.write(
      "mesh.yaml",
      "type: Mesh\nname: default\nmtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] }\n---\n" +
          std::string(own_zone_only));
  const auto rows = tried({alone}).at("rows");
  CHECK(rows == tried({with_mesh}).at("rows"));
}

TEST_CASE("A preference of a Service for its zone is a rule that is tried, and documents without rules are refused") {
  TemporaryFolder folder;
  const std::string service =
      "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { trafficDistribution: PreferClose, selector: { "
      "app: web }, ports: [{ port: 80 }] }\n";
  const auto document = tried({folder.write("service.yaml", service), "--from", "zone-1"});
  CHECK(document.at("headline") == "client-zone-1: with all pods ready, zone-1 gets 100 % (33.33 % without the rule)");
  const std::string deployment =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 2, template: { metadata: { "
      "labels: { app: web } } } }\n";
  CHECK(run_program({"try", folder.write("deployment.yaml", deployment)}).code == 2);
  const std::string filter =
      "apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nmetadata: { name: f }\nspec: { configPatches: [] "
      "}\n";
  CHECK(run_program({"try", folder.write("filter.yaml", filter)}).code == 2);
  const Finished beside = run_program({"share", folder.write("both.yaml", filter + "---\n" + service), "--quiet"});
  CHECK(beside.output.find("EnvoyFilter: not simulated") != std::string::npos);
}
