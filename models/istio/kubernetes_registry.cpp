#include "models/istio/kubernetes_registry.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "models/istio/proxy.hpp"

namespace spillway::istio {

namespace {

using PodsByName = std::map<std::pair<std::string, std::string>, const Pod*>;

constexpr const char* istio_mutual_tls = "istio";

std::string source_of(const char* kind, const Meta& meta) {
  return std::string(kind) + " " + meta.name_space + "/" + meta.name;
}

// Returns the health of an endpoint. Source: docs/behaviour/istio.md 2.6.
EndpointHealth health_of(const EndpointSlice::Endpoint& endpoint, const Service& service) {
  if (endpoint.ready.value_or(true)) {
    return EndpointHealth::healthy;
  }
  const bool terminating = endpoint.terminating.value_or(true);
  if (service.supports_draining() && endpoint.serving.value_or(true) && terminating) {
    return EndpointHealth::draining;
  }
  return terminating ? EndpointHealth::terminating : EndpointHealth::unhealthy;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

Service service_of(const KubernetesService& from, const KubernetesCluster& cluster) {
  Service service{.hostname = resolve_short_name(from.meta.name, from.meta.name_space),
                  .name_space = from.meta.name_space,
                  .kind = "Service",
                  .name = from.meta.name,
                  .labels = from.meta.labels,
                  .selector = from.selector,
                  .node_local = from.internalTrafficPolicy == "Local",
                  .external_name = from.type == "ExternalName" ? from.externalName : std::string()};
  if (!service.external_name.empty()) {
    service.resolution = Resolution::alias;
  } else if (from.clusterIP == "None") {
    service.resolution = Resolution::passthrough;
  }
  service.export_to = split_at_commas(value_of(from.meta.annotations, export_to_annotation));
  service.distribution = distribution_of(from.trafficDistribution, from.meta.annotations,
                                         annotations_of_namespace(cluster, from.meta.name_space));
  for (const KubernetesService::Port& port : from.ports) {
    const Protocol protocol = port.protocol == "UDP" ? Protocol::udp : protocol_of(port.appProtocol, port.name);
    service.ports.push_back({port.name, port.port, protocol});
  }
  return service;
}

// Pairs of address and port name.
using SeenEndpoints = std::set<std::pair<std::string, std::string>>;

// Adds the endpoints of a slice. An endpoint that moves from one slice to another is in both; istiod reads it once
// (endpointSliceCache of pilot/pkg/serviceregistry/kube/controller/endpointslice.go).
void add_slice(const EndpointSlice& slice, const KubernetesCluster& cluster, const PodsByName& pods,
               const Documents& documents, SeenEndpoints& seen, Service& service, Registry& registry) {
  for (const EndpointSlice::Endpoint& from : slice.endpoints) {
    Endpoint endpoint;
    endpoint.cluster = cluster.name;
    endpoint.source = source_of("EndpointSlice", slice.meta);
    if (!from.pod.empty()) {
      const std::string& name_space = from.pod_namespace.empty() ? slice.meta.name_space : from.pod_namespace;
      const auto pod = pods.find({name_space, from.pod});
      if (pod == pods.end()) {
        registry.missing_pods.push_back(name_space + "/" + from.pod);
        continue;
      }
      endpoint = endpoint_of_pod(*pod->second, cluster, documents);
    } else {
      endpoint.labels = augmented({}, cluster.name, "", "", network_of({}, cluster.name, documents));
      endpoint.network = network_of({}, cluster.name, documents);
    }
    endpoint.health = health_of(from, service);
    for (const std::string& address : from.addresses) {
      for (const EndpointSlice::Port& port : slice.ports) {
        if (!seen.emplace(address, port.name).second) {
          continue;
        }
        endpoint.address = address;
        endpoint.port = port.port;
        endpoint.port_name = port.name;
        service.endpoints.push_back(endpoint);
      }
    }
  }
}

// Returns the port of a WorkloadEntry that a Service selects; nullopt if the entry has no such port.
std::optional<std::uint32_t> target_port(const KubernetesService::Port& port, const WorkloadEntry& entry) {
  const bool by_name = !port.targetPortName.empty();
  if (const auto found = entry.ports.find(by_name ? port.targetPortName : port.name); found != entry.ports.end()) {
    return found->second;
  }
  if (by_name) {
    return std::nullopt;
  }
  return port.targetPort == 0 ? port.port : port.targetPort;
}

void add_workload_entries(const KubernetesService& from, const Documents& documents, Service& service) {
  if (from.selector.empty()) {
    return;
  }
  for (const WorkloadEntry& entry : documents.workload_entries) {
    if (entry.meta.name_space != from.meta.name_space || !has_all(entry.labels, from.selector)) {
      continue;
    }
    for (const KubernetesService::Port& port : from.ports) {
      if (const auto number = target_port(port, entry)) {
        Endpoint endpoint = endpoint_of_entry(entry, documents);
        endpoint.port = *number;
        endpoint.port_name = port.name;
        service.endpoints.push_back(std::move(endpoint));
      }
    }
  }
}

// Returns the service of a host, which is one service in however many clusters it exists; the config cluster's object
// defines it.
Service& entry_for(Service made, Registry& registry) {
  const auto known = std::find_if(registry.services.begin(), registry.services.end(), [&](const Service& service) {
    return service.hostname == made.hostname && service.name_space == made.name_space;
  });
  return known != registry.services.end() ? *known : registry.services.emplace_back(std::move(made));
}

}  // namespace

const Labels* annotations_of_namespace(const KubernetesCluster& cluster, const std::string& name_space) {
  const auto found = std::find_if(cluster.namespaces.begin(), cluster.namespaces.end(),
                                  [&](const Namespace& object) { return object.meta.name == name_space; });
  return found == cluster.namespaces.end() ? nullptr : &found->meta.annotations;
}

Endpoint endpoint_of_pod(const Pod& pod, const KubernetesCluster& cluster, const Documents& documents) {
  Endpoint endpoint;
  endpoint.cluster = cluster.name;
  endpoint.locality = locality_of_pod(pod, cluster);
  endpoint.network = network_of(pod.meta.labels, cluster.name, documents);
  endpoint.node = pod.nodeName;
  endpoint.labels = augmented(pod.meta.labels, cluster.name, endpoint.locality, pod.nodeName, endpoint.network);
  endpoint.mutual_tls = value_of(pod.meta.labels, tls_mode_label) == istio_mutual_tls;
  endpoint.source = source_of("Pod", pod.meta);
  return endpoint;
}

Endpoint endpoint_of_entry(const WorkloadEntry& entry, const Documents& documents) {
  Endpoint endpoint;
  endpoint.address = entry.address;
  endpoint.cluster = documents.clusters.front().name;
  endpoint.locality = entry.locality.empty() ? with_slashes(locality_of(entry.labels)) : entry.locality;
  endpoint.network = entry.network.empty() ? network_of(entry.labels, endpoint.cluster, documents) : entry.network;
  endpoint.labels = augmented(entry.labels, endpoint.cluster, endpoint.locality, "", endpoint.network);
  endpoint.weight = entry.weight == 0 ? 1 : entry.weight;
  const std::string& mode = value_of(entry.labels, tls_mode_label);
  endpoint.mutual_tls = mode.empty() ? !entry.serviceAccount.empty() : mode == istio_mutual_tls;
  endpoint.source = source_of(entry.meta.kind.c_str(), entry.meta);
  return endpoint;
}

void add_kubernetes_services(const Documents& documents, Registry& registry) {
  for (const KubernetesCluster& cluster : documents.clusters) {
    PodsByName pods;
    for (const Pod& pod : cluster.pods) {
      pods.emplace(std::pair(pod.meta.name_space, pod.meta.name), &pod);
    }
    std::map<std::pair<std::string, std::string>, std::vector<const EndpointSlice*>> slices;
    for (const EndpointSlice& slice : cluster.slices) {
      slices[{slice.meta.name_space, value_of(slice.meta.labels, service_name_label)}].push_back(&slice);
    }
    for (const KubernetesService& from : cluster.services) {
      Service& service = entry_for(service_of(from, cluster), registry);
      SeenEndpoints seen;
      for (const EndpointSlice* const slice : slices[{from.meta.name_space, from.meta.name}]) {
        add_slice(*slice, cluster, pods, documents, seen, service, registry);
      }
      if (&cluster == &documents.clusters.front()) {
        add_workload_entries(from, documents, service);
      }
    }
  }
}

}  // namespace spillway::istio
