// What documents of Istio say that is not simulated: ambient mode, waypoints, EnvoyFilters, sessions, variables.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/scenario/binding/istio/mesh_of_web.hpp"

namespace spillway::scenario {

namespace {

struct Said {
  bool read = false;
  std::vector<std::string> errors = {};
  std::vector<std::string> warnings = {};
};

Said said(const std::string& documents, const std::string& client = "") {
  const Reading reading = read_scenario_text("test.yaml", std::string(test::mesh_of_web) + documents +
                                                              "clients:\n  - { name: c, node: n1, " + client +
                                                              "workload: { service: web, rate: 10rps } }\n");
  Said found{.read = reading.scenario.has_value()};
  for (const Diagnostic& problem : reading.diagnostics) {
    (problem.severity == Severity::error ? found.errors : found.warnings).push_back(problem.code);
  }
  return found;
}

std::string name_space(const std::string& name, const std::string& labels) {
  return "  - { apiVersion: v1, kind: Namespace, metadata: { name: " + name + ", labels: { " + labels + " } } }\n";
}

std::string filter(const std::string& of, const std::string& spec) {
  return "  - { apiVersion: networking.istio.io/v1alpha3, kind: EnvoyFilter, metadata: { name: f, namespace: " + of +
         " }, spec: { " + spec + " } }\n";
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("Requests of clients in ambient mode are refused by name, and no others", "[istio]") {
  const std::string ambient = name_space("default", "istio.io/dataplane-mode: ambient");
  CHECK(said(ambient).errors == Codes{"SP714"});
  CHECK(said("", "tags: { istio.io/dataplane-mode: ambient }, ").errors == Codes{"SP714"});
  // Another namespace, a label that says otherwise, and a sidecar.
  for (const Said& other :
       {said(name_space("shop", "istio.io/dataplane-mode: ambient")),
        said(ambient, "tags: { istio.io/dataplane-mode: none }, "),
        said(ambient, "tags: { sidecar.istio.io/inject: 'true' }, "), said(ambient, "namespace: shop, "),
        said(name_space("default", "istio.io/dataplane-mode: none"))}) {
    CHECK(other.read);
    CHECK(other.errors.empty());
  }
  CHECK(said(ambient, "namespace: shop, ").warnings == Codes{"SP714"});
}

TEST_CASE("Waypoints are named, and sidecars pass by them", "[istio]") {
  // findServiceWaypoint of istiod's endpoint_builder.go: gateways go to waypoints, sidecars do not.
  const Said label = said(name_space("default", "istio.io/use-waypoint: w"));
  CHECK(label.read);
  CHECK(label.warnings == Codes{"SP714"});
  const Said gateway = said(
      "  - { apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: { name: w }, spec: { gatewayClassName: "
      "istio-waypoint } }\n");
  CHECK(gateway.read);
  CHECK(gateway.warnings == Codes{"SP714"});
  CHECK(said(name_space("default", "istio.io/use-waypoint: none")).warnings.empty());
}

TEST_CASE("An EnvoyFilter refuses the requests of proxies that it changes alone", "[istio]") {
  const std::string outbound = "configPatches: [{ applyTo: CLUSTER, match: { context: SIDECAR_OUTBOUND } }]";
  const std::string any = "configPatches: [{ applyTo: CLUSTER }]";
  CHECK(said(filter("default", outbound)).errors == Codes{"SP651"});
  CHECK(said(filter("istio-system", any)).errors == Codes{"SP651"});
  CHECK(said(filter("default", "workloadSelector: { labels: { app: c } }, " + any), "tags: { app: c }, ").errors ==
        Codes{"SP651"});
  for (const std::string& other :
       {filter("shop", any), filter("default", "workloadSelector: { labels: { app: d } }, " + any),
        filter("default", "configPatches: [{ applyTo: CLUSTER, match: { context: GATEWAY } }]"),
        filter("default", "configPatches: [{ applyTo: HTTP_FILTER, match: { context: SIDECAR_INBOUND } }]"),
        filter("default", "targetRefs: [{ kind: Gateway, name: g, group: gateway.networking.k8s.io }], " + any)}) {
    INFO(other);
    CHECK(said(other).read);
  }
}

TEST_CASE("Labels of persistent sessions and variables of istiod are named", "[istio]") {
  const Said session = said(
      "  - { apiVersion: v1, kind: Service, metadata: { name: api, labels: { istio.io/persistent-session: s, "
      "istio.io/persistent-session-header: h } }, spec: { clusterIP: 10.0.0.9, ports: [{ name: http, port: 80 }] } "
      "}\n");
  CHECK(session.read);
  CHECK(session.warnings == Codes{"SP724", "SP724"});
  const Said installed = said(
      "  - { apiVersion: install.istio.io/v1alpha1, kind: IstioOperator, spec: { values: { pilot: { env: { PILOT_X: "
      "'true' "
      "} } }, components: { pilot: { k8s: { env: [{ name: PILOT_Y, value: '1' }] } } } } }\n");
  CHECK(installed.read);
  CHECK(installed.warnings == Codes{"SP724", "SP724"});
}

}  // namespace spillway::scenario
