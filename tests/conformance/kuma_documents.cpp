#include "tests/conformance/kuma_documents.hpp"

#include <charconv>
#include <functional>
#include <map>
#include <stdexcept>

namespace spillway::conformance {

namespace {

[[noreturn]] void refuse(const std::string& where, const json& value) {
  throw std::invalid_argument("cannot read " + where + ": " + value.dump());
}

bool drops_unknown_fields = false;

using FieldReaders = std::map<std::string, std::function<void(const json&)>>;

void read_fields(const json& object, const char* what, const FieldReaders& readers) {
  if (!object.is_object()) {
    refuse(what, object);
  }
  for (const auto& [key, value] : object.items()) {
    const auto reader = readers.find(key);
    if (reader == readers.end() && drops_unknown_fields) {
      continue;
    }
    if (reader == readers.end()) {
      refuse(std::string(what) + "." + key, value);
    }
    if (!value.is_null()) {
      reader->second(value);
    }
  }
}

template <class Value>
std::function<void(const json&)> into(std::optional<Value>& field) {
  return [&field](const json& value) { field = value.get<Value>(); };
}

template <class Object>
std::function<void(const json&)> into(std::optional<Object>& field, Object (*read)(const json&)) {
  return [&field, read](const json& value) { field = read(value); };
}

template <class Object>
std::function<void(const json&)> into(std::optional<std::vector<Object>>& field, Object (*read)(const json&)) {
  return [&field, read](const json& value) {
    field.emplace();
    for (const json& entry : value) {
      field->push_back(read(entry));
    }
  };
}

void ignore(const json& /*value*/) {}

kuma::IntOrString read_int_or_string(const json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (!value.is_number_integer()) {
    refuse("a number", value);
  }
  return value.get<std::int32_t>();
}

kuma::TargetRef read_target_ref(const json& object) {
  kuma::TargetRef target;
  read_fields(object, "targetRef",
              {{"kind", into(target.kind)},
               {"name", into(target.name)},
               {"namespace", into(target.namespace_)},
               {"mesh", into(target.mesh)},
               {"tags", into(target.tags)},
               {"labels", into(target.labels)},
               {"sectionName", into(target.sectionName)},
               {"proxyTypes", into(target.proxyTypes)}});
  return target;
}

kuma::AffinityTag read_affinity_tag(const json& object) {
  kuma::AffinityTag tag;
  read_fields(object, "affinityTags", {{"key", into(tag.key)}, {"weight", into(tag.weight)}});
  return tag;
}

kuma::LocalZone read_local_zone(const json& object) {
  kuma::LocalZone zone;
  read_fields(object, "localZone", {{"affinityTags", into(zone.affinityTags, read_affinity_tag)}});
  return zone;
}

kuma::FromZone read_from(const json& object) {
  kuma::FromZone from;
  read_fields(object, "from", {{"zones", into(from.zones)}});
  return from;
}

kuma::ToZone read_to_zone(const json& object) {
  kuma::ToZone to;
  read_fields(object, "to", {{"type", into(to.type)}, {"zones", into(to.zones)}});
  return to;
}

kuma::Failover read_failover(const json& object) {
  kuma::Failover rule;
  read_fields(object, "failover", {{"from", into(rule.from, read_from)}, {"to", into(rule.to, read_to_zone)}});
  return rule;
}

kuma::FailoverThreshold read_threshold(const json& object) {
  kuma::FailoverThreshold threshold;
  read_fields(object, "failoverThreshold", {{"percentage", into(threshold.percentage, read_int_or_string)}});
  return threshold;
}

kuma::CrossZone read_cross_zone(const json& object) {
  kuma::CrossZone zone;
  read_fields(object, "crossZone",
              {{"failover", into(zone.failover, read_failover)},
               {"failoverThreshold", into(zone.failoverThreshold, read_threshold)}});
  return zone;
}

kuma::LocalityAwareness read_locality_awareness(const json& object) {
  kuma::LocalityAwareness awareness;
  read_fields(object, "localityAwareness",
              {{"disabled", into(awareness.disabled)},
               {"localZone", into(awareness.localZone, read_local_zone)},
               {"crossZone", into(awareness.crossZone, read_cross_zone)}});
  return awareness;
}

kuma::Header read_header(const json& object) {
  kuma::Header header;
  read_fields(object, "header", {{"name", into(header.name)}});
  return header;
}

kuma::Cookie read_cookie(const json& object) {
  kuma::Cookie cookie;
  read_fields(object, "cookie", {{"name", into(cookie.name)}, {"ttl", into(cookie.ttl)}, {"path", into(cookie.path)}});
  return cookie;
}

kuma::Connection read_connection(const json& object) {
  kuma::Connection connection;
  read_fields(object, "connection", {{"sourceIP", into(connection.sourceIP)}});
  return connection;
}

kuma::QueryParameter read_query_parameter(const json& object) {
  kuma::QueryParameter parameter;
  read_fields(object, "queryParameter", {{"name", into(parameter.name)}});
  return parameter;
}

kuma::FilterState read_filter_state(const json& object) {
  kuma::FilterState state;
  read_fields(object, "filterState", {{"key", into(state.key)}});
  return state;
}

kuma::HashPolicy read_hash_policy(const json& object) {
  kuma::HashPolicy policy;
  read_fields(object, "hashPolicies",
              {{"type", into(policy.type)},
               {"terminal", into(policy.terminal)},
               {"header", into(policy.header, read_header)},
               {"cookie", into(policy.cookie, read_cookie)},
               {"connection", into(policy.connection, read_connection)},
               {"queryParameter", into(policy.queryParameter, read_query_parameter)},
               {"filterState", into(policy.filterState, read_filter_state)}});
  return policy;
}

kuma::LeastRequest read_least_request(const json& object) {
  kuma::LeastRequest conf;
  read_fields(object, "leastRequest",
              {{"choiceCount", into(conf.choiceCount)},
               {"activeRequestBias", into(conf.activeRequestBias, read_int_or_string)}});
  return conf;
}

kuma::RingHash read_ring_hash(const json& object) {
  kuma::RingHash conf;
  read_fields(object, "ringHash",
              {{"hashFunction", into(conf.hashFunction)},
               {"minRingSize", into(conf.minRingSize)},
               {"maxRingSize", into(conf.maxRingSize)},
               {"hashPolicies", into(conf.hashPolicies, read_hash_policy)}});
  return conf;
}

kuma::Maglev read_maglev(const json& object) {
  kuma::Maglev conf;
  read_fields(object, "maglev",
              {{"tableSize", into(conf.tableSize)}, {"hashPolicies", into(conf.hashPolicies, read_hash_policy)}});
  return conf;
}

kuma::LoadBalancer read_load_balancer(const json& object) {
  kuma::LoadBalancer balancer;
  read_fields(object, "loadBalancer",
              {{"type", into(balancer.type)},
               {"roundRobin", ignore},
               {"random", ignore},
               {"leastRequest", into(balancer.leastRequest, read_least_request)},
               {"ringHash", into(balancer.ringHash, read_ring_hash)},
               {"maglev", into(balancer.maglev, read_maglev)}});
  return balancer;
}

kuma::To read_to_item(const json& object) {
  kuma::To item;
  read_fields(object, "to",
              {{"targetRef", into(item.targetRef, read_target_ref)},
               {"default", [&item](const json& value) { item.default_ = read_conf(value); }}});
  return item;
}

FieldReaders spec_readers(kuma::MeshLoadBalancingStrategy& spec) {
  return {{"targetRef", into(spec.targetRef, read_target_ref)}, {"to", into(spec.to, read_to_item)}};
}

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

DropUnknownFields::DropUnknownFields() {
  drops_unknown_fields = true;
}
DropUnknownFields::~DropUnknownFields() {
  drops_unknown_fields = false;
}

kuma::Tags read_tags(const json& tags) {
  return tags.is_null() ? kuma::Tags{} : tags.get<kuma::Tags>();
}

kuma::Conf read_conf(const json& object) {
  kuma::Conf conf;
  read_fields(object, "default",
              {{"localityAwareness", into(conf.localityAwareness, read_locality_awareness)},
               {"loadBalancer", into(conf.loadBalancer, read_load_balancer)},
               {"hashPolicies", into(conf.hashPolicies, read_hash_policy)}});
  return conf;
}

kuma::MeshLoadBalancingStrategy read_spec(const json& policy) {
  kuma::MeshLoadBalancingStrategy spec;
  read_fields(policy, "policy", spec_readers(spec));
  return spec;
}

kuma::Policy read_policy(const json& object) {
  kuma::Policy policy;
  FieldReaders readers = spec_readers(policy.spec);
  readers["name"] = [&policy](const json& value) { policy.name = value.get<std::string>(); };
  readers["labels"] = [&policy](const json& value) { policy.labels = value.get<kuma::Tags>(); };
  readers["spec"] = [&policy](const json& value) { policy.spec = read_spec(value); };
  readers["type"] = ignore;
  readers["mesh"] = ignore;
  read_fields(object, "policy", readers);
  return policy;
}

std::vector<kuma::Policy> read_policies(const json& list) {
  std::vector<kuma::Policy> policies;
  for (const json& policy : list) {
    policies.push_back(read_policy(policy));
  }
  return policies;
}

std::optional<kuma::Conf> read_merged_conf(const json& policy) {
  std::optional<kuma::Conf> conf;
  if (!policy.is_null()) {
    conf.emplace();
    read_fields(policy, "policy", {{"default", [&conf](const json& value) { conf = read_conf(value); }}});
  }
  return conf;
}

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
