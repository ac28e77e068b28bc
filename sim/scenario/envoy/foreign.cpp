#include "sim/scenario/envoy/foreign.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/scenario/envoy/kinds.hpp"
#include "sim/scenario/problem.hpp"

namespace spillway::scenario::envoy_documents {
namespace {

constexpr const char* config_dump = "give what the proxy made of it: curl ADMIN/config_dump?include_eds";

// The API groups of Kubernetes whose objects end in an Envoy's configuration, by how their name ends.
struct Group {
  std::string_view ending;
  const char* owner;
  const char* help;
};

constexpr std::array groups = std::to_array<Group>({
    {"istio.io", "Istio", "give a scenario with it and its services in `resources`, or the proxy's config_dump"},
    {"gateway.envoyproxy.io", "Envoy Gateway",
     "give what it makes of it: egctl config envoy-proxy all, or the proxy's config_dump"},
    {"projectcontour.io", "Contour", config_dump},
    {"getambassador.io", "Emissary", config_dump},
    {"gateway.solo.io", "Gloo", config_dump},
    {"gloo.solo.io", "Gloo", config_dump},
    {"kgateway.dev", "kgateway", config_dump},
    {"consul.hashicorp.com", "Consul", config_dump},
    {"cilium.io", "Cilium", config_dump},
    {"openservicemesh.io", "Open Service Mesh", config_dump},
    {"linkerd.io", "Linkerd", "its proxies are not Envoy"},
    {"gateway.networking.k8s.io", "the Gateway API", config_dump},
    {"gateway.networking.x-k8s.io", "the Gateway API", config_dump},
    {"networking.k8s.io", "Kubernetes", config_dump},
    {"discovery.k8s.io", "Kubernetes", "give a scenario with it and its service in `resources`"},
    {"apiextensions.k8s.io", "Kubernetes", "it describes documents; give the documents themselves"},
    {"kuma.io", "Kuma", "give a scenario with it in `policies` or `resources`, or the proxy's config_dump"},
});

std::string with_article(const std::string& kind) {
  const bool vowel = std::string_view("AEIOUaeiou").find(kind.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + kind;
}

std::optional<Foreign> object_of_kubernetes(const document::Node& root) {
  const std::string version = text_at(root, "apiVersion");
  const std::string kind = text_at(root, "kind");
  if (version.empty() || kind.empty()) {
    return std::nullopt;
  }
  const std::string group = version.substr(0, version.find('/'));
  const auto* const found = std::find_if(groups.begin(), groups.end(), [&](const Group& of) {
    return group == of.ending || group.ends_with("." + std::string(of.ending));
  });
  if (found != groups.end()) {
    return Foreign{with_article(kind) + " of " + found->owner, found->help};
  }
  if (group == "v1" || group == "apps" || group == "batch" || group == "policy" || group.ends_with(".k8s.io")) {
    return Foreign{with_article(kind) + " of Kubernetes", "no configuration of an Envoy is in it"};
  }
  return Foreign{with_article(kind) + " of " + group, config_dump};
}

// Kuma's documents outside Kubernetes: `type: MeshTimeout`.
std::optional<Foreign> document_of_kuma(const document::Node& root) {
  const std::string type = text_at(root, "type");
  const bool known = type.starts_with("Mesh") || type.starts_with("Zone") || type == "Dataplane" ||
                     type == "ExternalService" || type == "HostnameGenerator" || type.starts_with("Traffic");
  if (!known || root.find("@type") != nullptr) {
    return std::nullopt;
  }
  return Foreign{
      with_article(type) + " of Kuma",
      "give a scenario with it in `policies` or `resources`, or kumactl inspect dataplane --type=config-dump"};
}

// Keys that nothing but this has, at the top of a document.
std::optional<Foreign> by_keys(const document::Node& root) {
  const auto has = [&](std::string_view key) { return root.find(key) != nullptr; };
  if (has("xdsIR") || has("infraIR") || has("backendTrafficPolicies") || has("envoyPatchPolicies")) {
    return Foreign{"resources of Envoy Gateway before it makes xDS of them",
                   "give what it makes of them: egctl x translate --to xds"};
  }
  if (has("hot_restart_version")) {
    return Foreign{"the answer of /server_info", "give it beside the config_dump"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Foreign> recognise_foreign(const document::Node& root) {
  if (root.kind != document::Kind::object) {
    return std::nullopt;
  }
  if (auto object = object_of_kubernetes(root)) {
    return object;
  }
  if (auto document = document_of_kuma(root)) {
    return document;
  }
  return by_keys(root);
}

Diagnostic foreign_document(const Foreign& foreign, Span where) {
  return with_help(error("SP149", "a document that is not read by itself", where, "this is " + foreign.what),
                   foreign.help);
}

}  // namespace spillway::scenario::envoy_documents
