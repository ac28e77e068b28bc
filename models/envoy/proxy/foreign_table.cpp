#include "models/envoy/proxy/foreign_table.hpp"

namespace spillway::proxy {
namespace {

constexpr std::string_view config_dump = "give the proxy's configuration instead: curl ADMIN/config_dump?include_eds";
constexpr std::string_view dump_of_contour =
    "give its Envoy's configuration: kubectl -n projectcontour port-forward ENVOY-POD 9001, and curl "
    "localhost:9001/config_dump?include_eds";
constexpr std::string_view dump_of_consul = "give the proxy's configuration: consul-k8s proxy read POD -o raw";
constexpr std::string_view dump_of_cilium =
    "give its Envoy's configuration: kubectl -n kube-system exec CILIUM-ENVOY-POD -- curl --unix-socket "
    "/var/run/cilium/envoy/sockets/admin.sock http://localhost/config_dump?include_eds";
constexpr std::string_view dump_of_gloo =
    "give the gateway's configuration: kubectl port-forward GATEWAY-POD 19000, and curl "
    "localhost:19000/config_dump?include_eds";
constexpr std::string_view dump_of_emissary =
    "give its Envoy's configuration: kubectl exec EMISSARY-POD -- curl localhost:8001/config_dump?include_eds";
constexpr std::string_view in_policies =
    "give a scenario with it in `policies` or `resources`, or kumactl inspect dataplane --type=config-dump";
constexpr std::string_view as_yaml = "give the documents themselves: kubectl get KIND NAME -o yaml";
constexpr std::string_view dump_of_istio =
    "give the proxy's configuration (istioctl proxy-config all POD -o json) or the documents (kubectl get KIND -o "
    "yaml)";
constexpr std::string_view as_yaml_of_kuma = "give the documents themselves: kumactl get KIND -o yaml";
constexpr std::string_view no_envoy = "no configuration of an Envoy is in it";
constexpr std::string_view part_of_mesh =
    "no configuration of an Envoy is in it: name it under `resources` of a scenario, or `spillway init` writes one";
constexpr std::string_view not_envoy = "its proxies are not Envoy";
constexpr std::string_view of_smi =
    "Linkerd's proxies are not Envoy; of a mesh with Envoys, give the proxy's configuration: curl "
    "ADMIN/config_dump?include_eds";
constexpr std::string_view routes_of_rollouts =
    "it changes weights of routes step by step; give them as they are at one step: kubectl get "
    "svc,pods,endpointslices,virtualservice,destinationrule -o yaml";
constexpr std::string_view no_traffic = "it does not say where requests go; `spillway docs tutorial` shows a scenario";
constexpr std::string_view reads_others = "Spillway reads Envoy's, Kuma's and Istio's documents";
constexpr std::string_view gateway_resources = "resources of Envoy Gateway before it makes xDS of them";
constexpr std::string_view translate = "give the translated resources: egctl x translate --to xds";
constexpr std::string_view build_it = "give what it makes of the documents: kustomize build FOLDER";
constexpr std::string_view printed_json = "what Spillway printed as JSON";
constexpr std::string_view a_result = "it is a result; give the scenario that it came from";

constexpr std::array table = [] {
  using enum ForeignMark;
  return std::to_array<ForeignDocument>({
      // The API groups of Kubernetes whose objects end in an Envoy's configuration come before those of no Envoy.
      {api_group,
       {"istio.io"},
       "Istio",
       "give a scenario with it and its services in `resources`, or the proxy's config_dump"},
      {api_group,
       {"aigateway.envoyproxy.io"},
       "Envoy AI Gateway",
       "give the routes that it makes: kubectl get httproutes,backends,backendtrafficpolicies,services -o yaml"},
      {api_group,
       {"gateway.envoyproxy.io"},
       "Envoy Gateway",
       "give the proxy's configuration instead: egctl config envoy-proxy all, or the proxy's config_dump"},
      {api_group, {"projectcontour.io"}, "Contour", dump_of_contour},
      {api_group, {"getambassador.io"}, "Emissary", dump_of_emissary},
      {api_group, {"gateway.solo.io"}, "Gloo", dump_of_gloo},
      {api_group, {"gloo.solo.io"}, "Gloo", dump_of_gloo},
      {api_group, {"kgateway.dev"}, "kgateway", dump_of_gloo},
      {api_group, {"consul.hashicorp.com"}, "Consul", dump_of_consul},
      {api_group, {"cilium.io"}, "Cilium", dump_of_cilium},
      {api_group, {"openservicemesh.io"}, "Open Service Mesh", config_dump},
      {api_group, {"linkerd.io"}, "Linkerd", not_envoy},
      {api_group, {"traefik.io"}, "Traefik", not_envoy},
      {api_group, {"traefik.containo.us"}, "Traefik", not_envoy},
      {api_group, {"nginx.org"}, "NGINX", not_envoy},
      {api_group, {"configuration.konghq.com"}, "Kong", not_envoy},
      {api_group, {"haproxy.org"}, "HAProxy", not_envoy},
      {api_group, {"argoproj.io"}, "Argo Rollouts", routes_of_rollouts},
      {api_group, {"flagger.app"}, "Flagger", routes_of_rollouts},
      {api_group, {"split.smi-spec.io"}, "SMI", of_smi},
      {api_group, {"specs.smi-spec.io"}, "SMI", of_smi},
      {api_group, {"appmesh.k8s.aws"}, "App Mesh", config_dump},
      {api_group, {"gateway.networking.k8s.io"}, "the Gateway API", config_dump},
      {api_group, {"gateway.networking.x-k8s.io"}, "the Gateway API", config_dump},
      {api_group,
       {"networking.k8s.io"},
       "Kubernetes",
       "a controller such as ingress-nginx reads it, whose proxies are not Envoy; of one with Envoys, give the proxy's "
       "configuration: curl ADMIN/config_dump?include_eds"},
      {api_group,
       {"networking.gke.io"},
       "Google Kubernetes Engine",
       "its load balancers are Google's, and print no configuration"},
      {api_group, {"elbv2.k8s.aws"}, "AWS", not_envoy},
      {api_group, {"discovery.k8s.io"}, "Kubernetes", "give a scenario with it and its service in `resources`"},
      {api_group, {"apiextensions.k8s.io"}, "Kubernetes", "it describes documents; give the documents themselves"},
      {api_group,
       {"kuma.io"},
       "Kuma",
       "give a scenario with it in `policies` or `resources`, or the proxy's config_dump"},
      {whole_api_group, {"v1"}, "Kubernetes", part_of_mesh},
      {whole_api_group, {"apps"}, "Kubernetes", part_of_mesh},
      {whole_api_group, {"batch"}, "Kubernetes", no_envoy},
      {whole_api_group, {"policy"}, "Kubernetes", no_envoy},
      {end_of_api_group, {".k8s.io"}, "Kubernetes", no_envoy},
      {any_api_group, {}, "", config_dump},
      {begin_of_type, {"Mesh"}, "Kuma", in_policies},
      {begin_of_type, {"Zone"}, "Kuma", in_policies},
      {begin_of_type, {"Traffic"}, "Kuma", in_policies},
      {type, {"Dataplane"}, "Kuma", in_policies},
      {type, {"ExternalService"}, "Kuma", in_policies},
      {type, {"HostnameGenerator"}, "Kuma", in_policies},
      // `kumactl get ... -o yaml` prints lists.
      {list,
       {"items"},
       "a list of Kuma's documents",
       "give a scenario that names its file in `policies` or `resources`"},
      // Consul's entries outside of Kubernetes: JSON with capital keys.
      {keys, {"Kind", "Splits"}, "a ServiceSplitter of Consul", dump_of_consul},
      {keys, {"Kind", "Subsets"}, "a ServiceResolver of Consul", dump_of_consul},
      {keys, {"Kind", "Failover"}, "a ServiceResolver of Consul", dump_of_consul},
      {keys, {"Kind", "Redirect"}, "a ServiceResolver of Consul", dump_of_consul},
      {keys, {"Kind", "Routes"}, "a ServiceRouter of Consul", dump_of_consul},
      {keys, {"xdsIR"}, gateway_resources, translate},
      {keys, {"infraIR"}, gateway_resources, translate},
      {keys, {"backendTrafficPolicies"}, gateway_resources, translate},
      {keys, {"envoyPatchPolicies"}, gateway_resources, translate},
      {keys, {"envoyProxyForGatewayClass"}, gateway_resources, translate},
      {keys, {"httpRoutes"}, gateway_resources, translate},
      {keys, {"gateways", "gatewayClass"}, gateway_resources, translate},
      {keys, {"API Version", "Kind"}, "the output of `kubectl describe`", as_yaml},
      {keys, {"hot_restart_version"}, "the answer of /server_info", "give it with the config_dump"},
      // Texts that are no documents.
      {texts, {"proxy_pass", "location "}, "a configuration of NGINX", not_envoy},
      {texts, {"\nupstream ", "server "}, "a configuration of NGINX", not_envoy},
      {texts, {"balance ", "\n    server "}, "a configuration of HAProxy", not_envoy},
      {texts, {"reverse_proxy ", "{"}, "a configuration of Caddy", not_envoy},
      {texts, {"= \"service-resolver\"", ""}, "a ServiceResolver of Consul", dump_of_consul},
      {texts, {"= \"service-splitter\"", ""}, "a ServiceSplitter of Consul", dump_of_consul},
      {texts, {"= \"service-router\"", ""}, "a ServiceRouter of Consul", dump_of_consul},
      {texts, {"NAME ", " AGE\n"}, "a table of kubectl", as_yaml},
      {texts, {"NAME ", " NOMINATED NODE"}, "a table of kubectl", as_yaml},
      {texts, {"NAME ", " ROLES "}, "a table of kubectl", as_yaml},
      {texts, {"NAME ", " ISTIOD "}, "a table of `istioctl proxy-status`", dump_of_istio},
      {texts, {"MESH ", " LAST CONNECTED AGO"}, "a table of `kumactl inspect`", as_yaml_of_kuma},
      {texts, {"MESH ", " AGE\n"}, "a table of kumactl", as_yaml_of_kuma},
      {texts, {"cluster.", ".upstream_rq_"}, "the counters of /stats", "give them with the config_dump"},
      {texts, {" [IST0", "] ("}, "messages of `istioctl analyze`", "give the documents: kubectl get KIND -o yaml"},
      // Documents of everyday programs.
      {containers,
       {"services"},
       "a configuration of docker-compose",
       "a scenario's `services` are a list: `services: [{ name: web, endpoints: [{ count: 2, zone: a }] }]`"},
      {keys, {"nameReference"}, "settings of Kustomize", build_it},
      {keys, {"varReference"}, "settings of Kustomize", build_it},
      {keys, {"jobs", "on"}, "a workflow of GitHub Actions", no_traffic},
      {keys, {"runs", "inputs"}, "an action of GitHub", no_traffic},
      {keys, {"stages", "script"}, "a pipeline of GitLab", no_traffic},
      {keys, {"openapi", "paths"}, "a description of an API (OpenAPI)", no_traffic},
      {keys, {"swagger", "paths"}, "a description of an API (Swagger)", no_traffic},
      {keys,
       {"scrape_configs"},
       "a configuration of Prometheus",
       "`spillway import --prometheus` reads the answer to a query"},
      {keys, {"groups", "rules"}, "rules of Prometheus", no_traffic},
      {keys,
       {"status", "data"},
       "an answer of Prometheus",
       "give it with the proxy's configuration: `spillway import --prometheus FILE`"},
      {keys, {"dependencies", "version"}, "a package of a program (package.json)", no_traffic},
      {keys, {"devDependencies"}, "a package of a program (package.json)", no_traffic},
      {keys, {"scripts", "dependencies"}, "a package of a program (package.json)", no_traffic},
      {keys,
       {"replicaCount"},
       "values of a Helm chart",
       "render it with `helm template`, and give the configuration of its proxies"},
      {keys, {"receivers", "service"}, "a configuration of OpenTelemetry's collector", no_traffic},
      {keys, {"terraform_version"}, "a state of Terraform", no_traffic},
      {keys, {"frontends", "backends"}, "a configuration of HAProxy's kind", reads_others},
      {keys, {"http", "entryPoints"}, "a configuration of Traefik", reads_others},
      {keys, {"format_version", "epochs"}, printed_json, a_result},
      {keys, {"format_version", "scenario"}, printed_json, a_result},
      {keys, {"root_group", "metrics"}, "a summary of k6", no_traffic},
      {json_schema, {"$schema", "properties"}, "a JSON Schema", no_traffic},
  });
}();

}  // namespace

std::span<const ForeignDocument> foreign_documents() noexcept {
  return table;
}

}  // namespace spillway::proxy
