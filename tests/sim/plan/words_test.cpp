// Plans name settings in the words of the documents, and leave out what other documents have.
#include "sim/plan/words.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <variant>

#include "sim/plan/cut_off.hpp"
#include "sim/plan/layouts.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/rows.hpp"
#include "sim/scenario/scenario_template.hpp"

using namespace spillway;

namespace {

std::set<std::string> settings_of(const std::string& text) {
  const scenario::ScenarioTemplate base("plan.yaml", text);
  REQUIRE(base.reading().scenario);
  std::set<std::string> settings;
  const plan::Plan plan = std::get<plan::Plan>(plan::make_plan(base, {}));
  for (const plan::WhatIf& what_if : plan.what_ifs) {
    settings.insert(what_if.setting);
  }
  return settings;
}

// Losing one of the two endpoints of a zone changes what leaves the zone.
const std::string clients_and_rates =
    "clients: [{ name: web, zone: a, workload: { service: shop, rate: 100rps } }]\n"
    "failures: [{ any: 1, of: endpoints, zone: a }, { each: zone }]\n";

const std::string of_kuma =
    "duration: 10s\nzones: [{ name: a }, { name: b }]\nservices:\n  - name: shop\n    endpoints:\n"
    "      - { count: 2, zone: a, capacity: 100rps }\n      - { count: 2, zone: b, capacity: 100rps }\n"
    "policies:\n  - { type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] } "
    "}\n"
    "  - { type: MeshLoadBalancingStrategy, mesh: default, name: lb, spec: { to: [{ targetRef: { kind: MeshService, "
    "name: "
    "shop }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }], failoverThreshold: { "
    "percentage: 50 } } } } }] } }\n" +
    clients_and_rates;

}  // namespace

TEST_CASE("a plan of Kuma's documents offers a failover threshold and no factor of Envoy's", "[plan]") {
  const std::set<std::string> settings = settings_of(of_kuma);
  CHECK(settings.contains("failoverThreshold"));
  CHECK_FALSE(settings.contains("overprovisioning_factor"));
  CHECK_FALSE(settings.contains("healthy_panic_threshold"));
  CHECK_FALSE(settings.contains("localityLbSetting.enabled"));
}

TEST_CASE("a plan of Istio's documents offers its locality setting and nothing of Kuma's or Envoy's", "[plan]") {
  std::string slices;
  std::string pods;
  for (const char* const zone : {"a", "b"}) {
    for (int pod = 1; pod <= 2; ++pod) {
      const std::string name = std::string("shop-") + zone + std::to_string(pod);
      const std::string address = std::string("10.1.") + (zone[0] == 'a' ? "1." : "2.") + std::to_string(pod);
      pods += "  - { apiVersion: v1, kind: Pod, metadata: { name: " + name +
              ", labels: { app: shop } }, spec: { nodeName: node-" + zone + " }, status: { podIP: " + address +
              " } }\n";
      slices += "      - { addresses: [" + address + "], targetRef: { kind: Pod, name: " + name + " } }\n";
    }
  }
  const std::set<std::string> settings = settings_of(
      "duration: 10s\nresources:\n  - { apiVersion: v1, kind: Node, metadata: { name: node-a, labels: { "
      "topology.kubernetes.io/region: r, topology.kubernetes.io/zone: a } } }\n  - { apiVersion: v1, kind: Node, "
      "metadata: { name: node-b, labels: { topology.kubernetes.io/region: r, topology.kubernetes.io/zone: b } } }\n" +
      pods +
      "  - { apiVersion: v1, kind: Service, metadata: { name: shop }, spec: { clusterIP: 10.0.0.1, selector: { app: "
      "shop "
      "}, ports: [{ name: http, port: 80 }] } }\n  - apiVersion: discovery.k8s.io/v1\n    kind: EndpointSlice\n    "
      "metadata: { name: shop-1, labels: { kubernetes.io/service-name: shop } }\n    addressType: IPv4\n    ports: [{ "
      "name: http, port: 80 }]\n    endpoints:\n" +
      slices +
      "  - { apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: shop }, spec: { host: shop, "
      "trafficPolicy: { outlierDetection: { consecutive5xxErrors: 5 } } } }\nserving: [{ service: shop, capacity: "
      "100rps }]\nclients: [{ name: web, node: node-a, workload: { service: shop, rate: 100rps } }]\n"
      "failures: [{ any: 1, of: endpoints }, { each: zone }]\n");
  CHECK(settings.contains("localityLbSetting.enabled"));
  for (const std::string& setting : settings) {
    CAPTURE(setting);
    CHECK((setting == "localityLbSetting.enabled" || setting.starts_with("outlierDetection.")));
  }
}

TEST_CASE("a client whose only zone is lost is cut off, and one that may go elsewhere is not", "[plan]") {
  const auto cut_off = [](const std::string& failover) {
    const std::string text =
        "duration: 10s\nzones: [{ name: a }, { name: b }]\nservices:\n  - name: shop\n    "
        "endpoints:\n      - { count: 1, zone: a, capacity: 100rps }\n      - { count: 1, zone: b, "
        "capacity: 100rps }\npolicies:\n  - { type: Mesh, name: default, mtls: { enabledBackend: "
        "ca, backends: [{ name: ca, type: builtin }] } }\n  - { type: MeshLoadBalancingStrategy, "
        "mesh: default, name: lb, spec: { to: [{ targetRef: { kind: MeshService, name: shop }, "
        "default: { localityAwareness: { crossZone: { failover: [{ to: { type: " +
        failover + " } }] } } } }] } }\n" + clients_and_rates;
    const scenario::ScenarioTemplate base("plan.yaml", text);
    REQUIRE(base.reading().scenario);
    const std::vector<plan::Bound> bounds = plan::bounds_of(*base.reading().scenario);
    const plan::Variants variants(base, {}, 1.0);
    const std::vector<plan::Row> rows = plan::rows_of(variants, *variants.with({}), bounds);
    return plan::any_cut_off(variants, rows, plan::groups_in_question(base, bounds), bounds);
  };
  CHECK(cut_off("None"));
  CHECK_FALSE(cut_off("Any"));
}
