#include "sim/scenario/pasted/pasted_kinds.hpp"

#include <algorithm>
#include <array>

namespace spillway::scenario::pasted {
namespace {

// The kinds that the world is made of, and rules. All other kinds of Kubernetes do not move requests of sidecars.
constexpr std::array kinds_of_worlds = {"Service",
                                        "EndpointSlice",
                                        "Endpoints",
                                        "Pod",
                                        "Node",
                                        "Namespace",
                                        "Deployment",
                                        "StatefulSet",
                                        "DaemonSet",
                                        "ReplicaSet",
                                        "HorizontalPodAutoscaler",
                                        "ServiceEntry",
                                        "WorkloadEntry",
                                        "Rollout",
                                        "DestinationRule",
                                        "VirtualService",
                                        "Sidecar",
                                        "IstioOperator",
                                        "Gateway",
                                        "HTTPRoute",
                                        "GRPCRoute",
                                        "BackendTrafficPolicy",
                                        "Backend",
                                        "ConfigMap"};

// The kinds of Kuma that are read.
constexpr std::array kinds_of_kuma = {"Mesh",
                                      "Dataplane",
                                      "MeshLoadBalancingStrategy",
                                      "MeshHTTPRoute",
                                      "MeshTCPRoute",
                                      "MeshService",
                                      "ZoneIngress",
                                      "MeshMultiZoneService",
                                      "ZoneEgress",
                                      "MeshExternalService",
                                      "MeshHealthCheck",
                                      "MeshZoneAddress",
                                      "MeshCircuitBreaker",
                                      "MeshTimeout",
                                      "MeshRetry",
                                      "ExternalService"};

// API groups of programs whose documents say where requests go, in their own words.
constexpr std::array groups_of_others = {"projectcontour.io",   "getambassador.io",   "gateway.solo.io",
                                         "gloo.solo.io",        "kgateway.dev",       "consul.hashicorp.com",
                                         "cilium.io",           "linkerd.io",         "traefik.io",
                                         "traefik.containo.us", "k8s.nginx.org",      "split.smi-spec.io",
                                         "flagger.app",         "argoproj.io",        "policy.linkerd.io",
                                         "appmesh.k8s.aws",     "openservicemesh.io", "configuration.konghq.com",
                                         "networking.gke.io",   "elbv2.k8s.aws",      "aigateway.envoyproxy.io"};

// API groups whose documents move no requests of proxies. Empty: the core of Kubernetes.
constexpr std::array groups_of_no_influence = std::to_array<std::string_view>({"",
                                                                               "apps",
                                                                               "batch",
                                                                               "policy",
                                                                               "autoscaling",
                                                                               "rbac.authorization.k8s.io",
                                                                               "storage.k8s.io",
                                                                               "scheduling.k8s.io",
                                                                               "coordination.k8s.io",
                                                                               "networking.k8s.io",
                                                                               "admissionregistration.k8s.io",
                                                                               "apiextensions.k8s.io",
                                                                               "apiregistration.k8s.io",
                                                                               "events.k8s.io",
                                                                               "metrics.k8s.io",
                                                                               "security.istio.io",
                                                                               "telemetry.istio.io",
                                                                               "extensions.istio.io",
                                                                               "monitoring.coreos.com",
                                                                               "cert-manager.io",
                                                                               "keda.sh",
                                                                               "autoscaling.k8s.io",
                                                                               "external-secrets.io",
                                                                               "kustomize.config.k8s.io",
                                                                               "gateway.envoyproxy.io",
                                                                               "jaegertracing.io",
                                                                               "opentelemetry.io",
                                                                               "grafana.integreatly.org",
                                                                               "kiali.io",
                                                                               "tekton.dev"});

bool ends_with_group(std::string_view version, std::string_view group) {
  const std::string_view name = version.substr(0, version.find('/'));
  return name.ends_with(group) && (name.size() == group.size() || name[name.size() - group.size() - 1] == '.');
}

}  // namespace

bool is_kind_of_worlds(std::string_view kind) {
  return std::find(kinds_of_worlds.begin(), kinds_of_worlds.end(), kind) != kinds_of_worlds.end();
}

bool is_kind_of_kuma(std::string_view kind) {
  return std::find(kinds_of_kuma.begin(), kinds_of_kuma.end(), kind) != kinds_of_kuma.end();
}

bool is_known_to_move_nothing(std::string_view version, std::string_view kind) {
  const std::string_view group =
      version.find('/') == std::string_view::npos ? "" : version.substr(0, version.find('/'));
  if (group == "gateway.networking.k8s.io") {
    return kind == "GatewayClass" || kind == "ReferenceGrant";
  }
  if (group == "networking.istio.io") {
    return kind == "ProxyConfig" || kind == "WorkloadGroup";
  }
  return std::any_of(groups_of_no_influence.begin(), groups_of_no_influence.end(),
                     [&](std::string_view one) { return one.empty() ? group.empty() : ends_with_group(group, one); });
}

bool is_group_of_others(std::string_view version) {
  return std::any_of(groups_of_others.begin(), groups_of_others.end(),
                     [&](const char* group) { return ends_with_group(version, group); });
}

}  // namespace spillway::scenario::pasted
