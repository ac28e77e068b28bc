// Adds zones, nodes, endpoints and services of Istio and Kubernetes documents to a scenario.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/istio/ambient.hpp"
#include "models/istio/documents/lints.hpp"
#include "models/istio/lints.hpp"
#include "models/istio/proxy.hpp"
#include "models/istio/visibility.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/istio/pods.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::binding {

namespace {

using istio::LintReport;

constexpr const char* nowhere = "without-locality";

std::string place_name(const config::Locality& locality) {
  std::string name = name_with_region(locality.region, locality.zone);
  name += locality.sub_zone.empty() ? "" : "/" + locality.sub_zone;
  return locality.empty() ? nowhere : name;
}

class IstioReader {
 public:
  explicit IstioReader(MeshServices& so_far)
      : so_far_(so_far), scenario_(so_far.scenario), mesh_(so_far.istio), documents_(mesh_.documents.value) {}

  void read() {
    documents_.switches =
        istio::Switches::of(scenario_.profile.istio == config::IstioProfile::release_1_30, documents_.environment);
    mesh_.registry = istio::make_registry(documents_);
    collect_regions();
    for (const istio::KubernetesCluster& cluster : documents_.clusters) {
      for (const istio::Node& node : cluster.nodes) {
        add_node(node.meta.name, istio::split_locality(istio::locality_of_pod({.nodeName = node.meta.name}, cluster)),
                 node.meta.labels);
      }
    }
    for (std::size_t service = 0; service < mesh_.registry.services.size(); ++service) {
      for (const istio::ServicePort& port : mesh_.registry.services[service].ports) {
        add_service(service, port);
      }
    }
  }

 private:
  [[nodiscard]] Span first() const { return so_far_.file.resources.key; }

  // Collects regions by zone name: zones of one name in several regions are named with their regions.
  void collect_regions() {
    for (const Zone& zone : scenario_.zones) {
      regions_[zone.locality_zone.value_or(zone.name)].insert(zone.region);
    }
    const auto add = [&](const std::string& locality) {
      const config::Locality place = istio::split_locality(locality);
      regions_[place.zone].insert(place.region);
    };
    for (const istio::KubernetesCluster& cluster : documents_.clusters) {
      for (const istio::Node& node : cluster.nodes) {
        add(istio::locality_of_pod({.nodeName = node.meta.name}, cluster));
      }
    }
    for (const istio::Service& service : mesh_.registry.services) {
      for (const istio::Endpoint& endpoint : service.endpoints) {
        add(endpoint.locality);
      }
    }
  }

  std::uint32_t zone_of(const config::Locality& place) {
    for (std::uint32_t zone = 0; zone < scenario_.zones.size(); ++zone) {
      const Zone& known = scenario_.zones[zone];
      if (known.region == place.region && known.locality_zone.value_or(known.name) == place.zone) {
        return zone;
      }
    }
    const std::string full = name_with_region(place.region, place.zone);
    const bool several = regions_[place.zone].size() > 1 || place.zone.empty();
    const std::string name = place.region.empty() && place.zone.empty() ? nowhere : several ? full : place.zone;
    const std::uint32_t zone = so_far_.zones.count();
    so_far_.add_zone({name, place.region, place.zone}, first());
    if (full != name) {
      so_far_.zones.add_alias(full, zone);
    }
    return zone;
  }

  config::NodeIndex add_node(const std::string& name, const config::Locality& place, const istio::Labels& labels) {
    if (const auto known = so_far_.nodes.find(name)) {
      return {*known};
    }
    return so_far_.add_node({name, config::ZoneIndex{zone_of(place)}, place.sub_zone, labels}, first());
  }

