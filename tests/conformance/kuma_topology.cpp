// The endpoint list of every destination before the policy.
//
// Cases describe resources in short: "backend (zone east, Available) port 80 named main", "1.1.1.1:10002".
#include <charconv>
#include <regex>
#include <stdexcept>

#include "models/kuma/topology.hpp"
#include "tests/conformance/kuma_documents.hpp"
#include "tests/conformance/kuma_kinds.hpp"

namespace spillway::conformance {

namespace {

constexpr std::uint32_t default_service_port = 80;
constexpr std::uint32_t default_external_port = 443;

struct Address {
  std::string host;
  std::uint32_t port = 0;
};

Address read_host_and_port(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) {
    throw std::invalid_argument("no port in " + text);
  }
  return {text.substr(0, colon), static_cast<std::uint32_t>(std::stoul(text.substr(colon + 1)))};
}

kuma::ServicePort read_port(const std::smatch& match, std::size_t number, std::size_t name) {
  kuma::ServicePort port{.port = default_service_port};
  if (match[number].matched) {
    port.port = static_cast<std::uint32_t>(std::stoul(match[number].str()));
  }
  if (match[name].matched) {
    port.name = match[name].str();
  }
  return port;
}

kuma::MeshService read_mesh_service(const std::string& text) {
  static const std::regex form(R"((\S+) \((local|zone ([^,)]+))(?:, (\w+))?\)(?: port (\d+)(?: named (\S+))?)?)");
  std::smatch match;
  if (!std::regex_match(text, match, form)) {
    throw std::invalid_argument("cannot read MeshService " + text);
  }
  kuma::MeshService service{.name = match[1].str(), .zone = match[3].str()};
  const std::string state = match[4].str();
  service.available = state.empty() || state == "available" || state == "Available";
  service.ports.push_back(read_port(match, 5, 6));
  return service;
}

// "backend -> both", "backend port 80 -> both", "backend -> backend, backend-k8s-east".
kuma::MeshMultiZoneService read_multi_zone_service(const std::string& text,
                                                   const std::vector<kuma::MeshService>& services) {
  static const std::regex form(R"((\S+)(?: port (\d+)(?: named (\S+))?)? -> (.+))");
  std::smatch match;
  if (!std::regex_match(text, match, form)) {
    throw std::invalid_argument("cannot read MeshMultiZoneService " + text);
  }
  kuma::MeshMultiZoneService service{.name = match[1].str()};
  service.ports.push_back(read_port(match, 2, 3));
  const std::string members = ", " + match[4].str() + ",";
  const bool all = match[4] == "both" || match[4] == "all";
  for (std::size_t position = 0; position < services.size(); ++position) {
    if (all || members.find(", " + services[position].name + ",") != std::string::npos) {
      service.members.push_back(position);
    }
  }
  return service;
}

kuma::AvailableService read_available_service(const json& object) {
  return {.tags = read_tags(object.at("tags")),
          .instances = object.at("instances").get<std::uint32_t>(),
          .mesh = object.value("mesh", std::string("default")),
          .externalService = object.value("external_service", false)};
}

kuma::ZoneIngress read_ingress(const json& object) {
  kuma::ZoneIngress ingress{.zone = object.at("zone").get<std::string>()};
  if (has(object, "advertised")) {
    const Address address = read_host_and_port(object.at("advertised").get<std::string>());
    ingress.advertisedAddress = address.host;
    ingress.advertisedPort = address.port;
  }
  for (const json& service : object.value("available_services", json::array())) {
    ingress.availableServices.push_back(read_available_service(service));
  }
  return ingress;
}

kuma::Dataplane read_dataplane(const json& object) {
  kuma::Dataplane dataplane{.name = object.value("name", std::string()),
                            .mesh = object.value("mesh", std::string("default")),
                            .address = object.at("address").get<std::string>(),
                            .labels = read_tags(object.value("labels", json::object()))};
  for (const json& inbound : object.at("inbounds")) {
    dataplane.inbounds.push_back({.port = inbound.at("port").get<std::uint32_t>(),
                                  .name = inbound.value("name", std::string()),
                                  .protocol = inbound.value("protocol", std::string()),
                                  .tags = read_tags(inbound.value("tags", json::object())),
                                  .ready = inbound.value("ready", inbound.value("healthy", true))});
  }
  return dataplane;
}

// A case of head leaves out the dataplane behind a local service: it is at the address of the other cases.
kuma::Dataplane unnamed_dataplane(const kuma::MeshService& service) {
  kuma::Dataplane dataplane{.address = "192.168.0.1"};
  for (const kuma::ServicePort& port : service.ports) {
    dataplane.inbounds.push_back({.port = port.port, .name = port.name});
  }
  return dataplane;
}

void read_services(const json& input, kuma::MeshResources& resources) {
  for (const json& text : input.value("mesh_services", json::array())) {
    resources.mesh_services.push_back(read_mesh_service(text.get<std::string>()));
    if (!input.contains("dataplanes") && resources.mesh_services.back().zone.empty()) {
      resources.dataplanes.push_back(unnamed_dataplane(resources.mesh_services.back()));
    }
  }
  // A service selects the inbounds that carry its name, where inbounds have tags at all.
  for (kuma::MeshService& service : resources.mesh_services) {
    if (input.contains("dataplanes")) {
      service.dataplaneTags = {{std::string(kuma::service_tag), service.name}};
    }
  }
  for (const json& text : input.value("mesh_multizone_services", json::array())) {
    resources.mesh_multi_zone_services.push_back(
        read_multi_zone_service(text.get<std::string>(), resources.mesh_services));
  }
  for (const json& object : input.value("mesh_external_services", json::array())) {
    kuma::MeshExternalService service{.name = object.at("name").get<std::string>(),
                                      .labels = read_tags(object.value("labels", json::object())),
                                      .port = object.value("port", default_external_port)};
    for (const json& endpoint : object.value("endpoints", json::array())) {
      service.endpoints.push_back({endpoint.at("address").get<std::string>(), endpoint.at("port").get<std::uint32_t>(),
                                   endpoint.value("priority", 0U)});
    }
    resources.mesh_external_services.push_back(std::move(service));
  }
}

kuma::MeshResources read_resources(const json& input) {
  for (const auto& [key, value] : input.items()) {
    static const std::set<std::string> known = {"mesh",
                                                "workload_identity",
                                                "dataplanes",
                                                "zone_ingresses",
                                                "zone_egresses",
                                                "external_services",
                                                "mesh_services",
                                                "mesh_multizone_services",
                                                "mesh_external_services",
                                                "mesh_zone_addresses",
                                                "proxy_role"};
    if (!known.contains(key)) {
      throw std::invalid_argument("cannot read input." + key);
    }
  }
  kuma::MeshResources resources;
  const json mesh = object_of(input, "mesh");
  resources.mesh = {.name = mesh.value("name", std::string("default")),
                    .mtls = mesh.value("mtls", false),
                    .zoneEgress = mesh.value("zone_egress", false),
                    .localityAwareLoadBalancing = mesh.value("locality_aware_lb", false)};
  resources.workload_identity = input.value("workload_identity", false);
  for (const json& dataplane : input.value("dataplanes", json::array())) {
    resources.dataplanes.push_back(read_dataplane(dataplane));
  }
  for (const json& ingress : input.value("zone_ingresses", json::array())) {
    resources.zone_ingresses.push_back(read_ingress(ingress));
  }
  for (const json& egress : input.value("zone_egresses", json::array())) {
    const Address address = read_host_and_port(egress.get<std::string>());
    resources.zone_egresses.push_back({address.host, address.port});
  }
  for (const json& place : input.value("mesh_zone_addresses", json::array())) {
    const Address address = read_host_and_port(place.at("address").get<std::string>());
    resources.mesh_zone_addresses.push_back({place.at("zone").get<std::string>(), address.host, address.port});
  }
  for (const json& service : input.value("external_services", json::array())) {
    const Address address = read_host_and_port(service.at("address").get<std::string>());
    resources.external_services.push_back({.name = service.value("name", std::string()),
                                           .address = address.host,
                                           .port = address.port,
                                           .tags = read_tags(service.at("tags"))});
  }
  read_services(input, resources);
  return resources;
}

// 2.14: "MeshService backend@east:80"; head: "MeshService backend main", by the port's name or number.
std::string name_of(const kuma::DestinationId& id, const kuma::MeshResources& resources, config::KumaProfile profile) {
  if (id.model == kuma::DestinationModel::tag) {
    return id.name;
  }
  const bool head = profile == config::KumaProfile::head;
  const bool of_zone = id.model == kuma::DestinationModel::mesh_service && !id.zone.empty();
  std::string port = std::to_string(id.port);
  if (head && id.model == kuma::DestinationModel::mesh_service) {
    for (const kuma::MeshService& service : resources.mesh_services) {
      const bool same = service.name == id.name && service.ports.front().port == id.port;
      port = same && !service.ports.front().name.empty() ? service.ports.front().name : port;
    }
  }
  const std::string kind = id.model == kuma::DestinationModel::mesh_service              ? "MeshService "
                           : id.model == kuma::DestinationModel::mesh_multi_zone_service ? "MeshMultiZoneService "
                                                                                         : "MeshExternalService ";
  return kind + id.name + (head || !of_zone ? "" : "@" + id.zone) + (head ? " " : ":") + port;
}

json json_of(const std::optional<kuma::EndpointLocality>& locality) {
  if (!locality) {
    return nullptr;
  }
  json object = {{"zone", locality->zone}, {"priority", locality->priority}};
  if (!locality->sub_zone.empty()) {
    object["sub_zone"] = locality->sub_zone;
  }
  return object;
}

// What the case says of this endpoint, with our values: `external` only if it is mentioned, and no tags for "{}".
json in_words_of(const json& expected, const kuma::Endpoint& endpoint) {
  json object = {{"address", endpoint.address},
                 {"port", endpoint.port},
                 {"weight", endpoint.weight},
                 {"locality", json_of(endpoint.locality)}};
  if (expected.contains("external")) {
    object["external"] = endpoint.external;
  }
  if (expected.contains("tags")) {
    object["tags"] = expected.at("tags").empty() ? json::object() : json(endpoint.tags);
  }
  return object;
}

}  // namespace

void replay_kuma_topology(const json& test_case, config::KumaProfile profile, Check& check) {
  const json& input = test_case.at("input");
  const auto zone = test_case.at("client").at("zone").get<std::string>();
  const auto resources = read_resources(input);
  const std::string role = input.value("proxy_role", std::string("outbound"));
  const auto map = role == "outbound" ? kuma::endpoint_map(resources, zone, profile)
                                      : kuma::egress_endpoint_map(resources, zone, profile);
  const json expected = check.expected().value("services", json::object());
  json services = json::object();
  for (const auto& [id, endpoints] : map) {
    const std::string name = name_of(id, resources, profile);
    const json wanted = expected.value(name, json::array());
    services[name] = json::array();
    for (std::size_t position = 0; position < endpoints.size(); ++position) {
      const json words = position < wanted.size() ? wanted[position] : json::object();
      services[name].push_back(in_words_of(words, endpoints[position]));
    }
  }
  check.equal("services", services);
}

}  // namespace spillway::conformance
