#include "models/istio/messages/destination_rule.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace spillway::messages {

namespace {

using grammar::Number;
using Failover = Items<Message<istio::LocalityLbSetting::Failover>>;
using Texts = Items<grammar::Text>;

const Texts texts{grammar::Text{0, 10'000}};
const Number percent_number{0.0, 1e9, {}, true};

// Wrapped numbers of the API are plain numbers in documents.
const WordFor<istio::SimpleLb> simple_words{{{"UNSPECIFIED", istio::SimpleLb::unspecified},
                                             {"LEAST_CONN", istio::SimpleLb::least_conn},
                                             {"RANDOM", istio::SimpleLb::random},
                                             {"PASSTHROUGH", istio::SimpleLb::passthrough},
                                             {"ROUND_ROBIN", istio::SimpleLb::round_robin},
                                             {"LEAST_REQUEST", istio::SimpleLb::least_request}}};

using H2Upgrade = istio::ConnectionPool::Http::H2Upgrade;
const WordFor<H2Upgrade> upgrade_words{
    {{"DEFAULT", H2Upgrade::by_mesh}, {"DO_NOT_UPGRADE", H2Upgrade::do_not_upgrade}, {"UPGRADE", H2Upgrade::upgrade}}};

struct RingHash {
  std::uint64_t minimumRingSize = 0;
};
struct Maglev {
  std::uint64_t tableSize = 0;
};

void describe_blocks(Fields& fields, istio::TrafficPolicy& policy) {
  optional(fields, "loadBalancer", policy.loadBalancer, Message<istio::LoadBalancerSettings>{}, "how hosts are picked");
  optional(fields, "connectionPool", policy.connectionPool, Message<istio::ConnectionPool>{}, "limits of each client");
  optional(fields, "outlierDetection", policy.outlierDetection, Message<istio::OutlierDetection>{},
           "when hosts are ejected; without it nothing fails over");
}

// Notes blocks that do not affect shares; they matter only because the policy is then not empty.
void note_other(Fields& fields, istio::TrafficPolicy& policy, std::initializer_list<const char*> names) {
  fields.without_influence(names);
  for (const char* const name : names) {
    policy.other = policy.other || (fields.object() != nullptr && fields.object()->find(name) != nullptr);
  }
}

}  // namespace

template <>
struct Grammar<RingHash> {
  static constexpr const char* definition = "istio.ConsistentHashLB.RingHash";
  static void describe(Fields& fields, RingHash& ring) {
    optional(fields, "minimumRingSize", ring.minimumRingSize, grammar::Whole{}, "default: 1024");
  }
};
template <>
struct Grammar<Maglev> {
  static constexpr const char* definition = "istio.ConsistentHashLB.MagLev";
  static void describe(Fields& fields, Maglev& maglev) {
    optional(fields, "tableSize", maglev.tableSize, grammar::Whole{}, "a prime number below 5000011");
  }
};

void Grammar<istio::LocalityLbSetting::Distribute>::describe(Fields& fields,
                                                             istio::LocalityLbSetting::Distribute& object) {
  optional(fields, "from", object.from, any_text, "localities of clients, such as r1/z1/*");
  using Percentages = grammar::MapOf<Uint32>;
  nested<Percentages::Value>(fields, "to", Percentages{}, "percent by locality of endpoints",
                             [&](Percentages::Value entries) {
                               for (auto& entry : entries) {
                                 object.to.emplace_back(std::move(entry.name), entry.value.value);
                               }
                             });
}

void Grammar<istio::LocalityLbSetting::Failover>::describe(Fields& fields, istio::LocalityLbSetting::Failover& object) {
  optional(fields, "from", object.from, any_text, "the client's region");
  optional(fields, "to", object.to, any_text, "the region that is preferred to other regions");
}

void Grammar<istio::LocalityLbSetting>::describe(Fields& fields, istio::LocalityLbSetting& object) {
  optional(fields, "enabled", object.enabled, flag, "default: true");
  optional(fields, "distribute", object.distribute, Items<Message<istio::LocalityLbSetting::Distribute>>{},
           "percentages by locality");
  optional(fields, "failover", object.failover, Failover{}, "the order of other regions");
  optional(fields, "failoverPriority", object.failoverPriority, texts,
           "labels that an endpoint shares with the client");
}

void Grammar<istio::ZoneAwareLbSetting>::describe(Fields& fields, istio::ZoneAwareLbSetting& object) {
  optional(fields, "enabled", object.enabled, flag, "default: true");
  optional(fields, "failover", object.failover, Failover{}, "the order of other regions");
  optional(fields, "failoverPriority", object.failoverPriority, texts,
           "labels that an endpoint shares with the client");
  optional(fields, "minClusterSize", object.minClusterSize, Uint32{}, "hosts; default: 6");
}

void Grammar<istio::ConsistentHash::Cookie>::describe(Fields& fields, istio::ConsistentHash::Cookie& object) {
  optional(fields, "name", object.name, any_text, "of the cookie");
  optional(fields, "path", object.path, any_text, "of a cookie that Envoy makes");
  optional(fields, "ttl", object.ttl, GoDuration{}, "with one Envoy makes the cookie where it is missing");
  fields.without_influence({"attributes"});
}

void Grammar<istio::ConsistentHash>::describe(Fields& fields, istio::ConsistentHash& object) {
  optional(fields, "httpHeaderName", object.httpHeaderName, any_text, "the header that is hashed");
  optional(fields, "httpCookie", object.httpCookie, Message<istio::ConsistentHash::Cookie>{},
           "the cookie that is hashed");
  optional(fields, "useSourceIp", object.useSourceIp, flag, "the client's address is hashed");
  optional(fields, "httpQueryParameterName", object.httpQueryParameterName, any_text, "the parameter that is hashed");
  fields.at_most_one({"httpHeaderName", "httpCookie", "useSourceIp", "httpQueryParameterName"});
  nested<RingHash>(fields, "ringHash", Message<RingHash>{}, "a hash ring",
                   [&](const RingHash& ring) { object.ringHash = ring.minimumRingSize; });
  nested<Maglev>(fields, "maglev", Message<Maglev>{}, "a maglev table",
                 [&](const Maglev& maglev) { object.maglev = maglev.tableSize; });
  fields.at_most_one({"ringHash", "maglev"});
  optional(fields, "minimumRingSize", object.minimumRingSize, grammar::Whole{}, "of an older Istio");
}

void Grammar<istio::Warmup>::describe(Fields& fields, istio::Warmup& object) {
  optional(fields, "duration", object.duration, GoDuration{}, "how long a new host gets less");
  optional(fields, "minimumPercent", object.minimumPercent, percent_number, "of its weight at first; default: 10");
  optional(fields, "aggression", object.aggression, Number{-1e9, 1e9, {}, true}, "default: 1: in proportion to time");
}

void Grammar<istio::LoadBalancerSettings>::describe(Fields& fields, istio::LoadBalancerSettings& object) {
  optional(fields, "simple", object.simple, simple_words, "default: LEAST_REQUEST");
  optional(fields, "consistentHash", object.consistentHash, Message<istio::ConsistentHash>{}, "a host by hash");
  fields.at_most_one({"simple", "consistentHash"});
  optional(fields, "localityLbSetting", object.localityLbSetting, Message<istio::LocalityLbSetting>{},
           "replaces the mesh's");
  optional(fields, "zoneAwareLbSetting", object.zoneAwareLbSetting, Message<istio::ZoneAwareLbSetting>{}, "1.31");
  optional(fields, "warmup", object.warmup, Message<istio::Warmup>{}, "new hosts get less at first");
  optional(fields, "warmupDurationSecs", object.warmupDurationSecs, GoDuration{}, "of an older Istio");
}

void Grammar<istio::ConnectionPool::Tcp>::describe(Fields& fields, istio::ConnectionPool::Tcp& object) {
  optional(fields, "maxConnections", object.maxConnections, Uint32{}, "default: no limit");
  optional(fields, "connectTimeout", object.connectTimeout, GoDuration{}, "default: 10s");
  optional(fields, "idleTimeout", object.idleTimeout, GoDuration{}, "of connections");
  optional(fields, "maxConnectionDuration", object.maxConnectionDuration, GoDuration{}, "of connections");
  fields.without_influence({"tcpKeepalive"});
}

void Grammar<istio::ConnectionPool::Http>::describe(Fields& fields, istio::ConnectionPool::Http& object) {
  optional(fields, "http1MaxPendingRequests", object.http1MaxPendingRequests, Uint32{}, "default: no limit");
  optional(fields, "http2MaxRequests", object.http2MaxRequests, Uint32{}, "of any HTTP; default: no limit");
  optional(fields, "maxRequestsPerConnection", object.maxRequestsPerConnection, Uint32{}, "default: no limit");
  optional(fields, "maxRetries", object.maxRetries, Uint32{}, "at once; default: no limit");
  optional(fields, "idleTimeout", object.idleTimeout, GoDuration{}, "of connections");
  optional(fields, "h2UpgradePolicy", object.h2UpgradePolicy, upgrade_words, "default: the mesh's");
  optional(fields, "useClientProtocol", object.useClientProtocol, flag, "default: false");
  optional(fields, "maxConcurrentStreams", object.maxConcurrentStreams, Uint32{}, "of an HTTP/2 connection");
  fields.without_influence({"http2KeepAlive"});
}

void Grammar<istio::ConnectionPool>::describe(Fields& fields, istio::ConnectionPool& object) {
  optional(fields, "tcp", object.tcp, Message<istio::ConnectionPool::Tcp>{}, "of connections");
  optional(fields, "http", object.http, Message<istio::ConnectionPool::Http>{}, "of requests");
}

void Grammar<istio::OutlierDetection>::describe(Fields& fields, istio::OutlierDetection& object) {
  optional(fields, "consecutive5xxErrors", object.consecutive5xxErrors, Uint32{}, "default: 5; 0 switches it off");
  optional(fields, "consecutiveGatewayErrors", object.consecutiveGatewayErrors, Uint32{}, "default: off");
  optional(fields, "interval", object.interval, GoDuration{}, "default: 10s");
  optional(fields, "baseEjectionTime", object.baseEjectionTime, GoDuration{}, "default: 30s");
  optional(fields, "maxEjectionPercent", object.maxEjectionPercent, Uint32{}, "default: 10, but one host at least");
  optional(fields, "minHealthPercent", object.minHealthPercent, Uint32{}, "the panic threshold; default: 0");
  optional(fields, "splitExternalLocalOriginErrors", object.splitExternalLocalOriginErrors, flag,
           "whether connecting and answering are judged apart");
  optional(fields, "consecutiveLocalOriginFailures", object.consecutiveLocalOriginFailures, Uint32{},
           "failures to connect");
  optional(fields, "consecutiveErrors", object.consecutiveErrors, Uint32{}, "of an older Istio; ignored");
  optional(fields, "outlierDetectionHttpErrorCodes", object.outlierDetectionHttpErrorCodes, Items<Uint32>{},
           "1.31: these count as errors, and no other 5xx does");
}

void Grammar<istio::RetryBudget>::describe(Fields& fields, istio::RetryBudget& object) {
  optional(fields, "percent", object.percent, Number{0.0, 100.0, {}, true}, "default: 20");
  optional(fields, "minRetryConcurrency", object.minRetryConcurrency, Uint32{}, "default: 3");
  optional(fields, "budgetInterval", object.budgetInterval, GoDuration{}, "1.31");
}

void Grammar<istio::PortTrafficPolicy>::describe(Fields& fields, istio::PortTrafficPolicy& object) {
  nested<PortSelector>(fields, "port", Message<PortSelector>{}, "of the service",
                       [&](const PortSelector& port) { object.port = port.number; });
  describe_blocks(fields, object.policy);
  note_other(fields, object.policy, {"tls"});
}

void Grammar<istio::TrafficPolicy>::describe(Fields& fields, istio::TrafficPolicy& object) {
  describe_blocks(fields, object);
  optional(fields, "portLevelSettings", object.portLevelSettings, Items<Message<istio::PortTrafficPolicy>>{},
           "replace everything else for their port");
  optional(fields, "retryBudget", object.retryBudget, Message<istio::RetryBudget>{}, "instead of maxRetries");
  note_other(fields, object, {"tls", "tunnel", "proxyProtocol"});
}

void Grammar<istio::Subset>::describe(Fields& fields, istio::Subset& object) {
  required(fields, "name", object.name, grammar::Text{}, "that routes name");
  optional(fields, "labels", object.labels, TagMap{}, "that its endpoints have");
  optional(fields, "trafficPolicy", object.trafficPolicy, Message<istio::TrafficPolicy>{},
           "its blocks replace the rule's");
}

void Grammar<istio::DestinationRule>::describe(Fields& fields, istio::DestinationRule& object) {
  required(fields, "host", object.host, grammar::Text{1, 253},
           "of the service; a name without a dot is of the rule's namespace");
  optional(fields, "trafficPolicy", object.trafficPolicy, Message<istio::TrafficPolicy>{}, "for all ports and subsets");
  optional(fields, "subsets", object.subsets, Items<Message<istio::Subset>>{}, "parts of the service's endpoints");
  optional(fields, "exportTo", object.exportTo, texts, "namespaces whose clients follow the rule; default: all");
  nested<WorkloadSelector>(fields, "workloadSelector", Message<WorkloadSelector>{}, "clients of the rule's namespace",
                           [&](WorkloadSelector selector) { object.workloadSelector = std::move(selector.labels); });
}

}  // namespace spillway::messages
