#include "models/istio/proxy_classes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "models/istio/lint_parts.hpp"

namespace spillway::istio {

namespace {

void add_keys(const Labels& labels, std::set<std::string>& into) {
  for (const auto& [name, value] : labels) {
    into.insert(name);
  }
}

void add_keys(const std::optional<Labels>& selector, std::set<std::string>& into) {
  if (selector) {
    add_keys(*selector, into);
  }
}

// Adds the label names of entries `label` or `label=value`.
void add_names(const std::vector<std::string>& failover_priority, std::set<std::string>& into) {
  for (const std::string& entry : failover_priority) {
    into.insert(entry.substr(0, entry.find('=')));
  }
}

void add_settings(const LoadBalancerSettings& balancer, std::set<std::string>& into) {
  if (balancer.localityLbSetting) {
    add_names(balancer.localityLbSetting->failoverPriority, into);
  }
  if (balancer.zoneAwareLbSetting) {
    add_names(balancer.zoneAwareLbSetting->failoverPriority, into);
  }
}

template <class Routes>
void add_source_labels(const Routes& routes, std::set<std::string>& into) {
  for (const auto& route : routes) {
    for (const auto& match : route.match) {
      add_keys(match.sourceLabels, into);
    }
  }
}

}  // namespace

ProxyClasses::ProxyClasses(const Documents& documents, const Registry& registry) {
  for (const DestinationRule& rule : documents.destination_rules) {
    add_keys(rule.workloadSelector, labels_);
    for (const PolicySite& site : sites_of(rule)) {
      add_settings(site.own->loadBalancer.value_or(LoadBalancerSettings{}), labels_);
    }
  }
  for (const Sidecar& sidecar : documents.sidecars) {
    add_keys(sidecar.workloadSelector, labels_);
  }
  for (const VirtualService& service : documents.virtual_services) {
    add_source_labels(service.http, labels_);
    add_source_labels(service.tcp, labels_);
  }
  add_settings(
      {.localityLbSetting = documents.mesh.localityLbSetting, .zoneAwareLbSetting = documents.mesh.zoneAwareLbSetting},
      labels_);
  for (const Service& service : registry.services) {
    by_node_ = by_node_ || service.node_local;
    if (service.distribution != TrafficDistribution::any) {
      labels_.insert({network_label, region_label, zone_label});
    }
    if (service.distribution == TrafficDistribution::same_node) {
      labels_.insert({subzone_label, hostname_label});
    }
  }
}

ProxyClasses::Key ProxyClasses::key_of(const Proxy& proxy) const {
  Labels asked;
  for (const auto& [name, value] : proxy.labels) {
    if (labels_.contains(name)) {
      asked.emplace(name, value);
    }
  }
  const auto& [region, zone, sub_zone] = proxy.locality;
  return {proxy.name_space,
          region,
          zone,
          sub_zone,
          proxy.network,
          proxy.cluster,
          by_node_ ? proxy.node : std::string(),
          proxy.router,
          std::move(asked)};
}

std::uint32_t ProxyClasses::of(const Proxy& proxy) {
  const auto next = static_cast<std::uint32_t>(known_.size());
  return known_.try_emplace(key_of(proxy), next).first->second;
}

}  // namespace spillway::istio
