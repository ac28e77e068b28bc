#include "models/istio/registry.hpp"

#include <algorithm>
#include <array>
#include <map>
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

Registry make_registry(const Documents& documents) {
  Registry registry;
  add_kubernetes_services(documents, registry);
  add_service_entries(documents, registry);
  for (std::size_t service = 0; service < registry.services.size(); ++service) {
    registry.by_host[registry.services[service].hostname].push_back(service);
  }
  return registry;
}

}  // namespace spillway::istio
