#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

#include "tests/conformance/kuma_documents.hpp"
#include "tests/conformance/kuma_fields.hpp"

namespace spillway::conformance {

namespace {

// A proxy with several inbounds gives lists: the n-th inbound has the n-th value, or the last.
std::vector<kuma::Tags> read_inbounds(const json& tags) {
  std::size_t count = 1;
  for (const auto& [key, value] : tags.items()) {
    count = value.is_array() ? std::max(count, value.size()) : count;
  }
  std::vector<kuma::Tags> inbounds(count);
  for (const auto& [key, value] : tags.items()) {
    for (std::size_t inbound = 0; inbound < count; ++inbound) {
      if (value.is_array() && !value.empty()) {
        inbounds[inbound][key] = value[std::min(inbound, value.size() - 1)].get<std::string>();
      } else if (value.is_string()) {
        inbounds[inbound][key] = value.get<std::string>();
      }
    }
  }
  return inbounds;
}

kuma::ProxyRole role_of(const std::string& name) {
  static const std::map<std::string, kuma::ProxyRole> roles = {
      {"outbound", kuma::ProxyRole::sidecar},
      {"sidecar", kuma::ProxyRole::sidecar},
      {"delegated-gateway", kuma::ProxyRole::sidecar},
      {"delegated_gateway", kuma::ProxyRole::sidecar},
      {"gateway", kuma::ProxyRole::builtin_gateway},
      {"egress", kuma::ProxyRole::zone_egress},
      {"zone-proxy-egress", kuma::ProxyRole::zone_proxy_egress}};
  const auto role = roles.find(name);
  if (role == roles.end()) {
    throw std::invalid_argument("unknown proxy_role " + name);
  }
  return role->second;
}

// "10.1.0.2:8080" as address and port; any other text is an address of its own.
void read_address(const std::string& id, kuma::Endpoint& endpoint) {
  endpoint.address = id;
  const std::size_t colon = id.rfind(':');
  if (colon == std::string::npos) {
    return;
  }
  std::uint32_t port = 0;
  const char* const end = id.data() + id.size();
  if (const auto parsed = std::from_chars(id.data() + colon + 1, end, port);
      parsed.ec == std::errc() && parsed.ptr == end && port != 0) {
    endpoint.address = id.substr(0, colon);
    endpoint.port = port;
  }
}

}  // namespace

kuma::Client read_client(const json& object, const json& context) {
  kuma::Client client;
  const std::string role = has(context, "proxy_role") ? context.at("proxy_role").get<std::string>() : "outbound";
  client.role = role_of(role);
  client.delegated_gateway = role.starts_with("delegated");
  if (object.is_null()) {
    return client;
  }
  read_fields(object, "client",
              {{"zone", [&client](const json& value) { client.zone = value.get<std::string>(); }},
               {"name", [&client](const json& value) { client.name = value.get<std::string>(); }},
               {"gateway_name", [&client](const json& value) { client.gateway_name = value.get<std::string>(); }},
               {"tags", [&client](const json& value) { client.inbounds = read_inbounds(value); }},
               {"labels", [&client](const json& value) { client.labels = read_tags(value); }}});
  if ((client.delegated_gateway || client.role == kuma::ProxyRole::builtin_gateway) && !client.inbounds.empty()) {
    client.gateway_tags = client.inbounds.front();
  }
  return client;
}

kuma::Endpoint read_endpoint(const json& object, const json& context, const std::string& client_zone) {
  kuma::Endpoint endpoint;
  std::optional<std::string> zone;
  std::optional<std::uint32_t> external_priority;
  read_fields(object, "endpoint",
              {{"id", [&endpoint](const json& value) { read_address(value.get<std::string>(), endpoint); }},
               {"zone", into(zone)},
               {"tags", [&endpoint](const json& value) { endpoint.tags = read_tags(value); }},
               {"labels", [&endpoint](const json& value) { endpoint.labels = read_tags(value); }},
               {"weight", [&endpoint](const json& value) { endpoint.weight = value.get<std::uint32_t>(); }},
               {"mes_priority", into(external_priority)},
               {"locality",
                [&endpoint](const json& value) {
                  endpoint.locality = kuma::EndpointLocality{.zone = value.value("zone", std::string()),
                                                             .sub_zone = value.value("sub_zone", std::string()),
                                                             .priority = value.value("priority", 0U),
                                                             .weight = value.value("weight", 0U)};
                }},
               {"health", ignore}});
  if (external_priority) {
    endpoint.locality = kuma::EndpointLocality{.sub_zone = "priority-" + std::to_string(*external_priority),
                                               .priority = *external_priority};
  } else if (zone) {
    const std::uint32_t base = *zone == client_zone ? 0U : context.value("base_remote_priority", 0U);
    endpoint.locality = kuma::EndpointLocality{.zone = *zone, .priority = base};
  }
  return endpoint;
}

kuma::DestinationModel destination_model(const json& context, config::KumaProfile profile) {
  static const std::map<std::string, kuma::DestinationModel> models = {
      {"kuma.io/service", kuma::DestinationModel::tag},
      {"real-resource", kuma::DestinationModel::mesh_multi_zone_service},
      {"MeshService", kuma::DestinationModel::mesh_service},
      {"MeshMultiZoneService", kuma::DestinationModel::mesh_multi_zone_service},
      {"MeshExternalService", kuma::DestinationModel::mesh_external_service}};
  if (!has(context, "destination_model")) {
    const bool tags = profile == config::KumaProfile::release_2_14 && context.value("base_remote_priority", 0U) == 0;
    return tags ? kuma::DestinationModel::tag : kuma::DestinationModel::mesh_multi_zone_service;
  }
  const auto model = models.find(context.at("destination_model").get<std::string>());
  if (model == models.end()) {
    refuse("destination_model", context);
  }
  return model->second;
}

}  // namespace spillway::conformance
