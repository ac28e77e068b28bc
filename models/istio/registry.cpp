#include "models/istio/registry.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "models/istio/kubernetes_registry.hpp"
#include "models/istio/proxy.hpp"
#include "models/istio/service_entries.hpp"

namespace spillway::istio {

Protocol protocol_of(const std::string& app_protocol, const std::string& port_name) {
  static const std::map<std::string, Protocol> protocols = {
      {"http", Protocol::http}, {"http2", Protocol::http2},       {"grpc", Protocol::grpc},
      {"tcp", Protocol::tcp},   {"grpc-web", Protocol::grpc_web}, {"https", Protocol::tcp},
      {"tls", Protocol::tcp},   {"mongo", Protocol::tcp},         {"redis", Protocol::tcp},
      {"mysql", Protocol::tcp}, {"udp", Protocol::udp},           {"kubernetes.io/h2c", Protocol::http2},
      {"hbone", Protocol::tcp}};
  std::string name = app_protocol.empty() ? port_name : app_protocol;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; });
  if (app_protocol.empty()) {
    name = name.starts_with("grpc-web") ? "grpc-web" : name.substr(0, name.find('-'));
  }
  const auto found = protocols.find(name);
  return found == protocols.end() ? Protocol::unsupported : found->second;
}

const ServicePort* Service::port(std::uint32_t number) const {
  const auto found =
      std::find_if(ports.begin(), ports.end(), [&](const ServicePort& port) { return port.number == number; });
  return found == ports.end() ? nullptr : &*found;
}

bool Service::supports_draining() const {
  return !value_of(labels, session_label).empty() || !value_of(labels, session_header_label).empty();
}

std::vector<const Service*> Registry::of_host(const std::string& hostname) const {
  std::vector<const Service*> found;
  if (const auto known = by_host.find(hostname); known != by_host.end()) {
    for (const std::size_t position : known->second) {
      found.push_back(&services[position]);
    }
  }
  return found;
}

TrafficDistribution distribution_of(const std::string& field, const Labels& annotations,
                                    const Labels* namespace_annotations) {
  const auto known = [](std::string value) {
    std::transform(value.begin(), value.end(), value.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    if (value == "prefersamezone" || value == "preferclose") {
      return TrafficDistribution::same_zone;
    }
    return value == "prefersamenode" ? TrafficDistribution::same_node : TrafficDistribution::any;
  };
  if (field == "PreferSameZone" || field == "PreferClose" || field == "PreferSameNode") {
    return known(field);
  }
  if (const std::string& value = value_of(annotations, traffic_distribution_annotation); !value.empty()) {
    return known(value);
  }
  if (namespace_annotations == nullptr) {
    return TrafficDistribution::any;
  }
  return known(value_of(*namespace_annotations, traffic_distribution_annotation));
}

std::string network_of(const Labels& labels, const std::string& cluster, const Documents& documents) {
  if (const std::string& label = value_of(labels, network_label); !label.empty()) {
    return label;
  }
  for (const Network& network : documents.networks) {
    if (std::find(network.registries.begin(), network.registries.end(), cluster) != network.registries.end()) {
      return network.name;
    }
  }
  return "";
}

namespace {

// True if the services can be merged. Services of Kubernetes are never merged. Source: canMergeServices of istiod's
// pilot/pkg/model/sidecar.go.
bool is_mergeable(const Service& one, const Service& other) {
  return one.kind != "Service" && other.kind != "Service" && one.resolution == other.resolution &&
         one.labels == other.labels && one.selector == other.selector &&
         std::set(one.export_to.begin(), one.export_to.end()) ==
             std::set(other.export_to.begin(), other.export_to.end());
}

// Adds the ports of a younger service; the oldest service defines everything else.
void merge_ports(const Service& from, Service& into) {
  for (const ServicePort& port : from.ports) {
    if (into.port(port.number) == nullptr) {
      into.ports.push_back(port);
    }
  }
}

// Shares endpoints by host and namespace, as istiod keeps them (ShardsForService of its endpointshards.go). Whichever
// document is effective, it has the endpoints of all. Endpoints of ServiceEntries come before those of Kubernetes.
void share_endpoints(Registry& registry) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
  for (std::size_t service = 0; service < registry.services.size(); ++service) {
    const Service& of = registry.services[service];
    groups[{of.hostname, of.name_space}].push_back(service);
  }
  std::vector<bool> merged(registry.services.size(), false);
  for (const auto& [host, group] : groups) {
    if (group.size() < 2) {
      continue;
    }
    std::vector<Endpoint> all;
    for (const bool of_kubernetes : {false, true}) {
      for (const std::size_t service : group) {
        const Service& of = registry.services[service];
        if ((of.kind == "Service") == of_kubernetes) {
          all.insert(all.end(), of.endpoints.begin(), of.endpoints.end());
        }
      }
    }
    for (const std::size_t service : group) {
      Service& of = registry.services[service];
      of.endpoints = all;
      const auto older = std::find_if(group.begin(), group.end(), [&](std::size_t other) {
        return other < service && !merged[other] && is_mergeable(registry.services[other], of);
      });
      if (older != group.end()) {
        merge_ports(of, registry.services[*older]);
        merged[service] = true;
      }
    }
  }
  std::size_t position = 0;
  std::erase_if(registry.services, [&](const Service& /*service*/) { return merged[position++]; });
}

}  // namespace

Registry make_registry(const Documents& documents) {
  Registry registry;
  add_kubernetes_services(documents, registry);
  add_service_entries(documents, registry);
  for (Service& service : registry.services) {
    service.own_ports = service.ports.size();
  }
  share_endpoints(registry);
  for (std::size_t service = 0; service < registry.services.size(); ++service) {
    registry.by_host[registry.services[service].hostname].push_back(service);
  }
  return registry;
}

}  // namespace spillway::istio
