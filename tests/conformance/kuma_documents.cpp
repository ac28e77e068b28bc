#include "tests/conformance/kuma_documents.hpp"

#include <stdexcept>

#include "tests/conformance/kuma_fields.hpp"

namespace spillway::conformance {

namespace {

bool drops_unknown_fields = false;

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

kuma::HashPolicy read_kuma_hash_policy(const json& object) {
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
               {"hashPolicies", into(conf.hashPolicies, read_kuma_hash_policy)}});
  return conf;
}

kuma::Maglev read_maglev(const json& object) {
  kuma::Maglev conf;
  read_fields(object, "maglev",
              {{"tableSize", into(conf.tableSize)}, {"hashPolicies", into(conf.hashPolicies, read_kuma_hash_policy)}});
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

}  // namespace

void refuse(const std::string& where, const json& value) {
  throw std::invalid_argument("cannot read " + where + ": " + value.dump());
}

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
               {"hashPolicies", into(conf.hashPolicies, read_kuma_hash_policy)}});
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

}  // namespace spillway::conformance
