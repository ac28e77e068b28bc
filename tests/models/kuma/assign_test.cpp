#include "models/kuma/assign.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/kuma/cluster_settings.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::failover;
using test::tag;

namespace {

kuma::LoadAssignment assign(const std::vector<kuma::Endpoint>& endpoints, const kuma::Client& client,
                            std::optional<kuma::Conf> conf, KumaProfile profile = KumaProfile::head) {
  return kuma::assign({.endpoints = endpoints, .client = &client, .conf = std::move(conf), .profile = profile});
}

// Priority by endpoint; those that were dropped are missing.
std::map<std::string, std::uint32_t> priorities(const std::vector<kuma::Endpoint>& endpoints,
                                                const kuma::Client& client, const kuma::Conf& conf,
                                                KumaProfile profile = KumaProfile::head) {
  std::map<std::string, std::uint32_t> result;
  for (const auto& locality : assign(endpoints, client, conf, profile).localities) {
    for (const auto& assigned : locality.endpoints) {
      result[endpoints[assigned.endpoint].address] = locality.priority;
    }
  }
  return result;
}

// Percent of the requests by endpoint, with those named unhealthy.
std::map<std::string, double> shares(const std::vector<kuma::Endpoint>& endpoints, const kuma::Client& client,
                                     const kuma::Conf& conf, const std::vector<std::string>& unhealthy = {}) {
  const auto assignment = assign(endpoints, client, conf);
  auto load_assignment = kuma::to_envoy(assignment, endpoints, "backend");
  std::vector<std::string> names;
  for (auto& group : load_assignment.endpoints) {
    for (auto& host : group.lb_endpoints) {
      names.push_back(host.address);
      if (std::find(unhealthy.begin(), unhealthy.end(), host.address) != unhealthy.end()) {
        host.health_status = config::HealthStatus::unhealthy;
      }
    }
  }
  envoy::Cluster cluster;
  if (kuma::cluster_settings(conf, client, kuma::DestinationModel::mesh_service).locality_weighted) {
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  }
  const auto state = envoy::refresh(cluster, nullptr, envoy::make_priority_set(load_assignment, {}), {});
  std::map<std::string, double> result;
  for (const auto& row : envoy::exact_shares(*state).hosts) {
    result[names[row.host.value]] += 100.0 * row.share;
  }
  return result;
}

using Priorities = std::map<std::string, std::uint32_t>;
const std::vector<kuma::Endpoint> three_zones = test::one_endpoint_in({"zone-1", "zone-2", "zone-3"});

// Use case 2: two nodes in one availability zone, one in another.
const std::vector<kuma::Endpoint> three_nodes = {test::endpoint("n1", "zone-1", {{"node", "1"}, {"az", "1"}}),
                                                 test::endpoint("n2", "zone-1", {{"node", "2"}, {"az", "1"}}),
                                                 test::endpoint("n3", "zone-1", {{"node", "3"}, {"az", "2"}})};

}  // namespace

TEST_CASE("use case 1: an empty localZone keeps everything in the zone, an empty localityAwareness does not") {
  const auto client = test::client("zone-1");
  CHECK(priorities(three_zones, client, test::local_zone()) == Priorities{{"zone-1", 0}});
  kuma::Conf empty;
  empty.localityAwareness.emplace();
  CHECK(priorities(three_zones, client, empty) == Priorities{{"zone-1", 0}, {"zone-2", 1}, {"zone-3", 1}});
  CHECK(priorities(three_zones, client, empty, KumaProfile::document) == Priorities{{"zone-1", 0}});
  CHECK_FALSE(assign(three_zones, client, empty).overprovisioning_factor);
  CHECK(assign(three_zones, client, test::local_zone()).overprovisioning_factor == 200);
}

