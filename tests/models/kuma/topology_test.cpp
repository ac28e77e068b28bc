#include "models/kuma/topology.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kuma/splits.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using kuma::DestinationModel;

namespace {

kuma::ZoneIngress ingress(const std::string& zone, const std::string& address, std::uint32_t instances) {
  kuma::ZoneIngress result{.zone = zone, .advertisedAddress = address, .advertisedPort = 10001};
  if (instances > 0) {
    result.availableServices.push_back(
        {.tags = {{"kuma.io/service", "backend"}, {"kuma.io/zone", zone}}, .instances = instances});
  }
  return result;
}

kuma::Dataplane dataplane(const std::string& address) {
  return {.address = address,
          .inbounds = {{.port = 80, .tags = {{"kuma.io/service", "backend"}, {"kuma.io/zone", "zone-1"}}}}};
}

const kuma::DestinationId backend_id{.model = DestinationModel::tag, .name = "backend"};

}  // namespace

TEST_CASE("a remote zone weighs its instances, a local instance the number of remote ingress addresses") {
  kuma::MeshResources resources{.mesh = {.mtls = true}, .dataplanes = {dataplane("10.1.0.1")}};
  resources.zone_ingresses = {ingress("zone-2", "10.2.0.1", 3), ingress("zone-3", "10.3.0.1", 5),
                              ingress("zone-3", "10.3.0.1", 5), ingress("zone-4", "10.4.0.1", 0),
                              ingress("zone-1", "10.1.0.9", 7)};
  const auto endpoints = kuma::endpoint_map(resources, "zone-1", KumaProfile::release_2_14).at(backend_id);
  REQUIRE(endpoints.size() == 3);
  CHECK(endpoints[0].weight == 3);
  CHECK(endpoints[1].weight == 5);
  CHECK(endpoints[2].address == "10.1.0.1");
  CHECK(endpoints[2].weight == 2);
}

TEST_CASE("without mTLS there is no other zone") {
  kuma::MeshResources resources{.dataplanes = {dataplane("10.1.0.1")}, .zone_ingresses = {ingress("zone-2", "i", 3)}};
  const auto endpoints = kuma::endpoint_map(resources, "zone-1", KumaProfile::release_2_14).at(backend_id);
  REQUIRE(endpoints.size() == 1);
  CHECK(endpoints[0].weight == 1);
}

TEST_CASE("through the egress every remote entry is each of its instances with weight 1") {
  kuma::MeshResources resources{.mesh = {.mtls = true, .zoneEgress = true},
                                .zone_ingresses = {ingress("zone-2", "i", 3)},
                                .zone_egresses = {{"10.1.0.8", 10002}, {"10.1.0.9", 10002}}};
  const auto endpoints = kuma::endpoint_map(resources, "zone-1", KumaProfile::release_2_14).at(backend_id);
  REQUIRE(endpoints.size() == 2);
  CHECK(endpoints[1].address == "10.1.0.9");
  CHECK(endpoints[1].weight == 1);
  const auto at_egress = kuma::egress_endpoint_map(resources, "zone-1", KumaProfile::release_2_14).at(backend_id);
  REQUIRE(at_egress.size() == 1);
  CHECK(at_egress[0].weight == 3);
}

TEST_CASE("a remote member of a multi-zone service is one endpoint of weight 1, and none while unavailable") {
  kuma::MeshService local{.name = "backend", .ports = {{.port = 80}}};
  kuma::MeshService remote{.name = "backend", .zone = "zone-2", .ports = {{.port = 80}}};
  kuma::MeshResources resources{
      .mesh = {.mtls = true},
      .dataplanes = {dataplane("10.1.0.1")},
      .zone_ingresses = {ingress("zone-2", "10.2.0.1", 6)},
      .mesh_services = {local, remote},
      .mesh_multi_zone_services = {{.name = "backend", .ports = {{.port = 80}}, .members = {0, 1}}}};
  const kuma::DestinationId id{.model = DestinationModel::mesh_multi_zone_service, .name = "backend", .port = 80};
  const auto endpoints = kuma::endpoint_map(resources, "zone-1", KumaProfile::release_2_14).at(id);
  REQUIRE(endpoints.size() == 2);
  CHECK(endpoints[1].weight == 1);
  CHECK(endpoints[1].locality == kuma::EndpointLocality{.zone = "zone-2", .priority = 1});
  resources.mesh_services[1].available = false;
  CHECK(kuma::endpoint_map(resources, "zone-1", KumaProfile::release_2_14).at(id).size() == 1);
}

TEST_CASE("in head a zone is reachable by its MeshZoneAddress alone") {
  kuma::MeshResources resources{.zone_ingresses = {ingress("zone-2", "10.2.0.1", 6)},
                                .mesh_services = {{.name = "backend", .zone = "zone-2", .ports = {{.port = 80}}}}};
  CHECK(kuma::endpoint_map(resources, "zone-1", KumaProfile::head).empty());
  resources.mesh_zone_addresses = {{"zone-2", "10.2.0.7", 10001}};
  CHECK(kuma::endpoint_map(resources, "zone-1", KumaProfile::head).size() == 1);
}

TEST_CASE("inbounds that are not ready enter no list and are not advertised") {
  auto starting = dataplane("10.1.0.1");
  starting.inbounds[0].ready = false;
  const std::vector<kuma::Dataplane> dataplanes = {dataplane("10.1.0.2"), starting};
  CHECK(kuma::available_services(dataplanes)[0].instances == 1);
}

TEST_CASE("the parts of a route share by weight and keep their shares when empty") {
  const std::vector<kuma::BackendRef> references = {
      {.targetRef = {.kind = "MeshServiceSubset", .name = "backend", .tags = kuma::Tags{{"kuma.io/zone", "zone-1"}}},
       .weight = 3},
      {.targetRef = {.kind = "MeshService", .name = "backend"}},
      {.targetRef = {.kind = "MeshService", .name = "unused"}, .weight = 0}};
  const auto parts = kuma::splits(references, {}, KumaProfile::release_2_14);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].share == Approx(0.75));
  CHECK(parts[1].model == DestinationModel::tag);
  const auto in_two_zones = test::one_endpoint_in({"zone-1", "zone-2"});
  CHECK(kuma::of_subset(in_two_zones, parts[0].tags).size() == 1);
  CHECK(kuma::of_subset(in_two_zones, parts[1].tags).size() == 2);
}

TEST_CASE("a MeshService of a route is real with a port, and always in head") {
  const kuma::BackendRef service{.targetRef = {.kind = "MeshService", .name = "backend"}};
  CHECK(kuma::splits({}, service, KumaProfile::release_2_14)[0].model == DestinationModel::tag);
  CHECK(kuma::splits({}, service, KumaProfile::head)[0].model == DestinationModel::mesh_service);
  const kuma::BackendRef port{.targetRef = service.targetRef, .port = 80};
  CHECK(kuma::splits({}, port, KumaProfile::release_2_14)[0].model == DestinationModel::mesh_service);
}
