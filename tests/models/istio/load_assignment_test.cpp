// The worked examples of docs/behaviour/istio.md 13, and rules beside them.
#include "models/istio/load_assignment.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/proxy.hpp"

namespace spillway::istio {

namespace {

using Figures = std::vector<std::uint32_t>;

// r1/z1/a 2, r1/z1/b 1, r1/z2/a 2, r2/z1/a 3, r3/z1/a 1.
Service five_localities() {
  Service service{.hostname = "web.default.svc.cluster.local", .name_space = "default", .kind = "Service"};
  service.ports = {{"http", 80, Protocol::http}};
  int number = 0;
  for (const auto& [locality, count] :
       {std::pair<const char*, int>{"r1/z1/a", 2}, {"r1/z1/b", 1}, {"r1/z2/a", 2}, {"r2/z1/a", 3}, {"r3/z1/a", 1}}) {
    for (int i = 0; i < count; ++i) {
      service.endpoints.push_back({.address = "10.1.1." + std::to_string(++number),
                                   .port = 8080,
                                   .port_name = "http",
                                   .labels = augmented({}, default_cluster, locality, "", ""),
                                   .locality = locality,
                                   .health = EndpointHealth::healthy});
    }
  }
  return service;
}

LoadAssignment assigned(const Service& service, const std::optional<TrafficPolicy>& policy) {
  static const Documents documents;
  const Proxy proxy = known({.locality = {"r1", "z1", "a"}}, documents);
  return assign({.documents = &documents,
                 .proxy = &proxy,
                 .service = &service,
                 .port = 80,
                 .policy = policy ? &*policy : nullptr});
}

Figures priorities(const LoadAssignment& assignment) {
  Figures figures;
  for (const AssignedLocality& group : assignment.localities) {
    figures.push_back(group.priority);
  }
  return figures;
}

Figures weights(const LoadAssignment& assignment) {
  Figures figures;
  for (const AssignedLocality& group : assignment.localities) {
    figures.push_back(group.endpoints.empty() ? 0 : group.weight);
  }
  return figures;
}

TrafficPolicy with_setting(const LocalityLbSetting& setting, bool outlier) {
  TrafficPolicy policy;
  policy.loadBalancer.emplace().localityLbSetting = setting;
  if (outlier) {
    policy.outlierDetection.emplace();
  }
  return policy;
}

}  // namespace

// docs/behaviour/istio.md 1.1 (a).
TEST_CASE("istio: any label of a place gives a proxy all three parts of its locality") {
  const auto place = [](const char* label) {
    return known({.locality = {"r1", "z1", "a"}, .labels = {{label, "x"}}}, Documents()).locality;
  };
  CHECK(place(region_label) == config::Locality{"x", "", ""});
  CHECK(place(zone_label) == config::Locality{"", "x", ""});
  CHECK(place(subzone_label) == config::Locality{"", "", "x"});
  CHECK(place("app") == config::Locality{"r1", "z1", "a"});
}

TEST_CASE("istio: outlier detection alone puts subzones, zones and regions behind each other") {
  TrafficPolicy policy;
  policy.outlierDetection.emplace();
  const LoadAssignment assignment = assigned(five_localities(), policy);
  CHECK(priorities(assignment) == Figures{0, 1, 2, 3, 3});
  CHECK(assignment.localities[0].placement == Placement{PlacedBy::locality, 0});
}

TEST_CASE("istio: failover orders other regions and leaves none out") {
  const auto policy = with_setting({.failover = {{"r1", "r3"}}}, true);
  const LoadAssignment assignment = assigned(five_localities(), policy);
  CHECK(priorities(assignment) == Figures{0, 1, 2, 4, 3});
  CHECK(assignment.localities[4].placement == Placement{PlacedBy::failover, 0});
}

TEST_CASE("istio: failover without outlier detection does nothing") {
  CHECK(priorities(assigned(five_localities(), with_setting({.failover = {{"r1", "r3"}}}, false))) ==
        Figures{0, 0, 0, 0, 0});
}

TEST_CASE("istio: distribute rounds every group up") {
  const auto by_region = with_setting({.distribute = {{"r1/*", {{"r1/*", 70}, {"r2/*", 20}, {"r3/*", 10}}}}}, false);
  CHECK(weights(assigned(five_localities(), by_region)) == Figures{28, 14, 28, 20, 10});
  const auto by_zone = with_setting({.distribute = {{"r1/*", {{"r1/z1/*", 80}, {"r1/z2/*", 20}}}}}, false);
  const LoadAssignment assignment = assigned(five_localities(), by_zone);
  CHECK(weights(assignment) == Figures{54, 27, 20, 0, 0});
  CHECK(assignment.localities[3].placement.by == PlacedBy::no_key);
}

TEST_CASE("istio: keys of distribute that match nothing leave no endpoint at all") {
  const auto policy = with_setting({.distribute = {{"r1/*", {{"r9/*", 100}}}}}, false);
  CHECK(weights(assigned(five_localities(), policy)) == Figures{0, 0, 0, 0, 0});
}

TEST_CASE("istio: a traffic distribution prefers the zone without outlier detection") {
  Service service = five_localities();
  service.distribution = TrafficDistribution::same_zone;
  CHECK(priorities(assigned(service, std::nullopt)) == Figures{0, 0, 1, 2, 2});
  CHECK(priorities(assigned(service, with_setting({.enabled = true}, false))) == Figures{0, 0, 0, 0, 0});
}

TEST_CASE("istio: without a rule every endpoint has the first priority") {
  CHECK(priorities(assigned(five_localities(), std::nullopt)) == Figures{0, 0, 0, 0, 0});
}

TEST_CASE("istio: unready endpoints vanish where a panic threshold is asked for, and in 1.30") {
  const Service service = five_localities();
  TrafficPolicy policy;
  policy.outlierDetection.emplace().minHealthPercent = 10;
  CHECK(sends_unhealthy(service, nullptr, Switches{}));
  CHECK_FALSE(sends_unhealthy(service, &policy, Switches{}));
  CHECK_FALSE(sends_unhealthy(service, nullptr, Switches::release_1_30()));
}

TEST_CASE("istio: patterns of localities") {
  const config::Locality place{"r1", "z1", "a"};
  for (const char* const pattern : {"r1", "r1/*", "r1/*/*", "r1/z1", "r1/z1/*", "r1/z1/a", "*"}) {
    CHECK(locality_matches(place, pattern));
  }
  for (const char* const pattern : {"r", "r1/z", "r1/z1/b", "r2/*", ""}) {
    CHECK_FALSE(locality_matches(place, pattern));
  }
}

TEST_CASE("istio: of equal addresses Envoy keeps the first") {
  LoadAssignment assignment;
  for (const char* const zone : {"z1", "z2"}) {
    AssignedLocality& group = assignment.localities.emplace_back();
    group.locality.zone = zone;
    group.endpoints = {{.address = "203.0.113.1", .port = 15443}};
  }
  const auto made = to_envoy(assignment, "outbound|80||web");
  CHECK(made.endpoints[0].lb_endpoints.size() == 1);
  CHECK(made.endpoints[1].lb_endpoints.empty());
}

// ../shared/tickets/13-istio-60829: since 1.31 the network is preferred, and other networks fail over by region and
// zone among themselves; before, all of them had the last priority.
TEST_CASE("The network comes first in the failover order, and is all that counts of others before 1.31", "[istio]") {
  Service service = five_localities();
  service.distribution = TrafficDistribution::same_zone;
  service.endpoints.clear();
  int number = 0;
  for (const char* const network : {"near", "far"}) {
    for (const char* const locality : {"r1/z1", "r1/z2", "r2/z3"}) {
      service.endpoints.push_back({.address = "10.1.1." + std::to_string(++number),
                                   .port = 8080,
                                   .port_name = "http",
                                   .labels = augmented({}, default_cluster, locality, "", network),
                                   .locality = locality,
                                   .health = EndpointHealth::healthy});
    }
  }
  const auto priorities_of = [&](bool network_preferred) {
    Documents documents;
    documents.switches.network_preferred = network_preferred;
    const Proxy proxy = known({.locality = {"r1", "z1", ""}, .network = "near"}, documents);
    std::vector<std::uint32_t> found(6);
    const LoadAssignment assignment =
        assign({.documents = &documents, .proxy = &proxy, .service = &service, .port = 80});
    for (const AssignedLocality& group : assignment.localities) {
      for (const AssignedEndpoint& endpoint : group.endpoints) {
        found[static_cast<std::size_t>(endpoint.address.at(7) - '1')] = group.priority;
      }
    }
    return found;
  };
  CHECK(priorities_of(true) == Figures{0, 1, 2, 3, 4, 5});
  CHECK(priorities_of(false) == Figures{0, 1, 2, 3, 3, 3});
}

}  // namespace spillway::istio