  // Returns the endpoint of an address: an address is one endpoint, whatever services it serves.
  config::EndpointIndex endpoint_of(const istio::Endpoint& endpoint, const std::string& address, Service& service) {
    const auto known = mesh_.by_address.find(address);
    if (known != mesh_.by_address.end()) {
      return known->second;
    }
    const config::Locality place = istio::split_locality(endpoint.locality);
    const auto by_node = so_far_.nodes.find(endpoint.node);
    const config::NodeIndex node = by_node ? config::NodeIndex{*by_node} : add_node(place_name(place), place, {});
    const std::string name = endpoint.source.substr(endpoint.source.find('/') + 1);
    const bool named = endpoint.source.starts_with("Pod ") || endpoint.source.starts_with("WorkloadEntry ");
    std::string id = named && !so_far_.endpoints.find(name) ? name : address;
    const config::EndpointIndex index{static_cast<std::uint32_t>(scenario_.endpoints.size())};
    scenario_.endpoints.push_back({id, node});
    so_far_.name_endpoint(id, static_cast<std::uint32_t>(scenario_.services.size() - 1),
                          {static_cast<std::uint32_t>(service.hosts.size())}, first());
    mesh_.by_address.emplace(address, index);
    return index;
  }

  void add_host(const istio::Endpoint& from, Service& service) {
    const std::string address = istio::address_text(from.address, from.port);
    const config::EndpointIndex endpoint = endpoint_of(from, address, service);
    const auto same = [&](const Host& host) { return host.endpoint == endpoint; };
    if (std::any_of(service.hosts.begin(), service.hosts.end(), same)) {
      return;
    }
    const bool unready = from.health == istio::EndpointHealth::unhealthy;
    binding::add_host(
        service, endpoint, istio::split_locality(from.locality),
        {address, "", unready ? config::HealthStatus::unhealthy : config::HealthStatus::healthy, from.weight});
  }

  // Returns a free name: the host; if taken, with the port, then with the namespace, then with a number.
  [[nodiscard]] std::string name_of(const istio::Service& from, const istio::ServicePort& port,
                                    const std::string& suffix) const {
    const std::string with_port = from.hostname + ":" + std::to_string(port.number);
    const std::string with_namespace = from.name_space + "/" + with_port;
    for (const std::string& name : {from.hostname + suffix, with_port, with_namespace}) {
      if (!so_far_.services.find(name)) {
        return name;
      }
    }
    std::size_t number = 2;
    while (so_far_.services.find(with_namespace + " (" + std::to_string(number) + ")")) {
      ++number;
    }
    return with_namespace + " (" + std::to_string(number) + ")";
  }

  void add_service(std::size_t position, const istio::ServicePort& port) {
    const istio::Service& from = mesh_.registry.services[position];
    if (from.resolution == istio::Resolution::alias || port.protocol == istio::Protocol::udp) {
      return;
    }
    const std::uint32_t index = so_far_.services.count();
    const std::string suffix = from.own_ports > 1 ? ":" + std::to_string(port.number) : "";
    const std::string name = name_of(from, port, suffix);
    Service& service = so_far_.add_service(name, first());
    if (from.kind == "Service") {
      so_far_.services.add_alias(from.name + suffix, index);
      so_far_.services.add_alias(from.name + "." + from.name_space + suffix, index);
    }
    for (const istio::Endpoint& endpoint : from.endpoints) {
      if (endpoint.port_name == port.name && endpoint.health != istio::EndpointHealth::terminating) {
        add_host(endpoint, service);
      }
    }
    add_gateways(service);
    mesh_.destinations.push_back({{index}, position, port.number});
  }

  // Adds gateways of networks as endpoints, since views may have them in place of others.
  void add_gateways(const Service& service) {
    for (const istio::Network& network : documents_.networks) {
      for (const istio::Network::Gateway& gateway : network.gateways) {
        const std::string address = istio::address_text(gateway.address, gateway.port);
        if (mesh_.by_address.contains(address) || service.hosts.empty()) {
          continue;
        }
        mesh_.by_address.emplace(address,
                                 config::EndpointIndex{static_cast<std::uint32_t>(scenario_.endpoints.size())});
        scenario_.endpoints.push_back({address, add_node("network-" + network.name, {}, {})});
        so_far_.name_endpoint(address, static_cast<std::uint32_t>(scenario_.services.size() - 1), {0}, first());
      }
    }
  }

