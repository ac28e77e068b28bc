#include "sim/scenario/pasted/fragments.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace spillway::scenario::pasted {
namespace {

using documents::Node;

bool has_key(const Node& node, std::initializer_list<const char*> keys) {
  return node.kind == documents::Kind::object &&
         std::any_of(keys.begin(), keys.end(), [&](const char* key) { return node.find(key) != nullptr; });
}

Node take_whole(Node& node) {
  Node taken = std::move(node);
  node = object_at(taken.span);
  return taken;
}

// Nests a document below these keys: `localityLbSetting` in `loadBalancer` in `trafficPolicy`.
void put_below(Node& document, std::initializer_list<const char*> keys) {
  for (auto key = std::rbegin(keys); key != std::rend(keys); ++key) {
    Node inner = take_whole(document);
    add_member(document, *key, std::move(inner));
  }
}

constexpr const char* istio_version = "networking.istio.io/v1";

struct KnownKind {
  const char* kind;
  const char* version;
};
constexpr std::array known_kinds = std::to_array<KnownKind>({
    {"DestinationRule", istio_version},
    {"VirtualService", istio_version},
    {"ServiceEntry", istio_version},
    {"WorkloadEntry", istio_version},
    {"Sidecar", istio_version},
    {"IstioOperator", "install.istio.io/v1alpha1"},
    {"Service", "v1"},
    {"Pod", "v1"},
    {"Node", "v1"},
    {"Deployment", "apps/v1"},
    {"StatefulSet", "apps/v1"},
    {"EndpointSlice", "discovery.k8s.io/v1"},
    {"HTTPRoute", "gateway.networking.k8s.io/v1"},
    {"GRPCRoute", "gateway.networking.k8s.io/v1"},
    {"MeshLoadBalancingStrategy", "kuma.io/v1alpha1"},
    {"MeshCircuitBreaker", "kuma.io/v1alpha1"},
    {"MeshHealthCheck", "kuma.io/v1alpha1"},
    {"MeshHTTPRoute", "kuma.io/v1alpha1"},
    {"MeshTCPRoute", "kuma.io/v1alpha1"},
    {"MeshRetry", "kuma.io/v1alpha1"},
    {"MeshTimeout", "kuma.io/v1alpha1"},
    {"MeshService", "kuma.io/v1alpha1"},
    {"BackendTrafficPolicy", "gateway.envoyproxy.io/v1alpha1"},
    {"Rollout", "argoproj.io/v1alpha1"},
});

// Returns the kind of an Istio document with this `spec`, after adding the enclosing keys that are missing; null if
// there is none.
const char* istio_kind_of(Node& spec) {
  if (has_key(spec, {"meshConfig"})) {
    return "IstioOperator";
  }
  if (has_key(spec, {"circuitBreaker", "healthCheck"}) ||
      (has_key(spec, {"loadBalancer"}) && has_key(spec.find("loadBalancer")->value, {"type", "zoneAware"}))) {
    return "BackendTrafficPolicy";
  }
  if (has_key(spec, {"hosts"}) && has_key(spec, {"endpoints", "resolution", "ports"}) && !has_key(spec, {"http"})) {
    return "ServiceEntry";
  }
  if ((has_key(spec, {"hosts"}) && has_key(spec, {"http", "tcp", "tls"})) || (has_key(spec, {"http"}))) {
    return "VirtualService";
  }
  if (has_key(spec, {"distribute", "failover", "failoverPriority"})) {
    put_below(spec, {"trafficPolicy", "loadBalancer", "localityLbSetting"});
  } else if (has_key(spec, {"localityLbSetting", "simple", "consistentHash", "warmup"}) && !has_key(spec, {"host"})) {
    put_below(spec, {"trafficPolicy", "loadBalancer"});
  } else if (has_key(spec, {"consecutive5xxErrors", "consecutiveGatewayErrors", "baseEjectionTime"})) {
    put_below(spec, {"trafficPolicy", "outlierDetection"});
  } else if (has_key(spec, {"outlierDetection", "connectionPool", "loadBalancer"}) &&
             !has_key(spec, {"trafficPolicy", "host"})) {
    put_below(spec, {"trafficPolicy"});
  }
  return has_key(spec, {"trafficPolicy", "subsets", "host"}) ? "DestinationRule" : nullptr;
}

// Returns the type of a Kuma policy with these keys in `default`; null if there is none.
const char* kuma_type_of(const Node& conf) {
  return has_key(conf, {"localityAwareness", "loadBalancer", "hashPolicies"}) ? "MeshLoadBalancingStrategy"
         : has_key(conf, {"connectionLimits", "outlierDetection"})            ? "MeshCircuitBreaker"
         : has_key(conf, {"unhealthyThreshold", "healthyThreshold", "healthyPanicThreshold"}) ? "MeshHealthCheck"
                                                                                              : nullptr;
}

const char* kuma_type_of_spec(const Node& spec) {
  const documents::Member* const to = spec.find("to");
  if (to == nullptr || to->value.items.empty() || to->value.items.front().kind != documents::Kind::object) {
    return nullptr;
  }
  const Node& first = to->value.items.front();
  if (const documents::Member* const rules = first.find("rules")) {
    const bool matches = std::any_of(rules->value.items.begin(), rules->value.items.end(),
                                     [](const Node& rule) { return has_key(rule, {"matches"}); });
    return matches ? "MeshHTTPRoute" : "MeshTCPRoute";
  }
  const documents::Member* const conf = first.find("default");
  return conf == nullptr ? nullptr : kuma_type_of(conf->value);
}

void put_in_document(Node& spec, const char* kind, const char* version) {
  Node inner = take_whole(spec);
  const Span place = inner.span;
  add_member(spec, "apiVersion", text_at_place(place, version));
  add_member(spec, "kind", text_at_place(place, kind));
  Node names = object_at(place);
  add_member(names, "name", text_at_place(place, "pasted"));
  add_member(spec, "metadata", std::move(names));
  if (std::string_view(kind) == "DestinationRule" && inner.find("host") == nullptr) {
    add_member(inner, "host", text_at_place(place, "example"));
  }
  if (std::string_view(kind) == "VirtualService" && inner.find("hosts") == nullptr) {
    Node hosts = object_at(place);
    hosts.kind = documents::Kind::array;
    hosts.items.push_back(text_at_place(place, "example"));
    add_member(inner, "hosts", std::move(hosts));
  }
  add_member(spec, "spec", std::move(inner));
}

void put_in_kuma_document(Node& spec, const char* type) {
  Node inner = take_whole(spec);
  const Span place = inner.span;
  add_member(spec, "type", text_at_place(place, type));
  add_member(spec, "name", text_at_place(place, "pasted"));
  add_member(spec, "mesh", text_at_place(place, "default"));
  add_member(spec, "spec", std::move(inner));
}

// Nests the conf of a policy in `to` of a spec for every service.
void put_below_to(Node& conf) {
  Node inner = take_whole(conf);
  const Span place = inner.span;
  Node all = object_at(place);
  add_member(all, "kind", text_at_place(place, "Mesh"));
  Node entry = object_at(place);
  add_member(entry, "targetRef", std::move(all));
  add_member(entry, "default", std::move(inner));
  Node list = object_at(place);
  list.kind = documents::Kind::array;
  list.items.push_back(std::move(entry));
  add_member(conf, "to", std::move(list));
}

std::string complete_spec(Node& spec) {
  if (const char* const type = kuma_type_of_spec(spec)) {
    put_in_kuma_document(spec, type);
    return std::string("a part of a ") + type + " is read as a whole one";
  }
  if (has_key(spec, {"localityAwareness"})) {
    put_below_to(spec);
    put_in_kuma_document(spec, "MeshLoadBalancingStrategy");
    return "`localityAwareness` is read as that of a MeshLoadBalancingStrategy for every service";
  }
  const bool has_host = has_key(spec, {"host", "hosts", "meshConfig"});
  if (const char* const kind = istio_kind_of(spec)) {
    const bool installs = std::string_view(kind) == "IstioOperator";
    const auto known = std::find_if(known_kinds.begin(), known_kinds.end(),
                                    [&](const KnownKind& one) { return std::string_view(one.kind) == kind; });
    put_in_document(spec, kind, known->version);
    return std::string("a part of ") + (installs ? "an " : "a ") + kind + " is read as a whole one" +
           (has_host ? "" : ", for the host `example`");
  }
  return "";
}

// Adds the apiVersion of a known kind, and a name.
std::string complete_names(Node& document) {
  std::string added;
  const documents::Member* const kind = document.find("kind");
  const auto known = kind == nullptr ? known_kinds.end()
                                     : std::find_if(known_kinds.begin(), known_kinds.end(),
                                                    [&](const KnownKind& one) { return kind->value.text == one.kind; });
  const Span place = document.span;
  if (known != known_kinds.end() && document.find("apiVersion") == nullptr) {
    added = "`apiVersion: " + std::string(known->version) + "` of a " + known->kind + " without one";
    add_member(document, "apiVersion", text_at_place(place, known->version));
  }
  const documents::Member* const metadata = document.find("metadata");
  const bool unnamed = metadata == nullptr ||
                       (metadata->value.kind == documents::Kind::object && metadata->value.find("name") == nullptr);
  const bool operates = kind != nullptr && kind->value.text == "IstioOperator";
  if (known != known_kinds.end() && unnamed && !operates) {
    std::erase_if(document.members, [](const documents::Member& member) {
      return member.key == "metadata" && member.value.kind != documents::Kind::object;
    });
    if (document.find("metadata") == nullptr) {
      add_member(document, "metadata", object_at(place));
    }
    for (documents::Member& member : document.members) {
      if (member.key == "metadata") {
        add_member(member.value, "name", text_at_place(place, "pasted"));
      }
    }
    added += (added.empty() ? "" : "; ") + std::string("the name `pasted` of a ") + known->kind + " without one";
  }
  return added;
}

}  // namespace

