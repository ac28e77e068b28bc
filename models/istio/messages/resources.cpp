#include "models/istio/messages/resources.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/istio/messages/destination_rule.hpp"
#include "models/istio/messages/virtual_service.hpp"

namespace spillway::messages {

namespace {

const Items<grammar::Text> some_texts{grammar::Text{0, 10'000}};

const WordFor<istio::EntryResolution> resolution_words{{{"NONE", istio::EntryResolution::none},
                                                        {"STATIC", istio::EntryResolution::static_addresses},
                                                        {"DNS", istio::EntryResolution::dns},
                                                        {"DNS_ROUND_ROBIN", istio::EntryResolution::dns_round_robin}}};

// A port's number, or its name.
struct IntOrName {
  using Value = std::pair<std::uint32_t, std::string>;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
    return node.kind == documents::Kind::string ? any_text.read(node, into.second, what, problems)
                                                : Uint32{}.read(node, into.first, what, problems);
  }
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const {
    grammar::Schema schema;
    schema.any_of = {Uint32{}.schema(definitions), any_text.schema(definitions)};
    return schema;
  }
};

struct Conditions {
  std::optional<bool> ready;
  std::optional<bool> serving;
  std::optional<bool> terminating;
};
struct TargetRef {
  std::string kind;
  std::string name;
  std::string name_space;
};
struct PodSpec {
  std::string nodeName;
};
struct PodStatus {
  std::string podIP;
};
struct NetworkEndpoint {
  std::string fromRegistry;
};

}  // namespace

template <>
struct Grammar<Conditions> {
  static constexpr const char* definition = "k8s.EndpointConditions";
  static void describe(Fields& fields, Conditions& conditions) {
    optional(fields, "ready", conditions.ready, flag, "default: true");
    optional(fields, "serving", conditions.serving, flag, "default: true");
    optional(fields, "terminating", conditions.terminating, flag, "default: true with `ready: false`");
  }
};
template <>
struct Grammar<TargetRef> {
  static constexpr const char* definition = "k8s.ObjectReference";
  static void describe(Fields& fields, TargetRef& target) {
    optional(fields, "kind", target.kind, any_text, "Pod");
    optional(fields, "name", target.name, any_text, "of the pod");
    optional(fields, "namespace", target.name_space, any_text, "of the pod");
  }
};
template <>
struct Grammar<PodSpec> {
  static constexpr const char* definition = "k8s.PodSpec";
  static void describe(Fields& fields, PodSpec& spec) {
    optional(fields, "nodeName", spec.nodeName, any_text, "the node, whose labels say where the pod is");
  }
};
template <>
struct Grammar<PodStatus> {
  static constexpr const char* definition = "k8s.PodStatus";
  static void describe(Fields& fields, PodStatus& status) {
    optional(fields, "podIP", status.podIP, any_text, "the address");
  }
};
template <>
struct Grammar<NetworkEndpoint> {
  static constexpr const char* definition = "istio.Network.NetworkEndpoints";
  static void describe(Fields& fields, NetworkEndpoint& endpoint) {
    optional(fields, "fromRegistry", endpoint.fromRegistry, any_text, "a cluster");
    fields.not_simulated("fromCidr", "networks by ranges of addresses are not supported");
  }
};

void Grammar<istio::KubernetesService::Port>::describe(Fields& fields, istio::KubernetesService::Port& object) {
  optional(fields, "name", object.name, any_text, "its first part is the protocol");
  optional(fields, "port", object.port, Uint32{}, "of the service");
  optional(fields, "protocol", object.protocol, any_text, "default: TCP");
  optional(fields, "appProtocol", object.appProtocol, any_text, "instead of the name's");
  nested<IntOrName::Value>(fields, "targetPort", IntOrName{}, "of the endpoints", [&](const IntOrName::Value& target) {
    object.targetPort = target.first;
    object.targetPortName = target.second;
  });
}

void Grammar<istio::KubernetesService>::describe(Fields& fields, istio::KubernetesService& object) {
  optional(fields, "clusterIP", object.clusterIP, any_text, "None: headless");
  optional(fields, "type", object.type, any_text, "default: ClusterIP");
  optional(fields, "externalName", object.externalName, any_text, "of type ExternalName");
  optional(fields, "internalTrafficPolicy", object.internalTrafficPolicy, any_text, "Local: the client's node alone");
  optional(fields, "trafficDistribution", object.trafficDistribution, any_text, "PreferSameZone, PreferSameNode");
  optional(fields, "selector", object.selector, TagMap{}, "labels of pods and WorkloadEntries");
  optional(fields, "ports", object.ports, Items<Open<istio::KubernetesService::Port>>{}, "of the service");
}

void Grammar<istio::EndpointSlice::Port>::describe(Fields& fields, istio::EndpointSlice::Port& object) {
  optional(fields, "name", object.name, any_text, "of the service's port");
  optional(fields, "port", object.port, Uint32{}, "of the endpoints");
}

void Grammar<istio::EndpointSlice::Endpoint>::describe(Fields& fields, istio::EndpointSlice::Endpoint& object) {
  optional(fields, "addresses", object.addresses, some_texts, "of the endpoint");
  nested<Conditions>(fields, "conditions", Open<Conditions>{}, "its health", [&](const Conditions& conditions) {
    object.ready = conditions.ready;
    object.serving = conditions.serving;
    object.terminating = conditions.terminating;
  });
  nested<TargetRef>(fields, "targetRef", Open<TargetRef>{}, "its pod", [&](const TargetRef& target) {
    if (target.kind == "Pod") {
      object.pod = target.name;
      object.pod_namespace = target.name_space;
    }
  });
}

void Grammar<istio::EndpointSlice>::describe(Fields& fields, istio::EndpointSlice& object) {
  optional(fields, "ports", object.ports, Items<Open<istio::EndpointSlice::Port>>{}, "of the endpoints");
  optional(fields, "endpoints", object.endpoints, Items<Open<istio::EndpointSlice::Endpoint>>{}, "of the service");
}

void Grammar<istio::Pod>::describe(Fields& fields, istio::Pod& object) {
  nested<PodSpec>(fields, "spec", Open<PodSpec>{}, "where it runs",
                  [&](const PodSpec& spec) { object.nodeName = spec.nodeName; });
  nested<PodStatus>(fields, "status", Open<PodStatus>{}, "its address",
                    [&](const PodStatus& status) { object.podIP = status.podIP; });
}

void Grammar<istio::WorkloadEntry>::describe(Fields& fields, istio::WorkloadEntry& object) {
  optional(fields, "address", object.address, any_text, "an IP address, or a host name");
  using Ports = grammar::MapOf<Uint32>;
  nested<Ports::Value>(fields, "ports", Ports{}, "numbers by name of the service's port",
                       [&](const Ports::Value& ports) {
                         for (const auto& port : ports) {
                           object.ports[port.name] = port.value.value;
                         }
                       });
  optional(fields, "labels", object.labels, TagMap{}, "that services select");
  optional(fields, "network", object.network, any_text, "that it is in");
  optional(fields, "locality", object.locality, any_text, "region/zone/subzone");
  optional(fields, "weight", object.weight, Uint32{}, "default: 1");
  optional(fields, "serviceAccount", object.serviceAccount, any_text, "of the workload");
}

void Grammar<istio::ServiceEntry::Port>::describe(Fields& fields, istio::ServiceEntry::Port& object) {
  required(fields, "number", object.number, Uint32{}, "of the service");
  optional(fields, "name", object.name, any_text, "of the port");
  optional(fields, "protocol", object.protocol, any_text, "HTTP, HTTP2, GRPC, TCP, ...");
  optional(fields, "targetPort", object.targetPort, Uint32{}, "of the endpoints");
}

void Grammar<istio::ServiceEntry>::describe(Fields& fields, istio::ServiceEntry& object) {
  optional(fields, "hosts", object.hosts, some_texts, "the names of the service");
  optional(fields, "ports", object.ports, Items<Message<istio::ServiceEntry::Port>>{}, "of the service");
  optional(fields, "resolution", object.resolution, resolution_words, "default: NONE");
  optional(fields, "endpoints", object.endpoints, Items<Message<istio::WorkloadEntry>>{}, "of the service");
  nested<WorkloadSelector>(fields, "workloadSelector", Message<WorkloadSelector>{}, "WorkloadEntries and pods",
                           [&](WorkloadSelector selector) { object.workloadSelector = std::move(selector.labels); });
  optional(fields, "exportTo", object.exportTo, some_texts, "namespaces of clients; default: all");
  fields.without_influence({"addresses", "location", "subjectAltNames"});
}

void Grammar<istio::Sidecar::Port>::describe(Fields& fields, istio::Sidecar::Port& object) {
  optional(fields, "number", object.number, Uint32{}, "of the services that are seen; 0 with a socket in `bind`");
  optional(fields, "protocol", object.protocol, any_text, "HTTP_PROXY: services of any port");
  optional(fields, "name", object.name, any_text, "of the port");
  optional(fields, "targetPort", object.targetPort, Uint32{}, "not allowed");
}

void Grammar<istio::Sidecar::Listener>::describe(Fields& fields, istio::Sidecar::Listener& object) {
  optional(fields, "port", object.port, Message<istio::Sidecar::Port>{}, "default: all that no other listener has");
  optional(fields, "bind", object.bind, any_text, "an address, which has no influence, or a socket");
  optional(fields, "hosts", object.hosts, some_texts, "namespace/host; ~namespace/host: not these");
  fields.without_influence({"captureMode"});
}

void Grammar<istio::Sidecar>::describe(Fields& fields, istio::Sidecar& object) {
  nested<WorkloadSelector>(fields, "workloadSelector", Message<WorkloadSelector>{}, "clients of its namespace",
                           [&](WorkloadSelector selector) { object.workloadSelector = std::move(selector.labels); });
  optional(fields, "egress", object.egress, Items<Message<istio::Sidecar::Listener>>{}, "what clients see");
  fields.without_influence({"ingress", "inboundConnectionPool", "outboundTrafficPolicy"});
  for (const char* const name : {"ingress", "inboundConnectionPool", "outboundTrafficPolicy"}) {
    object.other = object.other || (fields.object() != nullptr && fields.object()->find(name) != nullptr);
  }
}

namespace {

struct ServiceSettings {
  bool clusterLocal = false;
};

}  // namespace

template <>
struct Grammar<ServiceSettings> {
  static constexpr const char* definition = "istio.ServiceSettings.Settings";
  static void describe(Fields& fields, ServiceSettings& settings) {
    optional(fields, "clusterLocal", settings.clusterLocal, flag, "endpoints of the client's cluster alone");
  }
};

void Grammar<istio::ServiceSetting>::describe(Fields& fields, istio::ServiceSetting& object) {
  nested<ServiceSettings>(fields, "settings", Message<ServiceSettings>{}, "of these hosts",
                          [&](const ServiceSettings& settings) { object.clusterLocal = settings.clusterLocal; });
  optional(fields, "hosts", object.hosts, some_texts, "hosts, or patterns of them");
}

void Grammar<istio::DefaultTrafficPolicy>::describe(Fields& fields, istio::DefaultTrafficPolicy& object) {
  optional(fields, "connectionPool", object.connectionPool, Message<istio::ConnectionPool>{}, "of hosts without one");
  optional(fields, "outlierDetection", object.outlierDetection, Message<istio::OutlierDetection>{},
           "of hosts without one; switches no failover on");
}

void Grammar<istio::MeshConfig>::describe(Fields& fields, istio::MeshConfig& object) {
  optional(fields, "rootNamespace", object.rootNamespace, any_text, "default: istio-system");
  optional(fields, "connectTimeout", object.connectTimeout, GoDuration{}, "default: 10s");
  optional(fields, "dnsRefreshRate", object.dnsRefreshRate, GoDuration{}, "default: 60s");
  optional(fields, "localityLbSetting", object.localityLbSetting, Message<istio::LocalityLbSetting>{},
           "of hosts whose rule has none");
  optional(fields, "zoneAwareLbSetting", object.zoneAwareLbSetting, Message<istio::ZoneAwareLbSetting>{}, "1.31");
  optional(fields, "defaultTrafficPolicy", object.defaultTrafficPolicy, Message<istio::DefaultTrafficPolicy>{}, "1.31");
  optional(fields, "defaultHttpRetryPolicy", object.defaultHttpRetryPolicy, Message<istio::HttpRetry>{},
           "of routes without one");
  optional(fields, "serviceSettings", object.serviceSettings, Items<Message<istio::ServiceSetting>>{}, "by host");
  const WordFor<bool> upgrade{{{"DO_NOT_UPGRADE", false}, {"UPGRADE", true}}};
  optional(fields, "h2UpgradePolicy", object.h2Upgrade, upgrade, "of rules without one");
  optional(fields, "defaultDestinationRuleExportTo", object.defaultDestinationRuleExportTo, some_texts,
           "of rules without one");
}

void Grammar<istio::Network::Gateway>::describe(Fields& fields, istio::Network::Gateway& object) {
  optional(fields, "address", object.address, any_text, "of the gateway");
  optional(fields, "port", object.port, Uint32{}, "of the gateway");
  fields.without_influence({"locality"});
  fields.not_simulated("registryServiceName", "gateways are named by their address");
}

void Grammar<istio::Network>::describe(Fields& fields, istio::Network& object) {
  nested<std::vector<NetworkEndpoint>>(fields, "endpoints", Items<Message<NetworkEndpoint>>{}, "what is in it",
                                       [&](const std::vector<NetworkEndpoint>& endpoints) {
                                         for (const NetworkEndpoint& endpoint : endpoints) {
                                           if (!endpoint.fromRegistry.empty()) {
                                             object.registries.push_back(endpoint.fromRegistry);
                                           }
                                         }
                                       });
  optional(fields, "gateways", object.gateways, Items<Message<istio::Network::Gateway>>{}, "ways into it");
}

}  // namespace spillway::messages
