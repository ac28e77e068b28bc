#include "models/kuma/cla_cache.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/document_egress.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using test::failover;

namespace {

const std::vector<kuma::Endpoint> zones = test::one_endpoint_in({"zone-1", "zone-2", "zone-3"});

kuma::AssignInput input(const kuma::Client& client, std::optional<kuma::Conf> conf) {
  return {.endpoints = zones, .client = &client, .conf = std::move(conf)};
}

}  // namespace

TEST_CASE("clients share an assignment unless zone, affinity or rules tell them apart") {
  kuma::ClaCache cache;
  const auto conf = test::local_zone({test::tag("node")});
  const auto first = test::client("zone-1", {{"node", "1"}, {"version", "v1"}});
  const auto same_node = test::client("zone-1", {{"node", "1"}, {"version", "v2"}});
  const auto other_node = test::client("zone-1", {{"node", "2"}});
  CHECK(cache.get(1, input(first, conf)) == cache.get(1, input(same_node, conf)));
  CHECK(cache.get(1, input(first, conf)) != cache.get(1, input(other_node, conf)));
  CHECK(cache.get(1, input(first, conf)) != cache.get(2, input(first, conf)));
  CHECK(cache.hits() == 3);
  CHECK(cache.misses() == 3);
}

TEST_CASE("what a client and its destination are tells assignments apart") {
  const auto sidecar = test::client("zone-1");
  auto egress = sidecar;
  egress.role = kuma::ProxyRole::zone_egress;
  const auto key = [](const kuma::AssignInput& of) { return kuma::cla_key(1, of); };
  kuma::AssignInput plain = input(sidecar, test::local_zone());
  CHECK(key(plain) == key(input(sidecar, test::local_zone())));
  CHECK(key(plain) != key(input(egress, test::local_zone())));
  kuma::AssignInput other = plain;
  other.destination = kuma::DestinationModel::mesh_service;
  CHECK(key(plain) != key(other));
  other = plain;
  other.zone_egress_enabled = true;
  CHECK(key(plain) != key(other));
  other = plain;
  other.profile = KumaProfile::head;
  CHECK(key(plain) != key(other));
}

TEST_CASE("Envoy's assignment has the name of its cluster") {
  const auto assignment = kuma::group(zones);
  CHECK(kuma::to_envoy(assignment, zones, "backend").cluster_name == "backend");
}

TEST_CASE("what a policy sets on the cluster alone makes no other assignment") {
  const auto client = test::client("zone-1");
  CHECK(kuma::cla_key(1, input(client, std::nullopt)) == kuma::cla_key(1, input(client, test::balancer("Random"))));
}

TEST_CASE("in Kuma's shared object a client without a policy sees what another has dropped") {
  const auto strict = test::client("zone-1");
  const auto free = test::client("zone-1");
  kuma::LoadAssignment shared = kuma::group(zones);
  kuma::assign_in_place(shared, input(strict, test::local_zone()));
  kuma::assign_in_place(shared, input(free, test::cross_zone({failover("Any")})));
  kuma::assign_in_place(shared, input(free, std::nullopt));
  CHECK(kuma::host_order(shared) == std::vector<std::size_t>{0});
  CHECK(shared.overprovisioning_factor == 200);
  CHECK(kuma::assign(input(free, std::nullopt)).localities.size() == 3);
}

TEST_CASE("hash policies come from the most specific conf, and in 2.14 from inside the balancer") {
  kuma::Conf service = test::balancer("RingHash");
  service.loadBalancer->ringHash.emplace().hashPolicies.emplace().push_back(
      {.type = "Header", .header = kuma::Header{"X-User"}});
  REQUIRE(kuma::hash_policies(service, KumaProfile::release_2_14));
  CHECK_FALSE(kuma::hash_policies(service, KumaProfile::head));
  const auto policies = *kuma::hash_policies(service, KumaProfile::release_2_14);
  CHECK(kuma::makes_hash(policies, {.headers = {{"x-user", "alice"}}}));
  CHECK_FALSE(kuma::makes_hash(policies, {.headers = {{"x-other", "alice"}}}));
  kuma::Conf route;
  route.hashPolicies.emplace();
  const std::vector<std::optional<kuma::Conf>> confs = {route, service};
  CHECK(kuma::hash_policies(confs, KumaProfile::release_2_14)->empty());
}

TEST_CASE("settings of the cluster leave out what an egress does not take") {
  auto conf = test::local_zone({test::tag("node")});
  conf.loadBalancer = test::balancer("Random").loadBalancer;
  using kuma::DestinationModel;
  const kuma::Client sidecar{.role = kuma::ProxyRole::sidecar};
  const kuma::Client egress{.role = kuma::ProxyRole::zone_egress};
  const kuma::Client zone_proxy{.role = kuma::ProxyRole::zone_proxy_egress};
  CHECK(kuma::cluster_settings(conf, sidecar, DestinationModel::tag).locality_weighted);
  CHECK(kuma::cluster_settings(conf, egress, DestinationModel::tag) == kuma::ClusterSettings{});
  const auto external = kuma::cluster_settings(conf, zone_proxy, DestinationModel::mesh_external_service);
  CHECK(external.lb_policy == kuma::LbPolicy::random);
  CHECK_FALSE(external.locality_weighted);
}

TEST_CASE("the document's egress gives each client an aggregate over its zones in order") {
  const auto client = test::client("zone-1");
  const auto of_client = input(client, test::cross_zone({failover("Only", {"zone-3"}), failover("Any")}));
  const auto members = kuma::aggregate_members(of_client, "backend", "default");
  REQUIRE(members.size() == 3);
  CHECK(members[0].cluster == "backend_in_zone");
  CHECK(members[1] ==
        kuma::AggregateMember{"backend_zone-3", "zone-3", "backend{mesh=default,kuma.io/zone=zone-3}", {2}});
  CHECK(members[2].zone == "zone-2");
}

TEST_CASE("the designs for the egress differ in clusters, and by metadata zones have no order") {
  using kuma::EgressDesign;
  const auto first = test::client("zone-1");
  const auto second = test::client("zone-2");
  const std::vector<kuma::AssignInput> clients = {input(first, test::cross_zone({failover("Only", {"zone-3"})})),
                                                  input(second, test::cross_zone({failover("Any")}))};
  CHECK(kuma::cluster_counts(EgressDesign::metadata, clients) == kuma::ClusterCounts{1, 1});
  CHECK(kuma::cluster_counts(EgressDesign::hashed_sni, clients) == kuma::ClusterCounts{2, 1});
  CHECK(kuma::cluster_counts(EgressDesign::aggregate, clients) == kuma::ClusterCounts{1, 4});
  const auto shares = [&](EgressDesign design, const std::optional<kuma::Conf>& whole_mesh = {}) {
    return kuma::leaving_shares(design, clients[1], whole_mesh);
  };
  CHECK(shares(EgressDesign::metadata) == std::vector<double>{0.5, 0.0, 0.5});
  CHECK(shares(EgressDesign::hashed_sni) == std::vector<double>{0.5, 0.0, 0.5});
  CHECK(shares(EgressDesign::mesh_scope) == std::vector<double>{0.5, 0.0, 0.5});
  CHECK(shares(EgressDesign::mesh_scope, test::cross_zone({failover("Only", {"zone-3"})})) ==
        std::vector<double>{0.0, 0.0, 1.0});
  CHECK(shares(EgressDesign::aggregate) == std::vector<double>{1.0, 0.0, 0.0});
}
