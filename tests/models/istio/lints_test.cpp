// Traps by their numbers. Expected: docs/behaviour/istio.md 12.
#include "models/istio/lints.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/cluster.hpp"
#include "models/istio/load_assignment.hpp"

namespace spillway::istio {
namespace {

std::vector<std::string> paths_of(const std::vector<Lint>& lints, std::uint32_t number) {
  std::vector<std::string> paths;
  for (const Lint& lint : lints) {
    if (lint.number == number) {
      paths.push_back(lint.path);
    }
  }
  return paths;
}

Registry registry_of(std::vector<Service> services) {
  Registry registry;
  registry.services = std::move(services);
  for (std::size_t i = 0; i < registry.services.size(); ++i) {
    registry.by_host[registry.services[i].hostname].push_back(i);
  }
  return registry;
}

DestinationRule rule_of(const std::string& name, std::size_t age) {
  DestinationRule rule;
  rule.meta = {.kind = "DestinationRule", .name = name, .name_space = "shop", .age = age};
  rule.host = "web";
  rule.trafficPolicy.emplace().connectionPool.emplace();
  return rule;
}

Service web_with(std::vector<Endpoint> endpoints) {
  Service service{.hostname = "web.shop.svc.cluster.local", .name_space = "shop", .kind = "Service"};
  service.ports = {{"http", 80, Protocol::http}, {"admin", 81, Protocol::http}};
  service.endpoints = std::move(endpoints);
  return service;
}

}  // namespace

TEST_CASE("istio: a second policy for one host is told where both are for the same namespaces and proxies") {
  Documents documents;
  const Registry registry = registry_of({web_with({})});
  documents.destination_rules = {rule_of("first", 1), rule_of("second", 2)};
  const auto reported = [&] { return paths_of(lints_of({.documents = &documents, .registry = &registry}), 11).size(); };
  CHECK(reported() == 1);
  documents.destination_rules[1].exportTo = {"."};
  CHECK(reported() == 0);
  documents.destination_rules[0].exportTo = {"."};
  CHECK(reported() == 1);
  documents.destination_rules[1].workloadSelector = Labels{{"app", "a"}};
  CHECK(reported() == 0);
  documents.destination_rules[1].workloadSelector.reset();
  documents.destination_rules[1].trafficPolicy.reset();
  CHECK(reported() == 0);
}

// docs/behaviour/istio.md 6.3: groups that no key matches lose their endpoints.
TEST_CASE("istio: endpoints without a locality that no key of distribute matches are told") {
  Documents documents;
  Service web = web_with({{.address = "10.0.0.1", .port_name = "http", .locality = "r1/z1/"},
                          {.address = "10.0.0.2", .port_name = "http", .locality = "r2/z1/"},
                          {.address = "10.0.0.3", .port_name = "http"}});
  documents.destination_rules = {rule_of("rule", 1)};
  LocalityLbSetting& setting =
      documents.destination_rules[0].trafficPolicy->loadBalancer.emplace().localityLbSetting.emplace();
  const auto reported = [&](std::vector<std::pair<std::string, std::uint32_t>> to) {
    setting.distribute = {{.from = "*", .to = std::move(to)}};
    const Registry registry = registry_of({web});
    return paths_of(lints_of({.documents = &documents, .registry = &registry}), 7).size();
  };
  CHECK(reported({{"r1/*", 50}, {"r2/*", 50}}) == 1);
  CHECK(reported({{"*", 100}}) == 0);
  web.endpoints.pop_back();
  CHECK(reported({{"r1/*", 50}, {"r2/*", 50}}) == 0);
}

TEST_CASE("istio: a subset without endpoints is told; those that terminate are none") {
  Documents documents;
  documents.destination_rules = {rule_of("rule", 1)};
  documents.destination_rules[0].subsets = {{.name = "v1", .labels = {{"version", "v1"}}}};
  const auto reported = [&](const std::vector<Endpoint>& endpoints) {
    const Registry registry = registry_of({web_with(endpoints)});
    return paths_of(lints_of({.documents = &documents, .registry = &registry}), subset_without_endpoints).size();
  };
  const Endpoint other{.address = "10.1.1.1", .port_name = "http", .labels = {{"version", "v2"}}};
  Endpoint own{.address = "10.1.1.2", .port_name = "http", .labels = {{"version", "v1"}}};
  CHECK(reported({other}) == 1);
  CHECK(reported({other, own}) == 0);
  own.health = EndpointHealth::terminating;
  CHECK(reported({other, own}) == 1);
  // Of the first endpoint's port: the others have the same endpoints.
  own.health = EndpointHealth::healthy;
  own.port_name = "admin";
  CHECK(reported({other, own}) == 1);
}

TEST_CASE("istio: a host without a dot that is a service of another namespace is told, wherever it stands") {
  Documents documents;
  const Registry registry = registry_of({web_with({})});
  VirtualService service;
  service.meta = {.kind = "VirtualService", .name = "web", .name_space = "other", .age = 1};
  service.hosts = {"web", "web.shop.svc.cluster.local", "unknown"};
  HttpRoute http;
  http.route = {{.destination = {.host = "web.shop.svc.cluster.local"}}, {.destination = {.host = "web"}}};
  service.http = {http};
  TcpRoute tcp;
  tcp.route = {{.destination = {.host = "web"}}};
  service.tcp = {tcp};
  documents.virtual_services = {service};
  CHECK(paths_of(lints_of({.documents = &documents, .registry = &registry}), 27) ==
        std::vector<std::string>{"spec.hosts[0]", "spec.http[0].route[1].destination.host",
                                 "spec.tcp[0].route[0].destination.host"});
  documents.virtual_services.front().meta.name_space = "shop";
  CHECK(paths_of(lints_of({.documents = &documents, .registry = &registry}), 27).empty());
}

TEST_CASE("istio: a hash whose retries leave the host is told at the subset that is asked for") {
  DestinationRule rule = rule_of("rule", 1);
  rule.subsets = {{.name = "v1"}, {.name = "v2"}};
  LoadBalancerSettings hashing;
  hashing.consistentHash.emplace().httpHeaderName = "x-user";
  rule.subsets[1].trafficPolicy.emplace().loadBalancer = hashing;
  const ConsolidatedRule consolidated{.rule = rule};
  const RuleIndex::Found found{.rule = &consolidated};
  CHECK(lints_of_hash(found, "", false).empty());
  CHECK(lints_of_hash(found, "v1", false).empty());
  CHECK(paths_of(lints_of_hash(found, "v2", false), 19) ==
        std::vector<std::string>{"spec.subsets[1].trafficPolicy.loadBalancer.consistentHash"});
  CHECK(lints_of_hash({}, "v2", false).empty());
}

TEST_CASE(
    "istio: small localities with weights of their own are told of the rule that has the setting, else of the client") {
  LoadAssignment assignment;
  assignment.setting = {.value = LocalityLbSetting{.enabled = true}, .source = SettingSource::mesh};
  AssignedLocality large{.locality = {"r1", "z1", ""}};
  large.endpoints.resize(3);
  AssignedLocality small{.locality = {"r1", "z2", ""}};
  small.endpoints.resize(2);
  assignment.localities = {large, small};
  Cluster cluster;
  cluster.locality_weighted = true;
  const ConsolidatedRule consolidated{.rule = rule_of("rule", 1)};
  const Documents documents;
  const Proxy proxy;
  const Service service = web_with({});
  const auto reported = [&] {
    cluster.assignment = assignment;
    const std::vector<Lint> lints = lints_of_view({.documents = &documents,
                                                   .proxy = &proxy,
                                                   .service = &service,
                                                   .port = 80,
                                                   .found = {.rule = &consolidated},
                                                   .cluster = &cluster});
    const auto lint = std::find_if(lints.begin(), lints.end(), [](const Lint& one) { return one.number == 31; });
    return lint == lints.end() ? std::string("nobody") : lint->of_client ? std::string("the client") : lint->path;
  };
  CHECK(reported() == "the client");
  assignment.setting.source = SettingSource::rule;
  CHECK(reported() == "spec.trafficPolicy.loadBalancer.localityLbSetting");
  assignment.localities[1].endpoints.resize(3);
  CHECK(reported() == "nobody");
  assignment.localities[1].endpoints.resize(1);
  assignment.localities[1].priority = 1;
  CHECK(reported() == "nobody");
  assignment.localities[1].priority = 0;
  cluster.locality_weighted = false;
  CHECK(reported() == "nobody");
}

}  // namespace spillway::istio
