// The table of docs/behaviour/kuma.md 4 and the facts below it, row by row.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kuma/splits.hpp"
#include "models/kuma/topology.hpp"

using namespace spillway;
using config::KumaProfile;
using kuma::DestinationModel;
using kuma::Tags;

namespace {

using Locality = kuma::EndpointLocality;

kuma::DestinationId service_id(const std::string& name, std::uint32_t port, const std::string& zone = "") {
  return {.model = DestinationModel::mesh_service, .name = name, .zone = zone, .port = port};
}

kuma::DestinationId tag_id(const std::string& name) {
  return {.model = DestinationModel::tag, .name = name};
}

kuma::DestinationId external_id(const std::string& name, const std::string& zone) {
  return {.model = DestinationModel::mesh_external_service, .name = name, .zone = zone, .port = 443};
}

std::vector<std::string> addresses(const kuma::EndpointMap& map, const kuma::DestinationId& id) {
  std::vector<std::string> result;
  if (const auto found = map.find(id); found != map.end()) {
    for (const kuma::Endpoint& endpoint : found->second) {
      result.push_back(kuma::to_text(endpoint));
    }
  }
  return result;
}

kuma::EndpointMap released(const kuma::MeshResources& resources) {
  return kuma::endpoint_map(resources, "zone-1", KumaProfile::release_2_14);
}

kuma::EndpointMap of_head(const kuma::MeshResources& resources) {
  return kuma::endpoint_map(resources, "zone-1", KumaProfile::head);
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("in head an endpoint has its dataplane's labels and the inbound's protocol") {
  kuma::MeshResources resources{
      .dataplanes = {{.address = "10.1.0.1",
                      .labels = {{"app", "b"}, {"kuma.io/zone", "zone-1"}},
                      .inbounds = {{.port = 80, .tags = {{"ignored", "1"}}}, {.port = 81, .protocol = "http"}}}},
      .mesh_services = {{.name = "b", .ports = {{.port = 80}, {.port = 81}}}}};
  const auto map = of_head(resources);
  const auto& plain = map.at(service_id("b", 80)).at(0);
  CHECK(plain.tags == Tags{{"app", "b"}, {"kuma.io/zone", "zone-1"}});
  CHECK(plain.labels.empty());
  CHECK(plain.locality == Locality{.zone = "zone-1"});
  CHECK(map.at(service_id("b", 81)).at(0).tags ==
        Tags{{"app", "b"}, {"kuma.io/protocol", "http"}, {"kuma.io/zone", "zone-1"}});
  const auto release = released(resources);
  CHECK(release.at(service_id("b", 80)).at(0).tags == Tags{{"ignored", "1"}});
  CHECK(release.at(service_id("b", 80)).at(0).labels == resources.dataplanes[0].labels);
  CHECK(release.at(service_id("b", 80)).at(0).locality == Locality{.zone = "zone-1"});  // by the label
}

TEST_CASE("an inbound is in a service's list if it is ready, of the mesh, selected, and behind the port") {
  const kuma::Dataplane good{
      .name = "d", .address = "10.1.0.1", .labels = {{"app", "b"}}, .inbounds = {{.port = 8080, .tags = {{"t", "1"}}}}};
  kuma::Dataplane named = good;
  named.inbounds[0].name = "web";
  named.inbounds[0].port = 9;
  kuma::Dataplane starting = good;
  starting.inbounds[0].ready = false;
  kuma::Dataplane elsewhere = good;
  elsewhere.mesh = "other";
  kuma::Dataplane other_labels = good;
  other_labels.labels = {{"app", "c"}};
  kuma::Dataplane own_address = good;
  own_address.inbounds[0].address = "10.9.9.9";
  const std::vector<kuma::MeshService> services = {
      {.name = "labels", .dataplaneLabels = Tags{{"app", "b"}}, .ports = {{.port = 80, .target_port = 8080}}},
      {.name = "tags", .dataplaneTags = {{"t", "1"}}, .ports = {{.port = 8080}}},
      {.name = "ref", .dataplaneRef = "d", .ports = {{.port = 8080}}},
      {.name = "by-name", .ports = {{.port = 80, .target_port_name = "web"}}},
      {.name = "far", .zone = "zone-2", .ports = {{.port = 8080}}},
      {.name = "here", .zone = "zone-1", .ports = {{.port = 8080}}}};
  const auto map = [&services](const kuma::Dataplane& dataplane) {
    return released({.dataplanes = {dataplane}, .mesh_services = services});
  };
  CHECK(addresses(map(good), service_id("labels", 80)) == Texts{"10.1.0.1:8080"});
  CHECK(addresses(map(good), service_id("tags", 8080)) == Texts{"10.1.0.1:8080"});
  CHECK(addresses(map(good), service_id("ref", 8080)) == Texts{"10.1.0.1:8080"});
  CHECK(addresses(map(good), service_id("by-name", 80)).empty());
  CHECK(addresses(map(named), service_id("by-name", 80)) == Texts{"10.1.0.1:9"});
  CHECK(addresses(map(named), service_id("tags", 8080)).empty());
  CHECK(addresses(map(good), service_id("far", 8080)).empty());
  CHECK(addresses(map(good), service_id("far", 8080, "zone-2")).empty());
  CHECK(addresses(map(good), service_id("here", 8080)) == Texts{"10.1.0.1:8080"});
  CHECK(addresses(map(own_address), service_id("tags", 8080)) == Texts{"10.9.9.9:8080"});
  CHECK(map(starting).empty());
  CHECK(map(elsewhere).empty());
  CHECK(addresses(map(other_labels), service_id("labels", 80)).empty());
  CHECK(map(good).at(service_id("tags", 8080))[0].weight == 1);
}

TEST_CASE("remote ingresses count by their address, with an address, a port, a zone and something to advertise") {
  const kuma::AvailableService backend{.tags = {{"kuma.io/service", "b"}, {"kuma.io/zone", "zone-2"}}, .instances = 3};
  const kuma::ZoneIngress good{
      .zone = "zone-2", .advertisedAddress = "i", .advertisedPort = 1, .availableServices = {backend}};
  const kuma::Dataplane local{.address = "l", .inbounds = {{.port = 80, .tags = {{"kuma.io/service", "b"}}}}};
  const auto listed = [&](std::vector<kuma::ZoneIngress> ingresses) {
    return addresses(released({.mesh = {.mtls = true}, .dataplanes = {local}, .zone_ingresses = std::move(ingresses)}),
                     tag_id("b"));
  };
  kuma::ZoneIngress other = good;
  CHECK(listed({good}) == Texts{"i:1", "l:80"});
  other.advertisedAddress.clear();
  CHECK(listed({other}) == Texts{"l:80"});
  other = good;
  other.advertisedPort = 0;
  CHECK(listed({other}) == Texts{"l:80"});
  other = good;
  other.zone.clear();
  CHECK(listed({other}) == Texts{"l:80"});
  other.zone = "zone-1";
  CHECK(listed({other}) == Texts{"l:80"});
  other = good;
  other.availableServices[0].mesh = "other";
  CHECK(listed({other}) == Texts{"l:80"});
  // One that does not advertise yet does not stand for the one behind the same address; a port makes another address.
  other = good;
  other.availableServices.clear();
  CHECK(listed({other, good, good}) == Texts{"i:1", "l:80"});
  other = good;
  other.advertisedPort = 2;
  CHECK(listed({good, other, good}) == Texts{"i:1", "i:2", "l:80"});
}

TEST_CASE("a local instance weighs the remote ingresses of all meshes, and 1 without any") {
  const kuma::Dataplane local{.address = "l", .inbounds = {{.port = 80, .tags = {{"kuma.io/service", "b"}}}}};
  kuma::MeshResources resources{.mesh = {.mtls = true}, .dataplanes = {local}};
  CHECK(released(resources).at(tag_id("b"))[0].weight == 1);
  for (const std::string address : {"i", "j"}) {
    resources.zone_ingresses.push_back({.zone = "zone-2",
                                        .advertisedAddress = address,
                                        .advertisedPort = 1,
                                        .availableServices = {{.instances = 1, .mesh = "other"}}});
  }
  CHECK(released(resources).at(tag_id("b"))[0].weight == 2);
  resources.dataplanes[0].mesh = "other";
  CHECK(released(resources).empty());
  resources.dataplanes = {local};
  resources.dataplanes[0].inbounds[0].ready = false;
  CHECK(released(resources).empty());
}

TEST_CASE("the mesh's old flag puts other zones behind, for values of kuma.io/service in 2.14") {
  kuma::MeshResources resources{.mesh = {.mtls = true, .localityAwareLoadBalancing = true}};
  for (const std::string zone : {"zone-1", "zone-2", ""}) {
    Tags tags = {{"kuma.io/service", "b"}};
    if (!zone.empty()) {
      tags["kuma.io/zone"] = zone;
    }
    resources.external_services.push_back({.name = zone, .address = "a" + zone, .port = 1, .tags = tags});
  }
  const auto list = released(resources).at(tag_id("b"));
  REQUIRE(list.size() == 3);
  CHECK(list[0].locality == Locality{.zone = "zone-1"});
  CHECK(list[1].locality == Locality{.zone = "zone-2", .priority = 1});
  CHECK_FALSE(list[2].locality);
  CHECK(list[0].external);
  CHECK(list[0].weight == 1);
  resources.mesh.localityAwareLoadBalancing = false;
  CHECK(released(resources).at(tag_id("b"))[1].locality == Locality{.zone = "zone-2"});
  CHECK(of_head(resources).empty());
}

TEST_CASE("external services are behind each egress where the mesh has one") {
  kuma::MeshResources resources{.mesh = {.zoneEgress = true},
                                .zone_egresses = {{"e1", 7}, {"e2", 7}},
                                .external_services = {{.address = "x", .port = 1, .tags = {{"kuma.io/service", "s"}}}}};
  resources.mesh_external_services = {{.name = "m", .labels = {{"kuma.io/zone", "zone-2"}}, .port = 443}};
  const auto map = released(resources);
  CHECK(addresses(map, tag_id("s")) == Texts{"e1:7", "e2:7"});
  CHECK(map.at(tag_id("s"))[1].external);
  CHECK(map.at(tag_id("s"))[1].weight == 1);
  CHECK(addresses(map, external_id("m", "zone-2")) == Texts{"e1:7", "e2:7"});
  CHECK(map.at(external_id("m", "zone-2"))[0].external);
  CHECK(map.at(external_id("m", "zone-2"))[0].weight == 1);
  CHECK(map.at(external_id("m", "zone-2"))[0].locality == Locality{.zone = "zone-2"});
  const auto head = of_head(resources);
  CHECK(head.size() == 1);
  CHECK_FALSE(head.at(external_id("m", "zone-2"))[0].locality);
}

TEST_CASE("through an egress a remote entry tells whether it leads out of the mesh, and needs mTLS") {
  const std::vector<kuma::AvailableService> services = {
      {.tags = {{"kuma.io/service", "in"}}, .instances = 4},
      {.tags = {{"kuma.io/service", "out"}}, .externalService = true}};
  kuma::MeshResources resources{.mesh = {.mtls = true, .zoneEgress = true},
                                .zone_ingresses = {{.zone = "zone-2",
                                                    .advertisedAddress = "i",
                                                    .advertisedPort = 1,
                                                    .availableServices = services}},
                                .zone_egresses = {{"e", 7}}};
  const auto map = released(resources);
  CHECK_FALSE(map.at(tag_id("in"))[0].external);
  CHECK(map.at(tag_id("in"))[0].weight == 1);
  CHECK(map.at(tag_id("out"))[0].external);
  resources.mesh.mtls = false;
  CHECK(released(resources).empty());
  CHECK(kuma::egress_endpoint_map(resources, "zone-1", KumaProfile::release_2_14).empty());
}

TEST_CASE("the egress has external services that its zone may reach, with the priorities of their endpoints") {
  const auto limited_to = [](const std::string& zone) {
    return Tags{{"kuma.io/service", "s"}, {"kuma.io/zone", zone}};
  };
  kuma::MeshResources resources;
  resources.external_services = {{.address = "far", .port = 1, .tags = limited_to("zone-2")},
                                 {.address = "near", .port = 1, .tags = limited_to("zone-1")},
                                 {.address = "any", .port = 1, .tags = {{"kuma.io/service", "s"}}}};
  const std::vector<kuma::MeshExternalServiceEndpoint> places = {{"a", 1, 0}, {"b", 2, 3}};
  resources.mesh_external_services = {
      {.name = "far", .labels = {{"kuma.io/zone", "zone-2"}}, .port = 443, .endpoints = places},
      {.name = "near", .labels = {{"kuma.io/zone", "zone-1"}}, .port = 443, .endpoints = places}};
  const auto map = kuma::egress_endpoint_map(resources, "zone-1", KumaProfile::release_2_14);
  CHECK(addresses(map, tag_id("s")) == Texts{"near:1", "any:1"});
  CHECK_FALSE(map.contains(external_id("far", "zone-2")));
  const auto& near = map.at(external_id("near", "zone-1"));
  REQUIRE(near.size() == 2);
  CHECK(near[0].locality == Locality{.sub_zone = "priority-0"});
  CHECK(near[1].locality == Locality{.sub_zone = "priority-3", .priority = 3});
  CHECK(kuma::to_text(near[1]) == "b:2");
  CHECK(near[1].weight == 1);
  CHECK(near[1].external);
  CHECK(near[1].tags == Tags{{"kuma.io/zone", "zone-1"}});
  const auto head = kuma::egress_endpoint_map(resources, "zone-1", KumaProfile::head);
  CHECK(head.size() == 2);
  CHECK(head.contains(external_id("far", "zone-2")));
}

TEST_CASE("a remote MeshService is one endpoint for each address of its zone") {
  const kuma::ZoneIngress ingress{.zone = "zone-2", .advertisedAddress = "i", .advertisedPort = 1};
  kuma::MeshResources resources{.mesh = {.mtls = true}, .zone_ingresses = {ingress, ingress}};
  resources.mesh_services = {{.name = "b", .zone = "zone-2", .ports = {{.port = 80}}},
                             {.name = "c", .zone = "zone-3", .ports = {{.port = 80}}}};
  const auto id = service_id("b", 80, "zone-2");
  const auto map = released(resources);
  CHECK(addresses(map, id) == Texts{"i:1"});
  CHECK(map.at(id)[0].weight == 1);
  CHECK(map.at(id)[0].tags == Tags{{"kuma.io/service", "b"}, {"kuma.io/zone", "zone-2"}});
  CHECK(map.at(id)[0].locality == Locality{.zone = "zone-2", .priority = 1});
  CHECK(map.size() == 1);
  // A zone with a MeshZoneAddress is not looked for among the ingresses; others are.
  resources.zone_ingresses.push_back({.zone = "zone-3", .advertisedAddress = "k", .advertisedPort = 1});
  resources.mesh_zone_addresses = {{"zone-2", "z", 5}, {"zone-2", "z", 5}, {"zone-2", "z", 6}};
  CHECK(addresses(released(resources), id) == Texts{"z:5", "z:6"});
  CHECK(addresses(released(resources), service_id("c", 80, "zone-3")) == Texts{"k:1"});
  resources.mesh.mtls = false;
  CHECK(released(resources).empty());
  CHECK(addresses(of_head(resources), id) == Texts{"z:5", "z:6"});
  CHECK(of_head(resources).size() == 1);
  resources.workload_identity = false;
  CHECK(of_head(resources).empty());
}

TEST_CASE("head tells addresses of zones apart by zone, 2.14 does not") {
  kuma::MeshResources resources{.mesh = {.mtls = true}};
  resources.mesh_zone_addresses = {{"zone-2", "z", 5}, {"zone-3", "z", 5}, {"zone-1", "own", 5}, {"", "nobody", 5}};
  resources.mesh_services = {{.name = "b", .zone = "zone-2", .ports = {{.port = 80}}},
                             {.name = "b", .zone = "zone-3", .ports = {{.port = 80}}},
                             {.name = "b", .zone = "zone-1", .ports = {{.port = 80}}}};
  CHECK(of_head(resources).size() == 2);
  const auto release = released(resources);
  CHECK(release.size() == 1);
  CHECK(release.contains(service_id("b", 80, "zone-2")));
}

TEST_CASE("ports of a multi-zone service are paired by number in 2.14 and by name, then number, in head") {
  const kuma::DestinationId all{.model = DestinationModel::mesh_multi_zone_service, .name = "m", .port = 80};
  const auto paired = [&all](KumaProfile profile, const kuma::ServicePort& member, const kuma::ServicePort& wanted) {
    kuma::MeshResources resources{.dataplanes = {{.address = "l", .inbounds = {{.port = 80}, {.port = 81}}}},
                                  .mesh_services = {{.name = "b", .ports = {member}}},
                                  .mesh_multi_zone_services = {{.name = "m", .ports = {wanted}, .members = {0}}}};
    return addresses(kuma::endpoint_map(resources, "zone-1", profile), all) ==
           Texts{"l:" + std::to_string(member.port)};
  };
  const auto release = KumaProfile::release_2_14;
  const auto head = KumaProfile::head;
  CHECK(paired(release, {.port = 80, .name = "a"}, {.port = 80, .name = "b"}));
  CHECK_FALSE(paired(release, {.port = 81, .name = "a"}, {.port = 80, .name = "a"}));
  CHECK(paired(head, {.port = 81, .name = "a"}, {.port = 80, .name = "a"}));
  CHECK_FALSE(paired(head, {.port = 80, .name = "a"}, {.port = 80, .name = "b"}));
  CHECK(paired(head, {.port = 80, .name = "a"}, {.port = 80}));
  CHECK(paired(head, {.port = 81, .name = "80"}, {.port = 80}));
  CHECK_FALSE(paired(head, {.port = 81}, {.port = 80}));
}

TEST_CASE(
    "a member of a multi-zone service without endpoints adds none, and an unavailable one counts if it is local") {
  const kuma::DestinationId all{.model = DestinationModel::mesh_multi_zone_service, .name = "m", .port = 80};
  kuma::MeshResources resources{
      .dataplanes = {{.address = "l", .inbounds = {{.port = 80}}}},
      .mesh_services = {{.name = "far", .zone = "zone-2", .ports = {{.port = 80}}, .available = false},
                        {.name = "none", .ports = {{.port = 81}}},
                        {.name = "b", .ports = {{.port = 80}}, .available = false}}};
  resources.mesh_zone_addresses = {{"zone-2", "z", 5}};
  resources.mesh_multi_zone_services = {{.name = "m", .ports = {{.port = 80}}, .members = {0, 1, 2}}};
  CHECK(addresses(of_head(resources), all) == Texts{"l:80"});
  resources.mesh_services[0].available = true;
  CHECK(addresses(of_head(resources), all) == Texts{"z:5", "l:80"});
}

TEST_CASE("an ingress advertises each set of tags with its number of ready inbounds, by mesh") {
  const auto inbound = [](const std::string& version, bool ready = true) {
    return kuma::Inbound{.tags = {{"kuma.io/service", "b"}, {"kuma.io/zone", "zone-1"}, {"version", version}},
                         .ready = ready};
  };
  const std::vector<kuma::Dataplane> dataplanes = {{.inbounds = {inbound("1", false), inbound("1"), inbound("2")}},
                                                   {.inbounds = {inbound("1")}},
                                                   {.mesh = "other", .inbounds = {inbound("1")}}};
  const auto all = kuma::available_services(dataplanes);
  REQUIRE(all.size() == 3);
  CHECK(all[0] == kuma::AvailableService{.tags = inbound("1").tags, .instances = 2});
  CHECK(all[1] == kuma::AvailableService{.tags = inbound("2").tags, .instances = 1});
  CHECK(all[2].mesh == "other");
  const std::vector<std::string> filters = {"kuma.io/serv", "x"};
  const auto filtered = kuma::available_services(dataplanes, filters);
  REQUIRE(filtered.size() == 2);
  CHECK(filtered[0] == kuma::AvailableService{.tags = {{"kuma.io/service", "b"}}, .instances = 3});
}

TEST_CASE("what a reference of a route leads to, by its kind, port and section") {
  const auto part = [](const kuma::BackendRef& reference, KumaProfile profile = KumaProfile::release_2_14) {
    return kuma::splits({}, reference, profile).at(0);
  };
  const kuma::BackendRef multi{.targetRef = {.kind = "MeshMultiZoneService", .name = "m"}, .port = 80};
  CHECK(part(multi).model == DestinationModel::mesh_multi_zone_service);
  CHECK(part(multi).port == 80U);
  CHECK(part(multi).share == 1.0);
  CHECK(part({.targetRef = {.kind = "MeshExternalService", .name = "e"}}).model ==
        DestinationModel::mesh_external_service);
  const kuma::BackendRef section{
      .targetRef = {.kind = "MeshService", .labels = Tags{{"a", "b"}}, .sectionName = "http"}};
  CHECK(part(section).model == DestinationModel::mesh_service);
  CHECK(part(section).sectionName == "http");
  CHECK(part(section).labels == Tags{{"a", "b"}});
  const kuma::BackendRef subset{.targetRef = {.kind = "MeshServiceSubset", .name = "b", .tags = Tags{{"v", "1"}}},
                                .port = 80};
  CHECK(part(subset).model == DestinationModel::tag);
  CHECK(part(subset, KumaProfile::head).model == DestinationModel::tag);
  CHECK(part(subset).tags == Tags{{"v", "1"}});
  const std::vector<kuma::BackendRef> nothing = {{.targetRef = {.kind = "MeshService", .name = "b"}, .weight = 0}};
  CHECK(kuma::splits(nothing, multi, KumaProfile::release_2_14).empty());
}