TEST_CASE("use case 2: node before availability zone by weights within priority 0") {
  const auto conf = test::local_zone({tag("node"), tag("az")});
  const auto on_node_2 = shares(three_nodes, test::client("zone-1", {{"node", "2"}, {"az", "1"}}), conf);
  CHECK(on_node_2.at("n2") == Approx(90.0));
  CHECK(on_node_2.at("n1") == Approx(9.0));
  CHECK(on_node_2.at("n3") == Approx(1.0));
  const auto on_node_3 = shares(three_nodes, test::client("zone-1", {{"node", "3"}, {"az", "2"}}), conf);
  CHECK(on_node_3.at("n3") == Approx(98.901).epsilon(1e-5));
  CHECK(on_node_3.at("n1") == Approx(0.5495).epsilon(1e-4));
}

TEST_CASE("use case 2: with node and availability zone marked unhealthy the priority panics") {
  const auto conf = test::local_zone({tag("node"), tag("az")});
  const auto client = test::client("zone-1", {{"node", "2"}, {"az", "1"}});
  const auto down = shares(three_nodes, client, conf, {"n1", "n2"});
  CHECK(down.at("n1") == Approx(100.0 / 3));
  CHECK(down.at("n2") == Approx(100.0 / 3));
  CHECK(down.at("n3") == Approx(100.0 / 3));
}

TEST_CASE("use cases 3 to 5: priorities are those that the pictures draw") {
  const auto any = test::cross_zone({failover("Any")});
  CHECK(priorities(three_zones, test::client("zone-1"), any) ==
        Priorities{{"zone-1", 0}, {"zone-2", 1}, {"zone-3", 1}});
  const auto list = test::cross_zone({failover("Only", {"zone-1", "zone-3"})});
  CHECK(priorities(three_zones, test::client("zone-2"), list) ==
        Priorities{{"zone-2", 0}, {"zone-1", 1}, {"zone-3", 1}});
  CHECK(priorities(three_zones, test::client("zone-3"), list) == Priorities{{"zone-3", 0}, {"zone-1", 1}});
  const auto ordered = test::cross_zone({failover("Only", {"zone-1"}), failover("Only", {"zone-3"})});
  CHECK(priorities(three_zones, test::client("zone-1"), ordered) == Priorities{{"zone-1", 0}, {"zone-3", 2}});
}

TEST_CASE("use case 6: the excluded zone still has failover in the code, not in the prose") {
  const auto conf = test::cross_zone({failover("AnyExcept", {"zone-3"})});
  const auto client = test::client("zone-3");
  CHECK(priorities(three_zones, client, conf) == Priorities{{"zone-3", 0}, {"zone-1", 1}, {"zone-2", 1}});
  CHECK(priorities(three_zones, client, conf, KumaProfile::document) == Priorities{{"zone-3", 0}});
}

TEST_CASE("use case 8: the second group is emitted at its place in the list and drawn at priority 1") {
  const auto endpoints = test::one_endpoint_in({"eu-1", "eu-2", "eu-3", "us-1"});
  const auto conf = test::cross_zone({failover("Only", {"us-1", "us-2"}, {"us-1", "us-2"}),
                                      failover("Only", {"eu-1", "eu-2", "eu-3"}, {"eu-1", "eu-2", "eu-3"})});
  const auto client = test::client("eu-2");
  CHECK(priorities(endpoints, client, conf) == Priorities{{"eu-2", 0}, {"eu-1", 2}, {"eu-3", 2}});
  CHECK(priorities(endpoints, client, conf, KumaProfile::document) ==
        Priorities{{"eu-2", 0}, {"eu-1", 1}, {"eu-3", 1}});
}

TEST_CASE("what leaves the zone with ten local endpoints follows the factor") {
  std::vector<kuma::Endpoint> endpoints = {test::endpoint("remote", "zone-2")};
  for (int index = 0; index < 10; ++index) {
    endpoints.push_back(test::endpoint("local-" + std::to_string(index), "zone-1"));
  }
  const auto leaving = [&endpoints](const kuma::Conf& conf, int healthy) {
    std::vector<std::string> unhealthy;
    for (int index = healthy; index < 10; ++index) {
      unhealthy.push_back("local-" + std::to_string(index));
    }
    return shares(endpoints, test::client("zone-1"), conf, unhealthy)["remote"];
  };
  auto seventy = test::cross_zone({failover("Any")});
  CHECK(leaving(seventy, 5) == Approx(0.0));
  CHECK(leaving(seventy, 4) == Approx(20.0));
  seventy.localityAwareness->crossZone->failoverThreshold.emplace().percentage = 70;
  CHECK(leaving(seventy, 9) == Approx(10.0));
  CHECK(leaving(seventy, 1) == Approx(90.0));
  CHECK(leaving(kuma::Conf{}, 7) == Approx(2.0));
  CHECK(leaving(kuma::Conf{}, 4) == Approx(44.0));
}

