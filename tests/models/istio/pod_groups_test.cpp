// Groups of pods. The names of ReplicaSets and labels are those of Kubernetes' controllers: a ReplicaSet is named for
// its Deployment and the hash in pod-template-hash, and its pods for the ReplicaSet.
#include "models/istio/pod_groups.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/registry.hpp"

namespace spillway::istio {

namespace {

Pod pod_on(const std::string& name, const std::string& node, const Labels& labels,
           const std::pair<std::string, std::string>& owner = {}) {
  Pod pod;
  pod.meta = {.kind = "Pod", .name = name, .name_space = "shop", .labels = labels, .owner = owner};
  pod.nodeName = node;
  pod.podIP = "10.0." + std::to_string(name.size()) + "." + std::to_string(name.back());
  return pod;
}

// Nodes a1 and a2 in zone a, b1 in zone b, with one Service `web` of all these pods.
Documents documents_with(const std::vector<Pod>& pods) {
  Documents documents;
  KubernetesCluster& cluster = documents.clusters.front();
  for (const std::string name : {"a1", "a2", "b1"}) {
    Node node;
    node.meta = {.kind = "Node", .name = name, .labels = {{region_label, "r"}, {zone_label, name.substr(0, 1)}}};
    cluster.nodes.push_back(node);
  }
  KubernetesService service;
  service.meta = {.kind = "Service", .name = "web", .name_space = "shop"};
  service.ports = {{.name = "http", .port = 80}};
  cluster.services.push_back(service);
  EndpointSlice slice;
  slice.meta = {
      .kind = "EndpointSlice", .name = "web-1", .name_space = "shop", .labels = {{service_name_label, "web"}}};
  slice.ports = {{.name = "http", .port = 8080}};
  for (const Pod& pod : pods) {
    cluster.pods.push_back(pod);
    slice.endpoints.push_back({.addresses = {pod.podIP}, .ready = true, .pod = pod.meta.name});
  }
  cluster.slices.push_back(slice);
  return documents;
}

Pod of_deployment(const std::string& suffix, const std::string& node, const std::string& hash = "7d9f") {
  return pod_on("web-" + hash + "-" + suffix, node, {{"app", "web"}, {"pod-template-hash", hash}},
                {"ReplicaSet", "web-" + hash});
}

}  // namespace

TEST_CASE("pods of a Deployment in one zone are a group, through a rollout and over nodes", "[istio][pods]") {
  const auto groups = pod_groups(documents_with({of_deployment("x1", "a1"), of_deployment("x2", "a2"),
                                                 of_deployment("x3", "b1"), of_deployment("x4", "a1", "55c8")}));
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].kind == "Deployment");
  CHECK(groups[0].name == "web");
  CHECK(groups[0].pods == std::vector<std::string>{"web-7d9f-x1", "web-7d9f-x2", "web-55c8-x4"});
  CHECK(groups[1].pods == std::vector<std::string>{"web-7d9f-x3"});
}

TEST_CASE("pods are grouped by their owner, or by their labels if the documents do not name it", "[istio][pods]") {
  const auto of = [](const std::vector<Pod>& pods) { return pod_groups(documents_with(pods)); };
  const Labels canary = {{"app", "web"}, {"version", "v2"}};
  CHECK(of({pod_on("db-0", "a1", {}, {"StatefulSet", "db"}), pod_on("db-1", "a1", {}, {"StatefulSet", "db"})}).size() ==
        1);
  CHECK(of({pod_on("web-1", "a1", {{"app", "web"}}), pod_on("other", "a1", {{"app", "web"}})}).front().name == "web");
  CHECK(of({pod_on("web-1", "a1", {{"app", "web"}}), pod_on("web-2", "a1", canary)}).size() == 2);
  // Without labels either, those that one Service lists are alike.
  Documents unnamed = documents_with({pod_on("one", "a1", {}), pod_on("two", "a1", {})});
  REQUIRE(pod_groups(unnamed).size() == 1);
  CHECK(pod_groups(unnamed).front().name == "web");
  unnamed.clusters.front().slices.clear();
  CHECK(pod_groups(unnamed).size() == 2);
  CHECK(of({pod_on("log-1", "a1", {}, {"DaemonSet", "log"})}).empty());
  // Without ownerReferences, the name of a pod still has that of its Deployment before the hash.
  CHECK(of({pod_on("web-7d9f-x1", "a1", {{"pod-template-hash", "7d9f"}})}).front().name == "web");
}

TEST_CASE("another number of pods is what the registry reads", "[istio][pods]") {
  Documents documents =
      documents_with({of_deployment("x1", "a1"), of_deployment("x2", "a2"), of_deployment("x3", "b1")});
  auto groups = pod_groups(documents);
  set_pods(groups, {5, 1}, documents);
  CHECK(groups[0].pods.size() == 5);
  std::vector<Endpoint> endpoints = make_registry(documents).services.front().endpoints;
  REQUIRE(endpoints.size() == 6);
  std::set<std::string> addresses;
  std::set<std::string> sources;
  for (const Endpoint& endpoint : endpoints) {
    addresses.insert(endpoint.address);
    sources.insert(endpoint.source);
    CHECK(endpoint.port == 8080);
    CHECK(endpoint.labels.at("app") == "web");
  }
  CHECK(addresses.size() == 6);
  CHECK(sources.size() == 6);
  const auto on_node = [&](const std::string& node) {
    return std::count_if(endpoints.begin(), endpoints.end(), [&](const Endpoint& of) { return of.node == node; });
  };
  // Copies of x1, x2 and x1, where these run.
  CHECK(on_node("a1") == 3);
  CHECK(on_node("a2") == 2);
  CHECK(on_node("b1") == 1);
}

TEST_CASE("fewer pods are the first ones of the documents", "[istio][pods]") {
  Documents documents =
      documents_with({of_deployment("x1", "a1"), of_deployment("x2", "a2"), of_deployment("x3", "b1")});
  auto groups = pod_groups(documents);
  set_pods(groups, {1, 0}, documents);
  const auto endpoints = make_registry(documents).services.front().endpoints;
  REQUIRE(endpoints.size() == 1);
  CHECK(endpoints.front().source == "Pod shop/web-7d9f-x1");
  CHECK(make_registry(documents).missing_pods.empty());
}

TEST_CASE("the same numbers leave the documents as they are", "[istio][pods]") {
  Documents documents = documents_with({of_deployment("x1", "a1"), of_deployment("x2", "a2")});
  auto groups = pod_groups(documents);
  set_pods(groups, {2}, documents);
  CHECK(documents.clusters.front().pods.size() == 2);
  CHECK(documents.clusters.front().slices.front().endpoints.size() == 2);
}

}  // namespace spillway::istio
