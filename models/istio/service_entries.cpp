#include "models/istio/service_entries.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/istio/kubernetes_registry.hpp"
#include "models/numeric/stable_sort.hpp"

namespace spillway::istio {

namespace {

Resolution resolution_of(EntryResolution resolution) {
  switch (resolution) {
    case EntryResolution::static_addresses:
      return Resolution::client_side;
    case EntryResolution::dns:
      return Resolution::dns;
    case EntryResolution::dns_round_robin:
      return Resolution::dns_round_robin;
    case EntryResolution::none:
      break;
  }
  return Resolution::passthrough;
}

// Adds the endpoint at each port: its own number for the port, else the port's target, else the port.
void add_at_ports(const ServiceEntry& entry, Endpoint endpoint, const std::map<std::string, std::uint32_t>& ports,
                  Service& service) {
  for (const ServiceEntry::Port& port : entry.ports) {
    const auto own = ports.find(port.name);
    const std::uint32_t target = port.targetPort == 0 ? port.number : port.targetPort;
    endpoint.port = own == ports.end() || own->second == 0 ? target : own->second;
    endpoint.port_name = port.name;
    service.endpoints.push_back(endpoint);
  }
}

void add_selected(const ServiceEntry& entry, const Documents& documents, Service& service) {
  for (const WorkloadEntry& workload : documents.workload_entries) {
    if (workload.meta.name_space == entry.meta.name_space && has_all(workload.labels, *entry.workloadSelector)) {
      add_at_ports(entry, endpoint_of_entry(workload, documents), workload.ports, service);
    }
  }
  const KubernetesCluster& cluster = documents.clusters.front();
  for (const Pod& pod : cluster.pods) {
    if (pod.meta.name_space == entry.meta.name_space && has_all(pod.meta.labels, *entry.workloadSelector)) {
      Endpoint endpoint = endpoint_of_pod(pod, cluster, documents);
      endpoint.address = pod.podIP;
      endpoint.health = EndpointHealth::healthy;
      add_at_ports(entry, std::move(endpoint), {}, service);
    }
  }
}

void add_endpoints(const ServiceEntry& entry, const Documents& documents, Service& service) {
  const bool by_dns = service.resolution == Resolution::dns || service.resolution == Resolution::dns_round_robin;
  if (entry.workloadSelector) {
    add_selected(entry, documents, service);
  } else if (entry.endpoints.empty() && by_dns) {
    Endpoint endpoint;
    endpoint.address = service.hostname;
    endpoint.cluster = documents.clusters.front().name;
    endpoint.labels = augmented({}, endpoint.cluster, "", "", "");
    endpoint.source = "ServiceEntry " + entry.meta.name_space + "/" + entry.meta.name;
    add_at_ports(entry, std::move(endpoint), {}, service);
  }
  for (const WorkloadEntry& written : entry.endpoints) {
    add_at_ports(entry, endpoint_of_entry(written, documents), written.ports, service);
  }
}

}  // namespace

void add_service_entries(const Documents& documents, Registry& registry) {
  std::vector<const ServiceEntry*> by_age;
  for (const ServiceEntry& entry : documents.service_entries) {
    by_age.push_back(&entry);
  }
  numeric::stable_sort(
      by_age, [](const ServiceEntry* left, const ServiceEntry* right) { return is_older(left->meta, right->meta); });
  for (const ServiceEntry* const at : by_age) {
    const ServiceEntry& entry = *at;
    for (const std::string& host : entry.hosts) {
      Service service{.hostname = host,
                      .name_space = entry.meta.name_space,
                      .kind = "ServiceEntry",
                      .name = entry.meta.name,
                      .labels = entry.meta.labels,
                      .selector = entry.workloadSelector.value_or(Labels{}),
                      .resolution = resolution_of(entry.resolution),
                      .export_to = entry.exportTo};
      service.distribution = distribution_of(
          "", entry.meta.annotations, annotations_of_namespace(documents.clusters.front(), entry.meta.name_space));
      for (const ServiceEntry::Port& port : entry.ports) {
        service.ports.push_back({port.name, port.number, protocol_of(port.protocol, port.name)});
      }
      add_endpoints(entry, documents, service);
      registry.services.push_back(std::move(service));
    }
  }
}

}  // namespace spillway::istio
