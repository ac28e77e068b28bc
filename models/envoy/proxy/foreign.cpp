#include "models/envoy/proxy/foreign.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "models/documents/problem.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

constexpr const char* config_dump = "give the proxy's configuration instead: curl ADMIN/config_dump?include_eds";

// The API groups of Kubernetes whose objects end in an Envoy's configuration, by how their name ends.
struct Group {
  std::string_view ending;
  const char* owner;
  const char* help;
};

constexpr std::array groups = std::to_array<Group>({
    {"istio.io", "Istio", "give a scenario with it and its services in `resources`, or the proxy's config_dump"},
    {"gateway.envoyproxy.io", "Envoy Gateway",
     "give the proxy's configuration instead: egctl config envoy-proxy all, or the proxy's config_dump"},
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

std::optional<Foreign> object_of_kubernetes(const documents::Node& root) {
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
std::optional<Foreign> document_of_kuma(const documents::Node& root) {
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

// `items:` of Kuma's documents, as `kumactl get ... -o yaml` prints them.
std::optional<Foreign> list_of_kuma(const documents::Node& root) {
  const documents::Member* const items = root.find("items");
  const bool some = items != nullptr && items->value.kind == documents::Kind::array && !items->value.items.empty() &&
                    items->value.items.front().kind == documents::Kind::object;
  if (!some || !document_of_kuma(items->value.items.front())) {
    return std::nullopt;
  }
  return Foreign{"a list of Kuma's documents", "give a scenario that names its file in `policies` or `resources`"};
}

// Documents of everyday programs, by keys that they have together at the top.
struct Everyday {
  std::array<std::string_view, 2> keys;  // the second may be empty
  const char* what;
  const char* help;
};

constexpr const char* no_traffic = "it does not say where requests go; `spillway docs tutorial` shows a scenario";

constexpr std::array everyday = std::to_array<Everyday>({
    {{"jobs", "on"}, "a workflow of GitHub Actions", no_traffic},
    {{"runs", "inputs"}, "an action of GitHub", no_traffic},
    {{"stages", "script"}, "a pipeline of GitLab", no_traffic},
    {{"openapi", "paths"}, "a description of an API (OpenAPI)", no_traffic},
    {{"swagger", "paths"}, "a description of an API (Swagger)", no_traffic},
    {{"scrape_configs", ""},
     "a configuration of Prometheus",
     "`spillway import --prometheus` reads the answer to a query"},
    {{"groups", "rules"}, "rules of Prometheus", no_traffic},
    {{"status", "data"},
     "an answer of Prometheus",
     "give it with the proxy's configuration: `spillway import --prometheus FILE`"},
    {{"dependencies", "version"}, "a package of a program (package.json)", no_traffic},
    {{"devDependencies", ""}, "a package of a program (package.json)", no_traffic},
    {{"scripts", "dependencies"}, "a package of a program (package.json)", no_traffic},
    {{"replicaCount", ""},
     "values of a Helm chart",
     "render it with `helm template`, and give the configuration of its proxies"},
    {{"receivers", "service"}, "a configuration of OpenTelemetry's collector", no_traffic},
    {{"terraform_version", ""}, "a state of Terraform", no_traffic},
    {{"frontends", "backends"},
     "a configuration of HAProxy's kind",
     "Spillway reads Envoy's, Kuma's and Istio's documents"},
    {{"http", "entryPoints"}, "a configuration of Traefik", "Spillway reads Envoy's, Kuma's and Istio's documents"},
    {{"format_version", "epochs"},
     "what Spillway printed as JSON",
     "it is a result; give the scenario that it came from"},
    {{"format_version", "scenario"},
     "what Spillway printed as JSON",
     "it is a result; give the scenario that it came from"},
    {{"root_group", "metrics"}, "a summary of k6", no_traffic},
});

// Services of docker-compose are an object of containers.
bool is_compose(const documents::Node& root) {
  const documents::Member* const services = root.find("services");
  return services != nullptr && services->value.kind == documents::Kind::object &&
         std::any_of(services->value.members.begin(), services->value.members.end(),
                     [](const documents::Member& service) {
                       return service.value.find("image") != nullptr || service.value.find("build") != nullptr;
                     });
}

std::optional<Foreign> of_an_everyday_program(const documents::Node& root) {
  if (is_compose(root)) {
    return Foreign{
        "a configuration of docker-compose",
        "a scenario's `services` are a list: `services: [{ name: web, endpoints: [{ count: 2, zone: a }] }]`"};
  }
  for (const Everyday& one : everyday) {
    if (root.find(one.keys[0]) != nullptr && (one.keys[1].empty() || root.find(one.keys[1]) != nullptr)) {
      return Foreign{one.what, one.help};
    }
  }
  if (text_at(root, "$schema").starts_with("http") && root.find("properties") != nullptr) {
    return Foreign{"a JSON Schema", no_traffic};
  }
  return std::nullopt;
}

// Keys that nothing but this has, at the top of a document.
std::optional<Foreign> by_keys(const documents::Node& root) {
  const auto has = [&](std::string_view key) { return root.find(key) != nullptr; };
  if (has("xdsIR") || has("infraIR") || has("backendTrafficPolicies") || has("envoyPatchPolicies") ||
      has("envoyProxyForGatewayClass") || has("httpRoutes") || (has("gateways") && has("gatewayClass"))) {
    return Foreign{"resources of Envoy Gateway before it makes xDS of them",
                   "give the translated resources: egctl x translate --to xds"};
  }
  if (has("hot_restart_version")) {
    return Foreign{"the answer of /server_info", "give it with the config_dump"};
  }
  return of_an_everyday_program(root);
}

}  // namespace

std::optional<Foreign> recognise_foreign(const documents::Node& root) {
  if (root.kind != documents::Kind::object) {
    return std::nullopt;
  }
  if (auto object = object_of_kubernetes(root)) {
    return object;
  }
  if (auto document = document_of_kuma(root)) {
    return document;
  }
  if (auto list = list_of_kuma(root)) {
    return list;
  }
  return by_keys(root);
}

std::optional<Foreign> recognise_no_scenario(const documents::Node& root) {
  const documents::Node& one = root.kind == documents::Kind::array && !root.items.empty() ? root.items.front() : root;
  switch (kind_of(one)) {
    case Kind::bootstrap:
    case Kind::cluster:
    case Kind::load_assignment:
    case Kind::route_configuration:
    case Kind::scoped_route_configuration:
    case Kind::listener:
    case Kind::discovery_response:
    case Kind::secret:
    case Kind::counters:
    case Kind::server_info:
      return Foreign{"a document of Envoy", "`spillway share` and `spillway explain` read it"};
    case Kind::kubernetes:
    case Kind::other:
      break;
    case Kind::scenario:
      return is_compose(one) ? of_an_everyday_program(one) : std::nullopt;
    case Kind::cluster_list:  // or a scenario with little in it
      return std::nullopt;
  }
  if (const documents::Member* const configs = one.find("configs"); configs != nullptr) {
    return Foreign{"a config_dump of Envoy", "`spillway share` and `spillway explain` read it"};
  }
  return recognise_foreign(one);
}

Diagnostic foreign_document(const Foreign& foreign, Span where) {
  return with_help(error("SP149", "a document that is not read by itself", where, "this is " + foreign.what),
                   foreign.help);
}

}  // namespace spillway::proxy
