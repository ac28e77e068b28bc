// What the registries make of Kubernetes' objects, ServiceEntries and WorkloadEntries.
// Expected: docs/behaviour/istio.md 1.2 and 2.
#include "models/istio/registry.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway::istio {
namespace {

using Flag = std::optional<bool>;

// One Service of one port, with an endpoint of these conditions.
Documents with_conditions(Flag ready, Flag serving, Flag terminating, const Labels& labels) {
  Documents documents;
  KubernetesCluster& cluster = documents.clusters.front();
  cluster.services = {{.meta = {.name = "web", .name_space = "shop", .labels = labels},
                       .clusterIP = "10.0.0.1",
                       .ports = {{.name = "http", .port = 80}}}};
  cluster.slices = {
      {.meta = {.name = "web-1", .name_space = "shop", .labels = {{service_name_label, "web"}}},
       .ports = {{"http", 8080}},
       .endpoints = {{.addresses = {"10.1.1.1"}, .ready = ready, .serving = serving, .terminating = terminating}}}};
  return documents;
}

EndpointHealth health_of(Flag ready, Flag serving, Flag terminating, const Labels& labels = {}) {
  const Registry registry = make_registry(with_conditions(ready, serving, terminating, labels));
  REQUIRE(registry.services.size() == 1);
  REQUIRE(registry.services.front().endpoints.size() == 1);
  return registry.services.front().endpoints.front().health;
}

}  // namespace

TEST_CASE("istio: the health of an endpoint is that of its conditions, in the order of the table") {
  const Labels session{{session_label, "cookie"}};
  for (const Flag any : {Flag{}, Flag{true}, Flag{false}}) {
    CHECK(health_of(true, any, any) == EndpointHealth::healthy);
    CHECK(health_of({}, any, any) == EndpointHealth::healthy);
    CHECK(health_of(false, any, false) == EndpointHealth::unhealthy);
    CHECK(health_of(false, any, false, session) == EndpointHealth::unhealthy);
  }
  for (const Flag terminating : {Flag{}, Flag{true}}) {
    for (const Flag serving : {Flag{}, Flag{true}}) {
      CHECK(health_of(false, serving, terminating) == EndpointHealth::terminating);
      CHECK(health_of(false, serving, terminating, session) == EndpointHealth::draining);
      CHECK(health_of(false, serving, terminating, {{session_header_label, "x"}}) == EndpointHealth::draining);
    }
    CHECK(health_of(false, false, terminating) == EndpointHealth::terminating);
    CHECK(health_of(false, false, terminating, session) == EndpointHealth::terminating);
  }
}

TEST_CASE("istio: a Service's annotation says to which namespaces it is exported") {
  Documents documents = with_conditions(true, {}, {}, {});
  CHECK(make_registry(documents).services.front().export_to.empty());
  documents.clusters.front().services.front().meta.annotations = {{export_to_annotation, "client,other"}};
  CHECK(make_registry(documents).services.front().export_to == std::vector<std::string>{"client", "other"});
}

TEST_CASE("istio: a WorkloadEntry is in the network that it names, else in that of its label") {
  Documents documents;
  ServiceEntry entry{.meta = {.name = "db", .name_space = "shop"},
                     .hosts = {"db.example.com"},
                     .ports = {{.number = 5432, .name = "tcp"}},
                     .resolution = EntryResolution::static_addresses};
  entry.endpoints = {{.address = "10.9.9.1", .labels = {{network_label, "of-label"}}, .network = "of-field"},
                     {.address = "10.9.9.2", .labels = {{network_label, "of-label"}}}};
  documents.service_entries = {entry};
  const Registry registry = make_registry(documents);
  REQUIRE(registry.services.front().endpoints.size() == 2);
  CHECK(registry.services.front().endpoints[0].network == "of-field");
  CHECK(registry.services.front().endpoints[1].network == "of-label");
}

TEST_CASE("istio: a ServiceEntry selects pods and WorkloadEntries of its own namespace, at each of its ports") {
  Documents documents;
  documents.service_entries = {
      {.meta = {.name = "db", .name_space = "shop"},
       .hosts = {"db.example.com"},
       .ports = {{.number = 80, .name = "http"}, {.number = 81, .name = "admin", .targetPort = 8081}},
       .resolution = EntryResolution::static_addresses,
       .workloadSelector = Labels{{"app", "db"}}}};
  const Labels labels{{"app", "db"}};
  documents.workload_entries = {
      {.meta = {.name = "vm", .name_space = "shop"},
       .address = "10.9.9.1",
       .ports = {{"http", 8080}},
       .labels = labels},
      {.meta = {.name = "vm", .name_space = "other"}, .address = "10.9.9.2", .labels = labels}};
  documents.clusters.front().pods = {
      {.meta = {.name = "db-1", .name_space = "shop", .labels = labels}, .podIP = "10.1.1.1"},
      {.meta = {.name = "db-2", .name_space = "other", .labels = labels}, .podIP = "10.1.1.2"},
      {.meta = {.name = "web-1", .name_space = "shop", .labels = {{"app", "web"}}}, .podIP = "10.1.1.3"}};
  std::vector<std::pair<std::string, std::uint32_t>> found;
  const Registry registry = make_registry(documents);
  for (const Endpoint& endpoint : registry.services.front().endpoints) {
    found.emplace_back(endpoint.address, endpoint.port);
  }
  CHECK(found == std::vector<std::pair<std::string, std::uint32_t>>{
                     {"10.9.9.1", 8080}, {"10.9.9.1", 8081}, {"10.1.1.1", 80}, {"10.1.1.1", 8081}});
}

}  // namespace spillway::istio
