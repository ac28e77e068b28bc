#include "models/istio/messages/document.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/istio/messages/destination_rule.hpp"
#include "models/istio/messages/resources.hpp"
#include "models/istio/messages/unsimulated.hpp"
#include "models/istio/messages/virtual_service.hpp"

namespace spillway::messages {

namespace {

using documents::Node;
using grammar::Schema;

constexpr std::string_view istio_group = "networking.istio.io/";
constexpr std::string_view operator_group = "install.istio.io/";
constexpr std::string_view slices_group = "discovery.k8s.io/";
constexpr std::string_view core_group = "v1";
constexpr std::string_view gateway_group = "gateway.networking.k8s.io/";
constexpr std::string_view kuma_group = "kuma.io/";

// The form of a kind: its API group, and whether its fields are in `spec`.
template <class Body>
struct KindOf;
template <>
struct KindOf<istio::KubernetesService> {
  static constexpr const char* kind = "Service";
  static constexpr std::string_view group = core_group;
};
template <>
struct KindOf<istio::EndpointSlice> {
  static constexpr const char* kind = "EndpointSlice";
  static constexpr std::string_view group = slices_group;
};
template <>
struct KindOf<istio::Pod> {
  static constexpr const char* kind = "Pod";
  static constexpr std::string_view group = core_group;
};
template <>
struct KindOf<istio::Node> {
  static constexpr const char* kind = "Node";
  static constexpr std::string_view group = core_group;
};
template <>
struct KindOf<istio::Namespace> {
  static constexpr const char* kind = "Namespace";
  static constexpr std::string_view group = core_group;
};
template <>
struct KindOf<istio::ServiceEntry> {
  static constexpr const char* kind = "ServiceEntry";
  static constexpr std::string_view group = istio_group;
};
template <>
struct KindOf<istio::WorkloadEntry> {
  static constexpr const char* kind = "WorkloadEntry";
  static constexpr std::string_view group = istio_group;
};
template <>
struct KindOf<istio::DestinationRule> {
  static constexpr const char* kind = "DestinationRule";
  static constexpr std::string_view group = istio_group;
};
template <>
struct KindOf<istio::VirtualService> {
  static constexpr const char* kind = "VirtualService";
  static constexpr std::string_view group = istio_group;
};
template <>
struct KindOf<istio::Sidecar> {
  static constexpr const char* kind = "Sidecar";
  static constexpr std::string_view group = istio_group;
};
template <>
struct KindOf<IstioOperator> {
  static constexpr const char* kind = "IstioOperator";
  static constexpr std::string_view group = operator_group;
};

// Kinds that do not affect where requests go; manifests and `kubectl get -o yaml` have them next to the others.
constexpr std::array passed_over = {"Gateway",
                                    "ProxyConfig",
                                    "WorkloadGroup",
                                    "ServiceAccount",
                                    "ConfigMap",
                                    "Secret",
                                    "Endpoints",
                                    "PersistentVolumeClaim",
                                    "PersistentVolume",
                                    "ReplicationController",
                                    "LimitRange",
                                    "ResourceQuota",
                                    "Event",
                                    "Deployment",
                                    "StatefulSet",
                                    "DaemonSet",
                                    "ReplicaSet",
                                    "Job",
                                    "CronJob",
                                    "HorizontalPodAutoscaler",
                                    "PodDisruptionBudget",
                                    "NetworkPolicy",
                                    "Ingress",
                                    "IngressClass",
                                    "Role",
                                    "RoleBinding",
                                    "ClusterRole",
                                    "ClusterRoleBinding",
                                    "CustomResourceDefinition",
                                    "MutatingWebhookConfiguration",
                                    "ValidatingWebhookConfiguration",
                                    "PeerAuthentication",
                                    "RequestAuthentication",
                                    "AuthorizationPolicy",
                                    "Telemetry",
                                    "WasmPlugin"};

// A document with its body.
template <class Body>
struct Enclosed {
  static inline const std::string definition = std::string("istio.Document.") + KindOf<Body>::kind;
  istio::Meta meta;
  Body body;
};

template <class Body>
constexpr bool is_flat = std::is_same_v<Body, istio::EndpointSlice> || std::is_same_v<Body, istio::Pod> ||
                         std::is_same_v<Body, istio::Node> || std::is_same_v<Body, istio::Namespace>;
template <class Body>
constexpr bool is_kubernetes = is_flat<Body> || std::is_same_v<Body, istio::KubernetesService>;

template <class Body>
void describe(Fields& fields, Enclosed<Body>& written) {
  Field<std::string> api_version;
  Field<std::size_t> kind;
  fields.required("apiVersion", api_version, any_text, "of the kind");
  fields.required("kind", kind, grammar::Choice{{KindOf<Body>::kind}}, "of the document");
  optional(fields, "metadata", written.meta, Open<istio::Meta>{}, "its name, namespace and labels");
  if constexpr (std::is_same_v<Body, istio::Node> || std::is_same_v<Body, istio::Namespace>) {
    fields.without_influence({"spec", "status"});
  } else if constexpr (is_flat<Body>) {
    Grammar<Body>::describe(fields, written.body);
  } else if constexpr (is_kubernetes<Body>) {
    optional(fields, "spec", written.body, Open<Body>{}, "its specification");
    fields.without_influence({"status"});
  } else {
    optional(fields, "spec", written.body, Message<Body>{}, "its specification");
    fields.without_influence({"status"});
  }
}

template <class Body>
void read_as(const Node& node, IstioDocument& into, Diagnostics& problems) {
  Enclosed<Body> written;
  Fields fields(node, problems);
  describe(fields, written);
  if constexpr (!is_kubernetes<Body>) {
    fields.finish();
  }
  written.meta.kind = KindOf<Body>::kind;
  into.meta = written.meta;
  if constexpr (requires { written.body.meta; }) {
    written.body.meta = written.meta;
  }
  into.body = std::move(written.body);
}

std::string_view text_of(const Node& node, std::string_view key) {
  const documents::Member* const member = node.find(key);
  return member == nullptr ? std::string_view() : std::string_view(member->value.text);
}

bool in_group(std::string_view api_version, std::string_view group) {
  return group.ends_with('/') ? api_version.starts_with(group) : api_version == group;
}

template <class... Bodies>
bool read_kind(const Node& node, IstioDocument& into, Diagnostics& problems,
               std::variant<std::monostate, Bodies...>* /*kinds*/) {
  const std::string_view kind = text_of(node, "kind");
  const std::string_view api_version = text_of(node, "apiVersion");
  return ((kind == KindOf<Bodies>::kind && in_group(api_version, KindOf<Bodies>::group) &&
           (read_as<Bodies>(node, into, problems), true)) ||
          ...);
}

template <class... Bodies>
std::vector<std::string> kinds_read(std::variant<std::monostate, Bodies...>* /*kinds*/) {
  return {KindOf<Bodies>::kind...};
}

template <class... Bodies>
void add_all_schemas(std::vector<Schema>& forms, grammar::Definitions& definitions,
                     std::variant<std::monostate, Bodies...>* /*kinds*/) {
  const auto add = [&]<class Body>(std::type_identity<Body>) {
    forms.push_back(grammar::Record<Enclosed<Body>>{}.schema(definitions));
    definitions[Enclosed<Body>::definition].open = is_kubernetes<Body>;
  };
  (add(std::type_identity<Bodies>{}), ...);
}

constexpr IstioBody* all_bodies = nullptr;

struct OperatorGlobal {
  std::vector<istio::Network> networks;
};
struct OperatorValues {
  OperatorGlobal global;
};

}  // namespace

template <>
struct Grammar<OperatorGlobal> {
  static constexpr const char* definition = "istio.IstioOperator.Global";
  static void describe(Fields& fields, OperatorGlobal& global) {
    optional(fields, "meshNetworks", global.networks, MeshNetworksShape{}, "networks and their gateways");
  }
};
template <>
struct Grammar<OperatorValues> {
  static constexpr const char* definition = "istio.IstioOperator.Values";
  static void describe(Fields& fields, OperatorValues& values) {
    optional(fields, "global", values.global, Open<OperatorGlobal>{}, "of the chart");
  }
};
template <>
struct Grammar<IstioOperator> {
  static constexpr const char* definition = "istio.IstioOperator";
  static void describe(Fields& fields, IstioOperator& installed) {
    optional(fields, "meshConfig", installed.mesh, Open<istio::MeshConfig>{}, "of the mesh");
    nested<OperatorValues>(fields, "values", Open<OperatorValues>{}, "of the chart",
                           [&](OperatorValues values) { installed.networks = std::move(values.global.networks); });
    fields.without_influence({"profile", "components", "revision", "hub", "tag", "namespace"});
  }
};

namespace {

void move_to(const Span& place, Node& node) {
  node.span = place;
  for (documents::Member& member : node.members) {
    member.key_span = place;
    move_to(place, member.value);
  }
  for (Node& item : node.items) {
    move_to(place, item);
  }
}

// Parses a text that is a document of its own. Every place in it is that of the text.
std::optional<Node> read_within(const documents::Member& text, Diagnostics& problems) {
  Sources sources = {{text.key + ".yaml", text.value.text}};
  Diagnostics within;
  std::optional<Node> node = documents::parse(sources, 0, within);
  for (Diagnostic& problem : within) {
    problem.where = text.value.span;
    problems.push_back(std::move(problem));
  }
  if (node) {
    move_to(text.value.span, *node);
  }
  return node;
}

// Reads the ConfigMap that contains istiod's mesh configuration: `mesh` and `meshNetworks` are YAML texts in it.
bool read_installed(const Node& node, IstioDocument& into, Diagnostics& problems) {
  const documents::Member* const metadata = node.find("metadata");
  const documents::Member* const data = node.find("data");
  const documents::Member* const mesh = data == nullptr ? nullptr : data->value.find("mesh");
  const bool installed = into.meta.kind == "ConfigMap" && metadata != nullptr && mesh != nullptr &&
                         mesh->value.kind == documents::Kind::string &&
                         text_of(metadata->value, "name").starts_with("istio");
  if (!installed) {
    return false;
  }
  read_names(node, into.meta);
  IstioOperator body;
  if (const auto written = read_within(*mesh, problems)) {
    MeshConfigShape{}.read(*written, body.mesh, "mesh", problems);
  }
  const documents::Member* const networks = data->value.find("meshNetworks");
  if (networks != nullptr && networks->value.kind == documents::Kind::string) {
    const auto written = read_within(*networks, problems);
    if (written && written->find("networks") != nullptr && !written->find("networks")->value.members.empty()) {
      MeshNetworksShape{}.read(*written, body.networks, "meshNetworks", problems);
    }
  }
  into.body = std::move(body);
  return true;
}

// True for a document of a program that is neither Istio nor Kuma, such as a Rollout or a ServiceMonitor: it is not
// simulated. Not for routes of the Gateway API, nor for a kind that is read, whose `apiVersion` is then misspelled.
bool is_of_other_program(std::string_view version, std::string_view kind) {
  const std::vector<std::string> read = kinds_read(all_bodies);
  return version.find('/') != std::string_view::npos && !version.starts_with(kuma_group) &&
         version.find(".istio.io/") == std::string_view::npos && !kind.empty() && !kind.starts_with("Mesh") &&
         !(version.starts_with(gateway_group) && kind.ends_with("Route")) &&
         std::find(read.begin(), read.end(), kind) == read.end();
}

}  // namespace

bool is_istios_own(const IstioDocument& document) {
  // A document without a node could not be read.
  return !std::holds_alternative<std::monostate>(document.body) ||
         (document.node != nullptr &&
          text_of(*document.node, "apiVersion").find(".istio.io/") != std::string_view::npos);
}

bool is_istio_document(const Node& node) {
  const std::string_view version = node.kind == documents::Kind::object ? text_of(node, "apiVersion") : "";
  for (const std::string_view group : {istio_group, operator_group, slices_group, gateway_group}) {
    if (version.starts_with(group)) {
      return true;
    }
  }
  // Includes groups of former releases: config.istio.io, authentication.istio.io.
  if (version.find(".istio.io/") != std::string_view::npos) {
    return true;
  }
  const std::string_view kind = node.kind == documents::Kind::object ? text_of(node, "kind") : "";
  const bool other = !version.empty() && !version.starts_with(kuma_group) &&
                     std::find(passed_over.begin(), passed_over.end(), kind) != passed_over.end();
  return other || (version == core_group && kind != "List") || is_of_other_program(version, kind);
}

bool IstioDocumentShape::read(const Node& node, Value& into, std::string_view /*what*/, Diagnostics& problems) const {
  const documents::Member* const kind = node.find("kind");
  if (kind == nullptr) {
    problems.error("SP021", node.span, "missing key `kind`", "has no `kind`");
    return false;
  }
  into.node = &node;
  into.where = kind->value.span;
  const std::size_t before = problems.size();
  if (read_kind(node, into, problems, all_bodies)) {
    if (auto* const installed = std::get_if<IstioOperator>(&into.body)) {
      installed->environment = read_environment(node, problems);
    }
    name_unsimulated(node, problems);
    into.clean = !has_errors({problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end()});
    return true;
  }
  into.meta.kind = kind->value.text;
  if (read_installed(node, into, problems)) {
    into.clean = !has_errors({problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end()});
    return true;
  }
  if (std::find(passed_over.begin(), passed_over.end(), into.meta.kind) != passed_over.end()) {
    const bool scales = into.meta.kind == "HorizontalPodAutoscaler";
    problems.push_back(is_waypoint(node)
                           ? warning("SP714", into.where, "waypoints are not simulated",
                                     "requests of clients with sidecars do not go through it; others are refused")
                           : warning("SP650", into.where, "`{}` is ignored", "{}",
                                     {into.meta.kind, scales ? "replicas are taken as they are now"
                                                             : "has no influence on where requests of sidecars go"}));
    return true;
  }
  // The proxies that it changes are determined later.
  if (into.meta.kind == "EnvoyFilter") {
    read_names(node, into.meta);
    into.clean = true;
    return true;
  }
  if (is_of_other_program(text_of(node, "apiVersion"), into.meta.kind)) {
    problems.push_back(
        warning("SP650", into.where, "`{}` is ignored", "of another program: it is not simulated", {into.meta.kind}));
    return true;
  }
  Diagnostic problem = error("SP651", into.where, "a document of kind `{}` is not supported",
                             "not among the kinds that are read", {into.meta.kind});
  problem.notes.push_back("the kinds that are read are " + grammar::listed(kinds_read(all_bodies), "and"));
  problems.push_back(std::move(problem));
  return false;
}

void IstioDocumentShape::add_schemas(std::vector<Schema>& forms, grammar::Definitions& definitions) {
  add_all_schemas(forms, definitions, all_bodies);
  Schema kind;
  kind.enumeration.assign(passed_over.begin(), passed_over.end());
  kind.description = "a kind that leaves the shares alone";
  Schema other;
  other.type = "object";
  other.open = true;
  other.properties.push_back({"kind", kind});
  other.exactly_one.push_back({"kind"});
  forms.push_back(std::move(other));
}

bool MeshConfigShape::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  return Open<istio::MeshConfig>{}.read(node, into, what, problems);
}

bool MeshNetworksShape::read(const Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  const documents::Member* const wrapped = node.find("networks");
  grammar::MapOf<Message<istio::Network>>::Value entries;
  if (!grammar::MapOf<Message<istio::Network>>{}.read(wrapped == nullptr ? node : wrapped->value, entries, what,
                                                      problems)) {
    return false;
  }
  for (auto& entry : entries) {
    entry.value.value.name = entry.name;
    into.push_back(std::move(entry.value.value));
  }
  return true;
}

Schema MeshNetworksShape::schema(grammar::Definitions& definitions) const {
  return grammar::MapOf<Message<istio::Network>>{}.schema(definitions);
}

}  // namespace spillway::messages
