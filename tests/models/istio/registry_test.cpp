// Services and endpoints of Kubernetes' objects, ServiceEntries and WorkloadEntries. Expected: docs/behaviour/istio.md
// 1.2, 2 and 7.
#include "models/istio/registry.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/istio/kubernetes_registry.hpp"

namespace spillway::istio {

namespace {

using Addresses = std::vector<std::string>;

KubernetesService kubernetes_service(const std::string& name) {
  KubernetesService service;
  service.meta = {.kind = "Service", .name = name, .name_space = "shop"};
  service.ports = {{.name = "http", .port = 80}};
  return service;
}

EndpointSlice slice_of(const std::string& service, std::vector<EndpointSlice::Endpoint> endpoints) {
  EndpointSlice slice;
  slice.meta = {.kind = "EndpointSlice", .name = service + "-1", .name_space = "shop"};
  slice.meta.labels = {{service_name_label, service}};
  slice.ports = {{.name = "http", .port = 8080}};
  slice.endpoints = std::move(endpoints);
  return slice;
}

const Service& only_service(const Registry& registry) {
  REQUIRE(registry.services.size() == 1);
  return registry.services.front();
}

// "address:port" of each endpoint.
Addresses addresses(const Service& service) {
  Addresses result;
  for (const Endpoint& endpoint : service.endpoints) {
    result.push_back(endpoint.address + ":" + std::to_string(endpoint.port));
  }
  return result;
}

EndpointHealth health(std::optional<bool> ready, std::optional<bool> serving, std::optional<bool> terminating,
                      const Labels& labels = {}) {
  Documents documents;
  documents.clusters[0].services = {kubernetes_service("web")};
  documents.clusters[0].services[0].meta.labels = labels;
  documents.clusters[0].slices = {
      slice_of("web", {{.addresses = {"10.0.0.1"}, .ready = ready, .serving = serving, .terminating = terminating}})};
  return only_service(make_registry(documents)).endpoints.at(0).health;
}

}  // namespace

TEST_CASE("istio: the health of an endpoint follows from its conditions, in this order") {
  constexpr auto absent = std::nullopt;
  const Labels session = {{session_label, "s"}};
  for (const std::optional<bool> any : {std::optional<bool>(), std::optional(true), std::optional(false)}) {
    CHECK(health(true, any, any) == EndpointHealth::healthy);
    CHECK(health(absent, any, any) == EndpointHealth::healthy);
    CHECK(health(false, any, false) == EndpointHealth::unhealthy);
    CHECK(health(false, any, false, session) == EndpointHealth::unhealthy);
    CHECK(health(false, any, true) == EndpointHealth::terminating);
    CHECK(health(false, any, absent) == EndpointHealth::terminating);
  }
  for (const Labels& labels : {session, Labels{{session_header_label, "h"}}}) {
    CHECK(health(false, true, true, labels) == EndpointHealth::draining);
    CHECK(health(false, absent, absent, labels) == EndpointHealth::draining);
    CHECK(health(false, false, true, labels) == EndpointHealth::terminating);
    CHECK(health(false, false, absent, labels) == EndpointHealth::terminating);
  }
}

TEST_CASE("istio: a Service is what its object says") {
  Documents documents;
  KubernetesService plain = kubernetes_service("plain");
  plain.meta.annotations = {{export_to_annotation, ".,client"}};
  plain.ports.push_back({.name = "dns", .port = 53, .protocol = "UDP"});
  plain.ports.push_back({.name = "grpc-api", .port = 90});
  KubernetesService headless = kubernetes_service("headless");
  headless.clusterIP = "None";
  headless.internalTrafficPolicy = "Local";
  KubernetesService alias = kubernetes_service("alias");
  alias.type = "ExternalName";
  alias.externalName = "example.com";
  alias.clusterIP = "None";
  KubernetesService no_alias = kubernetes_service("no-alias");
  no_alias.externalName = "example.com";
  documents.clusters[0].services = {plain, headless, alias, no_alias};
  const auto services = make_registry(documents).services;
  REQUIRE(services.size() == 4);
  CHECK(services[0].hostname == "plain.shop.svc.cluster.local");
  CHECK(services[0].export_to == Addresses{".", "client"});
  CHECK(services[0].resolution == Resolution::client_side);
  CHECK_FALSE(services[0].node_local);
  CHECK(services[0].port(53)->protocol == Protocol::udp);
  CHECK(services[0].port(90)->protocol == Protocol::grpc);
  CHECK(services[0].port(91) == nullptr);
  CHECK(services[1].resolution == Resolution::passthrough);
  CHECK(services[1].node_local);
  CHECK(services[1].export_to.empty());
  CHECK(services[2].resolution == Resolution::alias);
  CHECK(services[2].external_name == "example.com");
  CHECK(services[3].resolution == Resolution::client_side);
  CHECK(services[3].external_name.empty());
}

// endpointSliceCache.get of istiod's endpointslice.go; an endpoint may stand in several slices while it moves.
TEST_CASE("istio: an endpoint that two slices list is one for each port, and one for each service") {
  Documents documents;
  KubernetesCluster& cluster = documents.clusters[0];
  cluster.services = {kubernetes_service("web"), kubernetes_service("api")};
  EndpointSlice second = slice_of("web", {{.addresses = {"10.0.0.3"}}, {.addresses = {"10.0.0.2"}}});
  second.ports.push_back({.name = "grpc", .port = 9090});
  cluster.slices = {slice_of("web", {{.addresses = {"10.0.0.1"}}, {.addresses = {"10.0.0.2"}}}), second,
                    slice_of("api", {{.addresses = {"10.0.0.2"}}})};
  const auto services = make_registry(documents).services;
  REQUIRE(services.size() == 2);
  CHECK(addresses(services[0]) ==
        Addresses{"10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080", "10.0.0.3:9090", "10.0.0.2:9090"});
  CHECK(addresses(services[1]) == Addresses{"10.0.0.2:8080"});
}

TEST_CASE("istio: endpoints of slices have the labels, locality and network of their pods") {
  Documents documents;
  KubernetesCluster& cluster = documents.clusters[0];
  cluster.services = {kubernetes_service("web")};
  Pod pod;
  pod.meta = {.kind = "Pod", .name = "web-1", .name_space = "shop", .labels = {{"app", "web"}}};
  pod.nodeName = "n1";
  cluster.pods = {pod};
  pod.meta.name = "web-2";
  pod.meta.name_space = "other";
  pod.meta.labels = {{network_label, "n9"}, {tls_mode_label, "istio"}, {locality_label, "r7.z7"}};
  cluster.pods.push_back(pod);
  Node node;
  node.meta.name = "n1";
  node.meta.labels = {{region_label, "r1"}, {zone_label, "z1"}};
  cluster.nodes = {node};
  cluster.slices = {slice_of("web", {{.addresses = {"10.0.0.1"}, .pod = "web-1"},
                                     {.addresses = {"10.0.0.2"}, .pod = "web-2", .pod_namespace = "other"},
                                     {.addresses = {"10.0.0.3"}, .pod = "gone"},
                                     {.addresses = {"10.0.0.4", "10.0.0.5"}}}),
                    slice_of("other", {{.addresses = {"10.0.0.9"}}})};
  documents.networks = {{.name = "n0", .registries = {"elsewhere"}}, {.name = "n1", .registries = {default_cluster}}};
  const Registry registry = make_registry(documents);
  CHECK(registry.missing_pods == Addresses{"shop/gone"});
  const auto& endpoints = only_service(registry).endpoints;
  CHECK(addresses(only_service(registry)) ==
        Addresses{"10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.4:8080", "10.0.0.5:8080"});
  CHECK(endpoints[0].locality == "r1/z1/");
  CHECK(endpoints[0].network == "n1");
  CHECK_FALSE(endpoints[0].mutual_tls);
  CHECK(endpoints[0].labels.at("app") == "web");
  CHECK(endpoints[0].labels.at(zone_label) == "z1");
  CHECK(endpoints[0].labels.at(hostname_label) == "n1");
  CHECK(endpoints[0].labels.at(cluster_label) == default_cluster);
  CHECK(endpoints[1].locality == "r7/z7");
  CHECK(endpoints[1].network == "n9");
  CHECK(endpoints[1].mutual_tls);
  CHECK(endpoints[2].locality.empty());
  CHECK(endpoints[2].network == "n1");
  CHECK(endpoints[2].labels.at(network_label) == "n1");
  CHECK(endpoints[2].port_name == "http");
}

TEST_CASE("istio: a Service takes the WorkloadEntries of its namespace that it selects, at the ports that they have") {
  Documents documents;
  KubernetesService service = kubernetes_service("web");
  service.selector = {{"app", "web"}};
  service.ports = {{.name = "http", .port = 80, .targetPort = 8080},
                   {.name = "admin", .port = 81},
                   {.name = "named", .port = 82, .targetPortName = "n"}};
  documents.clusters[0].services = {service};
  const auto entry = [](const std::string& address, const std::string& name_space, const std::string& app) {
    WorkloadEntry made;
    made.meta = {.kind = "WorkloadEntry", .name = address, .name_space = name_space};
    made.address = address;
    made.labels = {{"app", app}};
    return made;
  };
  documents.workload_entries = {entry("10.0.0.1", "shop", "web"), entry("10.0.0.2", "shop", "db"),
                                entry("10.0.0.3", "other", "web"), entry("10.0.0.4", "shop", "web")};
  documents.workload_entries[3].ports = {{"http", 9000}, {"n", 9001}};
  CHECK(addresses(only_service(make_registry(documents))) ==
        Addresses{"10.0.0.1:8080", "10.0.0.1:81", "10.0.0.4:9000", "10.0.0.4:81", "10.0.0.4:9001"});
  documents.clusters[0].services[0].selector.clear();
  CHECK(only_service(make_registry(documents)).endpoints.empty());
}

TEST_CASE("istio: a WorkloadEntry says its weight, locality and network itself, else its labels do") {
  Documents documents;
  KubernetesService service = kubernetes_service("web");
  service.selector = {{"app", "web"}};
  documents.clusters[0].services = {service};
  documents.networks = {{.name = "n1", .registries = {default_cluster}}};
  WorkloadEntry written;
  written.meta = {.kind = "WorkloadEntry", .name = "vm", .name_space = "shop"};
  written.address = "10.0.0.1";
  written.labels = {{"app", "web"}, {locality_label, "r9.z9"}, {network_label, "n8"}};
  WorkloadEntry own = written;
  own.weight = 5;
  own.locality = "r1/z1";
  own.network = "n2";
  own.serviceAccount = "vm";
  WorkloadEntry bare = written;
  bare.labels = {{"app", "web"}, {tls_mode_label, "disabled"}};
  bare.serviceAccount = "vm";
  documents.workload_entries = {written, own, bare};
  const auto endpoints = only_service(make_registry(documents)).endpoints;
  REQUIRE(endpoints.size() == 3);
  CHECK(endpoints[0].weight == 1);
  CHECK(endpoints[0].locality == "r9/z9");
  CHECK(endpoints[0].network == "n8");
  CHECK_FALSE(endpoints[0].mutual_tls);
  CHECK(endpoints[0].labels.at(region_label) == "r9");
  CHECK(endpoints[1].weight == 5);
  CHECK(endpoints[1].locality == "r1/z1");
  CHECK(endpoints[1].network == "n2");
  CHECK(endpoints[1].mutual_tls);
  CHECK(endpoints[2].locality.empty());
  CHECK(endpoints[2].network == "n1");
  CHECK_FALSE(endpoints[2].mutual_tls);
  CHECK(endpoints[2].source == "WorkloadEntry shop/vm");
}

TEST_CASE("istio: a host is one service whatever number of clusters has it, and endpoints come from all of them") {
  Documents documents;
  documents.clusters.push_back({.name = "second"});
  for (KubernetesCluster& cluster : documents.clusters) {
    cluster.services = {kubernetes_service("web")};
    cluster.slices = {slice_of("web", {{.addresses = {cluster.name}}})};
  }
  documents.clusters[1].services[0].clusterIP = "None";
  KubernetesService other = kubernetes_service("web");
  other.meta.name_space = "other";
  documents.clusters[1].services.push_back(other);
  const Registry registry = make_registry(documents);
  REQUIRE(registry.services.size() == 2);
  CHECK(registry.services[0].resolution == Resolution::client_side);
  CHECK(addresses(registry.services[0]) == Addresses{"Kubernetes:8080", "second:8080"});
  CHECK(registry.services[1].endpoints.empty());
  CHECK(registry.of_host("web.shop.svc.cluster.local").size() == 1);
  CHECK(registry.of_host("web").empty());
}

TEST_CASE("istio: a ServiceEntry is a service for each of its hosts, with the endpoints that it writes or selects") {
  Documents documents;
  ServiceEntry entry;
  entry.meta = {.kind = "ServiceEntry", .name = "ext", .name_space = "shop"};
  entry.hosts = {"a.example", "b.example"};
  entry.ports = {{.number = 80, .name = "http", .protocol = "HTTP"},
                 {.number = 90, .name = "tcp", .protocol = "TCP", .targetPort = 9090}};
  entry.exportTo = {"."};
  entry.resolution = EntryResolution::dns;
  documents.service_entries = {entry};
  // Without endpoints and selector the host itself is the endpoint.
  auto services = make_registry(documents).services;
  REQUIRE(services.size() == 2);
  CHECK(services[1].hostname == "b.example");
  CHECK(services[1].resolution == Resolution::dns);
  CHECK(services[1].export_to == Addresses{"."});
  CHECK(services[1].ports[1].protocol == Protocol::tcp);
  CHECK(addresses(services[1]) == Addresses{"b.example:80", "b.example:9090"});
  documents.service_entries[0].resolution = EntryResolution::dns_round_robin;
  CHECK(addresses(make_registry(documents).services[0]) == Addresses{"a.example:80", "a.example:9090"});
  for (const EntryResolution resolution : {EntryResolution::static_addresses, EntryResolution::none}) {
    documents.service_entries[0].resolution = resolution;
    CHECK(make_registry(documents).services[0].endpoints.empty());
  }
  CHECK(make_registry(documents).services[0].resolution == Resolution::passthrough);
  documents.service_entries[0].resolution = EntryResolution::static_addresses;
  CHECK(make_registry(documents).services[0].resolution == Resolution::client_side);
  WorkloadEntry written;
  written.address = "10.0.0.1";
  written.ports = {{"http", 8080}, {"tcp", 0}};
  documents.service_entries[0].endpoints = {written};
  CHECK(addresses(make_registry(documents).services[0]) == Addresses{"10.0.0.1:8080", "10.0.0.1:9090"});
}

TEST_CASE("istio: the selector of a ServiceEntry takes WorkloadEntries and pods of its namespace") {
  Documents documents;
  ServiceEntry entry;
  entry.meta = {.kind = "ServiceEntry", .name = "ext", .name_space = "shop"};
  entry.hosts = {"a.example"};
  entry.ports = {{.number = 80, .name = "http", .protocol = "HTTP", .targetPort = 8080}};
  entry.resolution = EntryResolution::static_addresses;
  entry.workloadSelector = Labels{{"app", "web"}};
  documents.service_entries = {entry};
  for (const auto& [address, name_space, app] : std::vector<std::array<std::string, 3>>{
           {"10.0.0.1", "shop", "web"}, {"10.0.0.2", "shop", "db"}, {"10.0.0.3", "other", "web"}}) {
    WorkloadEntry workload;
    workload.meta = {.kind = "WorkloadEntry", .name = address, .name_space = name_space};
    workload.address = address;
    workload.labels = {{"app", app}};
    documents.workload_entries.push_back(workload);
    Pod pod;
    pod.meta = {.kind = "Pod", .name = address, .name_space = name_space, .labels = {{"app", app}}};
    pod.podIP = "pod-" + address;
    documents.clusters[0].pods.push_back(pod);
  }
  documents.workload_entries[0].ports = {{"http", 7070}};
  const Registry registry = make_registry(documents);
  CHECK(addresses(only_service(registry)) == Addresses{"10.0.0.1:7070", "pod-10.0.0.1:8080"});
  CHECK(registry.services[0].endpoints[0].health == EndpointHealth::unknown);
  CHECK(registry.services[0].endpoints[1].health == EndpointHealth::healthy);
  CHECK(registry.services[0].endpoints[1].source == "Pod shop/10.0.0.1");
}

TEST_CASE("istio: the protocol of a port is its appProtocol, else what stands before the first hyphen of its name") {
  CHECK(protocol_of("", "http-web") == Protocol::http);
  CHECK(protocol_of("", "HTTP2-x") == Protocol::http2);
  CHECK(protocol_of("", "grpc-web-x") == Protocol::grpc_web);
  CHECK(protocol_of("", "grpc-webx") == Protocol::grpc_web);
  CHECK(protocol_of("", "grpc") == Protocol::grpc);
  CHECK(protocol_of("", "web") == Protocol::unsupported);
  CHECK(protocol_of("", "httpx") == Protocol::unsupported);
  CHECK(protocol_of("tcp", "http") == Protocol::tcp);
  CHECK(protocol_of("kubernetes.io/h2c", "") == Protocol::http2);
  CHECK(protocol_of("http-web", "http") == Protocol::unsupported);
  CHECK(is_http(Protocol::grpc_web));
  CHECK_FALSE(is_http(Protocol::tcp));
  CHECK(is_http2(Protocol::grpc));
  CHECK_FALSE(is_http2(Protocol::http));
}

TEST_CASE("istio: a traffic distribution is the field's, else the annotation's, else the namespace's") {
  const Labels zone = {{traffic_distribution_annotation, "preferSAMEzone"}};
  const Labels node = {{traffic_distribution_annotation, "PreferSameNode"}};
  const Labels any = {{traffic_distribution_annotation, "Any"}};
  CHECK(distribution_of("PreferClose", node, &node) == TrafficDistribution::same_zone);
  CHECK(distribution_of("PreferSameZone", {}, nullptr) == TrafficDistribution::same_zone);
  CHECK(distribution_of("PreferSameNode", zone, nullptr) == TrafficDistribution::same_node);
  CHECK(distribution_of("preferclose", {}, nullptr) == TrafficDistribution::any);
  CHECK(distribution_of("", zone, &node) == TrafficDistribution::same_zone);
  CHECK(distribution_of("", {}, &node) == TrafficDistribution::same_node);
  CHECK(distribution_of("", any, &node) == TrafficDistribution::any);
  CHECK(distribution_of("", {}, nullptr) == TrafficDistribution::any);
}

}  // namespace spillway::istio