  MeshServices& so_far_;
  Scenario& scenario_;
  istio_binding::IstioMesh& mesh_;
  istio::Documents& documents_;
  std::map<std::string, std::set<std::string>> regions_;
};

void name_rules_without_services(const istio_binding::IstioMesh& mesh, Diagnostics& problems) {
  const auto& rules = mesh.documents.value.destination_rules;
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const std::string host = istio::resolve_short_name(rules[rule].host, rules[rule].meta.name_space);
    const auto& services = mesh.registry.services;
    const auto is_there = [&](const std::string& name) { return mesh.registry.by_host.contains(name); };
    // A name with its namespace is reported by a lint.
    if (is_there(host) || is_there(host + ".svc.cluster.local") ||
        std::any_of(services.begin(), services.end(),
                    [&](const istio::Service& service) { return istio::host_matches(service.hostname, host); })) {
      continue;
    }
    problems
        .warning("SP654", mesh.documents.rules[rule].where, "a DestinationRule without its service",
                 "no service of the documents is `{}`", {host})
        .note("a host without a dot is of the rule's namespace; with one it is taken as complete");
  }
}

void name_ambient_pods(const istio_binding::IstioMesh& mesh, Span where, Diagnostics& problems) {
  std::size_t count = 0;
  for (const istio::KubernetesCluster& cluster : mesh.documents.value.clusters) {
    count +=
        static_cast<std::size_t>(std::count_if(cluster.pods.begin(), cluster.pods.end(), [](const istio::Pod& pod) {
          return istio::value_of(pod.meta.labels, istio::dataplane_label) == istio::ambient_mode;
        }));
  }
  if (count > 0) {
    problems.warning("SP714", where, "ambient mode is not simulated",
                     "{}{} in it; requests that they receive from sidecars are simulated as usual",
                     {count, count == 1 ? " pod is" : " pods are"});
  }
}

}  // namespace

void lint_istio_documents(const istio_binding::IstioMesh& mesh, const messages::Scenario& file, Diagnostics& problems) {
  istio::report_admission(mesh.documents, problems);
  name_rules_without_services(mesh, problems);
  name_ambient_pods(mesh, file.resources.key, problems);
  for (const istio::EnvoyFilter& filter : mesh.documents.filters) {
    if (!filter.at_clients) {
      problems.warning("SP650", filter.origin.where, "`EnvoyFilter` is ignored",
                       "changes nothing of what sidecars do with requests that leave them");
    }
  }
  LintReport lints(mesh.documents, problems);
  lints.add(istio::lints_of({.documents = &mesh.documents.value, .registry = &mesh.registry}));
  lints.add_written_zeros();
  for (const std::string& pod : mesh.registry.missing_pods) {
    problems.warning("SP655", file.resources.key, "an endpoint waits for pod `{}`",
                     "named by an EndpointSlice, and not among the documents", {pod});
  }
}

MeshServices read_istio_services(KumaServices services) {
  MeshServices so_far{std::move(services)};
  const bool beside_kuma = !so_far.documents.empty();
  std::optional<Span> first;
  for (const auto* const list : {&so_far.file.policies, &so_far.file.resources}) {
    for (const auto& item : list->value) {
      for (const messages::KumaDocument& document : item.value) {
        if (document.istio && (!beside_kuma || messages::is_istios_own(*document.istio))) {
          istio::add_document(*document.istio, istio::default_cluster, so_far.istio.documents);
          first = first.value_or(document.istio->where);
        }
      }
    }
  }
  // Kuma's dataplanes have had their `replicas`.
  const std::vector<istio::PodGroup> pods = beside_kuma ? std::vector<istio::PodGroup>{} : read_replicas(so_far);
  if (so_far.istio.empty()) {
    return so_far;
  }
  if (beside_kuma) {
    so_far.problems.error("SP657", *first, "documents of Istio and of Kuma", "one scenario is about one mesh");
    return so_far;
  }
  IstioReader(so_far).read();
  note_pods(pods, so_far);
  take_written_services(so_far);
  lint_istio_documents(so_far.istio, so_far.file, so_far.problems);
  return so_far;
}

}  // namespace spillway::scenario::binding
