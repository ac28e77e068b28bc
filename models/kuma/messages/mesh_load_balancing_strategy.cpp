#include "models/kuma/messages/mesh_load_balancing_strategy.hpp"

#include "models/kuma/messages/shapes.hpp"
#include "models/kuma/messages/target_ref.hpp"

namespace spillway::messages {

void Grammar<kuma::AffinityTag>::describe(Fields& fields, kuma::AffinityTag& tag) {
  optional(fields, "key", tag.key, any_text, "the tag or label that client and endpoint must share");
  optional(fields, "weight", tag.weight, Uint32{}, "of the endpoints that share it; default: 9, 90, ... from the last");
}

void Grammar<kuma::LocalZone>::describe(Fields& fields, kuma::LocalZone& zone) {
  optional(fields, "affinityTags", zone.affinityTags, Items<Message<kuma::AffinityTag>>{},
           "which endpoints of the zone are preferred, in this order");
}

void Grammar<kuma::FromZone>::describe(Fields& fields, kuma::FromZone& from) {
  optional(fields, "zones", from.zones, Items<grammar::Text>{any_text}, "of the clients");
}

void Grammar<kuma::ToZone>::describe(Fields& fields, kuma::ToZone& to) {
  optional(fields, "type", to.type, any_text, "None, Only, Any, AnyExcept");
  optional(fields, "zones", to.zones, Items<grammar::Text>{any_text}, "of Only and AnyExcept");
}

void Grammar<kuma::Failover>::describe(Fields& fields, kuma::Failover& rule) {
  optional(fields, "from", rule.from, Message<kuma::FromZone>{}, "whom the rule is for; default: every zone");
  optional(fields, "to", rule.to, Message<kuma::ToZone>{}, "which zones it admits");
}

void Grammar<kuma::FailoverThreshold>::describe(Fields& fields, kuma::FailoverThreshold& threshold) {
  optional(fields, "percentage", threshold.percentage, IntOrString{},
           "of healthy endpoints, below which traffic leaves the zone; a decimal in quotes");
}

void Grammar<kuma::CrossZone>::describe(Fields& fields, kuma::CrossZone& zone) {
  optional(fields, "failover", zone.failover, Items<Message<kuma::Failover>>{}, "rules, the first one at priority 1");
  optional(fields, "failoverThreshold", zone.failoverThreshold, Message<kuma::FailoverThreshold>{},
           "when traffic leaves; default: 50");
}

void Grammar<kuma::LocalityAwareness>::describe(Fields& fields, kuma::LocalityAwareness& awareness) {
  optional(fields, "disabled", awareness.disabled, grammar::Flag{}, "all zones alike");
  optional(fields, "localZone", awareness.localZone, Message<kuma::LocalZone>{}, "how traffic spreads in the zone");
  optional(fields, "crossZone", awareness.crossZone, Message<kuma::CrossZone>{}, "where it goes beyond");
}

void Grammar<kuma::Header>::describe(Fields& fields, kuma::Header& header) {
  optional(fields, "name", header.name, any_text, "of the header that is hashed");
}

void Grammar<kuma::Cookie>::describe(Fields& fields, kuma::Cookie& cookie) {
  optional(fields, "name", cookie.name, any_text, "of the cookie that is hashed");
  optional(fields, "ttl", cookie.ttl, any_text, "with it, a missing cookie is made up");
  optional(fields, "path", cookie.path, any_text, "of the cookie that is made up");
}

void Grammar<kuma::Connection>::describe(Fields& fields, kuma::Connection& connection) {
  optional(fields, "sourceIP", connection.sourceIP, grammar::Flag{}, "hash the caller's address");
}

void Grammar<kuma::QueryParameter>::describe(Fields& fields, kuma::QueryParameter& parameter) {
  optional(fields, "name", parameter.name, any_text, "of the query parameter that is hashed");
}

void Grammar<kuma::FilterState>::describe(Fields& fields, kuma::FilterState& state) {
  optional(fields, "key", state.key, any_text, "of the filter state that is hashed");
}

void Grammar<kuma::HashPolicy>::describe(Fields& fields, kuma::HashPolicy& policy) {
  optional(fields, "type", policy.type, any_text,
           "Header, Cookie, Connection, QueryParameter, FilterState; in 2.14 also SourceIP");
  optional(fields, "terminal", policy.terminal, grammar::Flag{}, "whether a hash found here ends the list");
  optional(fields, "header", policy.header, Message<kuma::Header>{}, "of type Header");
  optional(fields, "cookie", policy.cookie, Message<kuma::Cookie>{}, "of type Cookie");
  optional(fields, "connection", policy.connection, Message<kuma::Connection>{}, "of type Connection");
  optional(fields, "queryParameter", policy.queryParameter, Message<kuma::QueryParameter>{}, "of type QueryParameter");
  optional(fields, "filterState", policy.filterState, Message<kuma::FilterState>{}, "of type FilterState");
}

void Grammar<kuma::LeastRequest>::describe(Fields& fields, kuma::LeastRequest& balancer) {
  optional(fields, "choiceCount", balancer.choiceCount, Uint32{}, "hosts that are compared; default: 2");
  optional(fields, "activeRequestBias", balancer.activeRequestBias, IntOrString{},
           "how much requests in flight count against weight; default: 1");
}

void Grammar<kuma::RingHash>::describe(Fields& fields, kuma::RingHash& balancer) {
  optional(fields, "hashFunction", balancer.hashFunction, any_text, "XXHash or MurmurHash2; default: XXHash");
  optional(fields, "minRingSize", balancer.minRingSize, Uint32{}, "default: 1024");
  optional(fields, "maxRingSize", balancer.maxRingSize, Uint32{}, "default: 8388608");
  optional(fields, "hashPolicies", balancer.hashPolicies, Items<Message<kuma::HashPolicy>>{},
           "2.14: an older place of hashPolicies");
}

void Grammar<kuma::Maglev>::describe(Fields& fields, kuma::Maglev& balancer) {
  optional(fields, "tableSize", balancer.tableSize, Uint32{}, "a prime number; default: 65537");
  optional(fields, "hashPolicies", balancer.hashPolicies, Items<Message<kuma::HashPolicy>>{},
           "2.14: an older place of hashPolicies");
}

void Grammar<kuma::LoadBalancer>::describe(Fields& fields, kuma::LoadBalancer& balancer) {
  optional(fields, "type", balancer.type, any_text, "RoundRobin, LeastRequest, RingHash, Random, Maglev");
  fields.without_influence({"roundRobin", "random"});
  optional(fields, "leastRequest", balancer.leastRequest, Message<kuma::LeastRequest>{}, "of type LeastRequest");
  optional(fields, "ringHash", balancer.ringHash, Message<kuma::RingHash>{}, "of type RingHash");
  optional(fields, "maglev", balancer.maglev, Message<kuma::Maglev>{}, "of type Maglev");
}

void Grammar<kuma::Conf>::describe(Fields& fields, kuma::Conf& conf) {
  optional(fields, "localityAwareness", conf.localityAwareness, Message<kuma::LocalityAwareness>{},
           "which zones and endpoints are preferred");
  optional(fields, "loadBalancer", conf.loadBalancer, Message<kuma::LoadBalancer>{}, "default: round robin");
  optional(fields, "hashPolicies", conf.hashPolicies, Items<Message<kuma::HashPolicy>>{},
           "what RingHash and Maglev hash of a request");
}

void Grammar<kuma::To>::describe(Fields& fields, kuma::To& item) {
  optional(fields, "targetRef", item.targetRef, Message<kuma::TargetRef>{}, "the destination");
  optional(fields, "default", item.default_, Message<kuma::Conf>{}, "what is set for it");
}

void Grammar<kuma::MeshLoadBalancingStrategy>::describe(Fields& fields, kuma::MeshLoadBalancingStrategy& spec) {
  optional(fields, "targetRef", spec.targetRef, Message<kuma::TargetRef>{}, "whose outbound; default: the whole mesh");
  optional(fields, "to", spec.to, Items<Message<kuma::To>>{.help = to_is_a_list}, "what is set for which destinations");
}

}  // namespace spillway::messages