Node object_at(const Span& place) {
  Node node;
  node.kind = documents::Kind::object;
  node.span = place;
  return node;
}

Node text_at_place(const Span& place, std::string text) {
  Node node;
  node.kind = documents::Kind::string;
  node.span = place;
  node.text = std::move(text);
  return node;
}

void add_member(Node& object, const std::string& key, Node value) {
  const Span place = value.span;
  object.members.push_back({key, place, std::move(value)});
}

Node* member_of(Node& object, std::string_view key) {
  const auto found = std::find_if(object.members.begin(), object.members.end(),
                                  [&](const documents::Member& member) { return member.key == key; });
  return found == object.members.end() ? nullptr : &found->value;
}

std::string complete_fragment(Node& document) {
  if (document.find("kind") != nullptr) {
    return complete_names(document);
  }
  if (has_key(document,
              {"apiVersion", "type", "@type", "zones", "clients", "services", "static_resources", "clusters"})) {
    return "";
  }
  const documents::Member* const spec = document.find("spec");
  if (spec != nullptr && spec->value.kind == documents::Kind::object) {
    Node inner = spec->value;
    std::string what = complete_spec(inner);
    if (!what.empty()) {
      document = std::move(inner);
    }
    return what;
  }
  return complete_spec(document);
}

}  // namespace spillway::scenario::pasted
