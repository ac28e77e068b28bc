#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const char* const istio_documents = R"(
{ apiVersion: v1, kind: Pod, metadata: { name: web-1, namespace: shop }, spec: {}, status: { podIP: 10.1.1.1 } }
---
{ apiVersion: v1, kind: Service, metadata: { name: web, namespace: shop }, spec: { clusterIP: 10.0.0.1, ports: [{ name: http, port: 80 }] } }
---
{ apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: { name: web-1, namespace: shop, labels: { kubernetes.io/service-name: web } }, ports: [{ name: http, port: 8080 }],
  endpoints: [{ addresses: [10.1.1.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web-1, namespace: shop } }] }
---
{ apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: { name: web, namespace: shop }, spec: { host: web, trafficPolicy: { loadBalancer: { simple: RANDOM } } } }
)";

// A proxy that holds one cluster, as config_dump prints it.
std::string dump(const std::string& policy, const std::string& node) {
  return R"({"configs": [)" +
         (node.empty()
              ? ""
              : R"({"@type": "type.googleapis.com/envoy.admin.v3.BootstrapConfigDump", "bootstrap": {"node": {"id": ")" +
                    node + R"("}}}, )") +
         R"({"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump", "dynamic_active_clusters": [{"cluster": {
  "@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": "outbound|80||web.shop.svc.cluster.local",
  "type": "EDS", "eds_cluster_config": {"service_name": "outbound|80||web.shop.svc.cluster.local"}, "connect_timeout": "10s", "lb_policy": ")" +
         policy +
         R"(", "common_lb_config": {"healthy_panic_threshold": {}}, "circuit_breakers": {"thresholds": [{"max_connections": 4294967295,
  "max_pending_requests": 4294967295, "max_requests": 4294967295, "max_retries": 4294967295, "track_remaining": true}]}}}]},
  {"@type": "type.googleapis.com/envoy.admin.v3.EndpointsConfigDump", "dynamic_endpoint_configs": [{"endpoint_config": {
  "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment", "cluster_name": "outbound|80||web.shop.svc.cluster.local",
  "endpoints": [{"locality": {}, "load_balancing_weight": 1, "lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "10.1.1.1", "port_value": 8080}}},
  "health_status": "HEALTHY", "load_balancing_weight": 1}]}]}}]}]})";
}

const std::string sidecar = "sidecar~10.1.1.9~front-1.shop~shop.svc.cluster.local";

}  // namespace

TEST_CASE("compare --dump ends with 0 where a proxy holds what the documents make, and with 1 where it does not") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("mesh.yaml", istio_documents);
  const std::string same = folder.write("same.json", dump("RANDOM", sidecar));
  const std::string other = folder.write("other.json", dump("ROUND_ROBIN", sidecar));
  for (const std::string format : {"table", "wide", "markdown", "csv", "json"}) {
    CHECK(run_program({"compare", documents, "--dump", same, "-o", format}).code == 0);
    CHECK(run_program({"compare", documents, "--dump", other, "-o", format}).code == 1);
  }
  const auto root = nlohmann::json::parse(run_program({"compare", documents, "--dump", other, "-o", "json"}).output);
  CHECK(root["agrees"] == false);
  REQUIRE(root["differences"].size() == 1);
  const auto& difference = root["differences"][0];
  CHECK(difference["of"] == "outbound|80||web.shop.svc.cluster.local");
  CHECK(difference["what"] == "lb_policy");
  CHECK(difference["documents"] == "random");
  CHECK(difference["proxy"] == "round_robin");
  CHECK(difference["made_by"] == "DestinationRule shop/web");
  CHECK(difference["line"] == 9);
}

TEST_CASE("a dump that does not say whose it is wants a client of a scenario") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("mesh.yaml", istio_documents);
  const std::string nameless = folder.write("dump.json", dump("RANDOM", ""));
  const Finished refused = run_program({"compare", documents, "--dump", nameless});
  CHECK(refused.code == 2);
  CHECK(refused.error.find("error[SP797]") != std::string::npos);
  const std::string scenario = folder.write(
      "world.yaml",
      "duration: 1s\nmode: exact\nresources: [mesh.yaml]\nzones: [{ name: z1 }]\nclients: [{ name: front, zone: z1, "
      "namespace: shop, workload: { service: web, rate: 1rps } }]\n");
  CHECK(run_program({"compare", scenario, "--dump", nameless, "--client", "front"}).code == 0);
  CHECK(run_program({"compare", scenario, "--dump", nameless, "--client", "nobody"}).code == 2);
}

TEST_CASE("what is no mesh, and counts beside a dump, are refused in words") {
  const TemporaryFolder folder;
  const std::string held = folder.write("dump.json", dump("RANDOM", sidecar));
  const std::string other = folder.write("other.yaml", "a: 1\n");
  CHECK(run_program({"compare", other, "--dump", held}).error.find("error[SP796]") != std::string::npos);
  CHECK(run_program({"compare", other, "--dump", held, "--clusters", held}).error.find("error[SP905]") !=
        std::string::npos);
  CHECK(run_program({"compare", folder.path("gone.yaml"), "--dump", held}).code == 2);
}
