#include <variant>

#include "tests/conformance/kuma_documents.hpp"

namespace spillway::conformance {

namespace {

template <class Value>
void put(json& object, const char* key, const std::optional<Value>& value) {
  if (value) {
    object[key] = *value;
  }
}

void put(json& object, const char* key, const std::optional<kuma::IntOrString>& value) {
  if (value) {
    std::visit([&](const auto& number) { object[key] = number; }, *value);
  }
}

template <class Object>
void put(json& object, const char* key, const std::optional<Object>& value, json (*write)(const Object&)) {
  if (value) {
    object[key] = write(*value);
  }
}

template <class Object>
void put(json& object, const char* key, const std::optional<std::vector<Object>>& list, json (*write)(const Object&)) {
  if (list) {
    object[key] = json::array();
    for (const Object& entry : *list) {
      object[key].push_back(write(entry));
    }
  }
}

json write_affinity_tag(const kuma::AffinityTag& tag) {
  json object = json::object();
  put(object, "key", tag.key);
  put(object, "weight", tag.weight);
  return object;
}

json write_local_zone(const kuma::LocalZone& zone) {
  json object = json::object();
  put(object, "affinityTags", zone.affinityTags, write_affinity_tag);
  return object;
}

json write_from(const kuma::FromZone& from) {
  json object = json::object();
  put(object, "zones", from.zones);
  return object;
}

json write_to_zone(const kuma::ToZone& to) {
  json object = json::object();
  put(object, "type", to.type);
  put(object, "zones", to.zones);
  return object;
}

json write_failover(const kuma::Failover& rule) {
  json object = json::object();
  put(object, "from", rule.from, write_from);
  put(object, "to", rule.to, write_to_zone);
  return object;
}

json write_threshold(const kuma::FailoverThreshold& threshold) {
  json object = json::object();
  put(object, "percentage", threshold.percentage);
  return object;
}

json write_cross_zone(const kuma::CrossZone& zone) {
  json object = json::object();
  put(object, "failover", zone.failover, write_failover);
  put(object, "failoverThreshold", zone.failoverThreshold, write_threshold);
  return object;
}

json write_locality_awareness(const kuma::LocalityAwareness& awareness) {
  json object = json::object();
  put(object, "disabled", awareness.disabled);
  put(object, "localZone", awareness.localZone, write_local_zone);
  put(object, "crossZone", awareness.crossZone, write_cross_zone);
  return object;
}

json write_least_request(const kuma::LeastRequest& conf) {
  json object = json::object();
  put(object, "choiceCount", conf.choiceCount);
  put(object, "activeRequestBias", conf.activeRequestBias);
  return object;
}

json write_ring_hash(const kuma::RingHash& conf) {
  json object = json::object();
  put(object, "hashFunction", conf.hashFunction);
  put(object, "minRingSize", conf.minRingSize);
  put(object, "maxRingSize", conf.maxRingSize);
  put<kuma::HashPolicy>(object, "hashPolicies", conf.hashPolicies, to_json);
  return object;
}

json write_maglev(const kuma::Maglev& conf) {
  json object = json::object();
  put(object, "tableSize", conf.tableSize);
  put<kuma::HashPolicy>(object, "hashPolicies", conf.hashPolicies, to_json);
  return object;
}

json write_load_balancer(const kuma::LoadBalancer& balancer) {
  json object = json::object();
  put(object, "type", balancer.type);
  put(object, "leastRequest", balancer.leastRequest, write_least_request);
  put(object, "ringHash", balancer.ringHash, write_ring_hash);
  put(object, "maglev", balancer.maglev, write_maglev);
  return object;
}

}  // namespace

json to_json(const kuma::HashPolicy& policy) {
  json object = json::object();
  put(object, "type", policy.type);
  put(object, "terminal", policy.terminal);
  if (policy.header) {
    object["header"] = json::object();
    put(object["header"], "name", policy.header->name);
  }
  if (policy.cookie) {
    object["cookie"] = json::object();
    put(object["cookie"], "name", policy.cookie->name);
    put(object["cookie"], "ttl", policy.cookie->ttl);
    put(object["cookie"], "path", policy.cookie->path);
  }
  if (policy.connection) {
    object["connection"] = json::object();
    put(object["connection"], "sourceIP", policy.connection->sourceIP);
  }
  if (policy.queryParameter) {
    object["queryParameter"] = json::object();
    put(object["queryParameter"], "name", policy.queryParameter->name);
  }
  if (policy.filterState) {
    object["filterState"] = json::object();
    put(object["filterState"], "key", policy.filterState->key);
  }
  return object;
}

json to_json(const kuma::Conf& conf) {
  json object = json::object();
  put(object, "localityAwareness", conf.localityAwareness, write_locality_awareness);
  put(object, "loadBalancer", conf.loadBalancer, write_load_balancer);
  put<kuma::HashPolicy>(object, "hashPolicies", conf.hashPolicies, to_json);
  return object;
}

}  // namespace spillway::conformance