TEST_CASE("disabled puts all zones side by side, but not beside localZone") {
  CHECK(priorities(three_zones, test::client("zone-1"), test::disabled(true)) ==
        Priorities{{"zone-1", 0}, {"zone-2", 0}, {"zone-3", 0}});
  auto overruled = test::local_zone();
  overruled.localityAwareness->disabled = true;
  CHECK(priorities(three_zones, test::client("zone-1"), overruled) == Priorities{{"zone-1", 0}});
}

TEST_CASE("a value of kuma.io/service without a policy is spread over all zones; with any policy local comes first") {
  const auto client = test::client("zone-1");
  kuma::AssignInput input{.endpoints = three_zones, .client = &client, .destination = kuma::DestinationModel::tag};
  for (const auto& locality : kuma::assign(input).localities) {
    CHECK(locality.priority == 0);
  }
  input.conf = test::balancer("Random");
  CHECK(kuma::assign(input).localities[1].priority == 1);
}

TEST_CASE("behind a zone egress the sidecar keeps other zones whatever the rules say") {
  const auto client = test::client("zone-1");
  kuma::AssignInput input{.endpoints = three_zones,
                          .client = &client,
                          .destination = kuma::DestinationModel::tag,
                          .conf = test::local_zone(),
                          .zone_egress_enabled = true};
  const auto sidecar = kuma::assign(input);
  REQUIRE(sidecar.localities.size() == 2);
  CHECK(sidecar.localities[0].zone == "egress_47DEQpj8");
  CHECK(sidecar.localities[0].endpoints[0].placement.by == kuma::PlacedBy::egress);
  const kuma::Client egress{.zone = "zone-1", .role = kuma::ProxyRole::zone_egress};
  input.client = &egress;
  CHECK(kuma::assign(input).localities.size() == 1);
}

TEST_CASE("the trail names the rule that placed an endpoint, or that none did") {
  auto conf = test::local_zone({tag("node")});
  conf.localityAwareness->crossZone.emplace().failover = {failover("None"), failover("Only", {"zone-2"})};
  std::vector<kuma::Endpoint> endpoints = three_zones;
  endpoints.push_back(test::endpoint("near", "zone-1", {{"node", "1"}}));
  const auto assignment = assign(endpoints, test::client("zone-1", {{"node", "1"}}), conf);
  REQUIRE(assignment.localities.size() == 3);
  CHECK(assignment.localities[0].endpoints[0].placement == kuma::Placement{kuma::PlacedBy::local_rest});
  CHECK(assignment.localities[1].sub_zone == "node=1");
  CHECK(assignment.localities[1].endpoints[0].placement == kuma::Placement{kuma::PlacedBy::affinity_tag, 0});
  CHECK(assignment.localities[2].endpoints[0].placement == kuma::Placement{kuma::PlacedBy::failover_rule, 1});
  REQUIRE(assignment.dropped.size() == 1);
  CHECK(assignment.dropped[0] == kuma::AssignedEndpoint{2, {kuma::PlacedBy::no_rule}});
}

TEST_CASE("endpoints are listed by address text and then by port number") {
  std::vector<kuma::Endpoint> endpoints = {{.address = "10.0.0.9", .port = 80},
                                           {.address = "10.0.0.10", .port = 9000},
                                           {.address = "10.0.0.10", .port = 80}};
  const auto assignment = kuma::group(endpoints);
  REQUIRE(assignment.localities.size() == 1);
  CHECK_FALSE(assignment.localities[0].has_locality);
  CHECK(kuma::host_order(assignment) == std::vector<std::size_t>{2, 1, 0});
}
