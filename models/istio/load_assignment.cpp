#include "models/istio/load_assignment.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/health_status.hpp"
#include "models/istio/networks.hpp"

namespace spillway::istio {

namespace {

bool is_by_dns(const Service& service) {
  return service.resolution == Resolution::dns || service.resolution == Resolution::dns_round_robin;
}

// Returns the reason why an endpoint of the port is not sent to the proxy; nullopt if it is sent.
std::optional<LeftOutBy> reason_against(const Endpoint& endpoint, const AssignRequest& request, bool cluster_local) {
  const Service& service = *request.service;
  // Endpoints written in a scenario have names if it gives no addresses.
  if (!is_by_dns(service) && service.kind != "service" && !is_ip_address(endpoint.address)) {
    return LeftOutBy::address;
  }
  if (!has_all(endpoint.labels, request.subset_labels)) {
    return LeftOutBy::subset;
  }
  if (cluster_local && endpoint.cluster != request.proxy->cluster) {
    return LeftOutBy::cluster;
  }
  if (service.node_local && (endpoint.node != request.proxy->node || endpoint.cluster != request.proxy->cluster)) {
    return LeftOutBy::node;
  }
  const bool draining =
      endpoint.health == EndpointHealth::draining || !value_of(endpoint.labels, draining_label).empty();
  if (endpoint.health == EndpointHealth::terminating || (draining && value_of(service.labels, session_label).empty()) ||
      (endpoint.health == EndpointHealth::unhealthy &&
       !sends_unhealthy(service, request.policy, request.documents->switches))) {
    return LeftOutBy::health;
  }
  return std::nullopt;
}

std::uint32_t saturating_sum(const std::vector<AssignedEndpoint>& endpoints) {
  std::uint64_t sum = 0;
  for (const AssignedEndpoint& endpoint : endpoints) {
    sum += endpoint.weight;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, UINT32_MAX));
}

config::HealthStatus to_envoy(EndpointHealth health) {
  switch (health) {
    case EndpointHealth::healthy:
      return config::HealthStatus::healthy;
    case EndpointHealth::unhealthy:
      return config::HealthStatus::unhealthy;
    case EndpointHealth::draining:
    case EndpointHealth::terminating:
      return config::HealthStatus::draining;
    case EndpointHealth::unknown:
      break;
  }
  return config::HealthStatus::unknown;
}

}  // namespace

Switches Switches::release_1_30() noexcept {
  return {.auto_send_unhealthy = false,
          .mesh_default_policy = false,
          .zone_aware = false,
          .network_preferred = false,
          .http_error_codes = false};
}

Switches Switches::of(bool is_1_30, const Environment& environment) noexcept {
  Switches switches = is_1_30 ? release_1_30() : Switches{};
  switches.send_unhealthy = environment.send_unhealthy.value_or(switches.send_unhealthy);
  switches.auto_send_unhealthy = !is_1_30 && environment.auto_send_unhealthy.value_or(switches.auto_send_unhealthy);
  return switches;
}

bool always_sends_unhealthy(const Service& service, const Switches& switches) {
  return switches.send_unhealthy || service.distribution != TrafficDistribution::any;
}

bool sends_unhealthy(const Service& service, const TrafficPolicy* policy, const Switches& switches) {
  if (always_sends_unhealthy(service, switches)) {
    return true;
  }
  const bool by_panic = policy != nullptr && policy->outlierDetection && policy->outlierDetection->minHealthPercent > 0;
  return switches.auto_send_unhealthy && !by_panic;
}

// Returns the most specific entry's setting: exact hosts come before wildcards, longer ones before shorter ones.
bool is_cluster_local(const std::string& hostname, const MeshConfig& mesh) {
  bool local = false;
  std::size_t longest = 0;
  for (const ServiceSetting& setting : mesh.serviceSettings) {
    for (const std::string& pattern : setting.hosts) {
      const std::size_t length = is_wildcard(pattern) ? pattern.size() : SIZE_MAX;
      if (host_matches(hostname, pattern) && length > longest) {
        longest = length;
        local = setting.clusterLocal;
      }
    }
  }
  return local;
}

LoadAssignment grouped(const AssignRequest& request) {
  LoadAssignment assignment;
  const Service& service = *request.service;
  const ServicePort* const port = service.port(request.port);
  if (port == nullptr) {
    return assignment;
  }
  const bool cluster_local = is_cluster_local(service.hostname, request.documents->mesh);
  std::map<std::string, std::vector<const Endpoint*>> groups;
  for (const Endpoint& endpoint : service.endpoints) {
    if (endpoint.port_name != port->name) {
      continue;
    }
    if (const auto reason = reason_against(endpoint, request, cluster_local)) {
      assignment.left_out.push_back({endpoint.address, *reason});
    } else {
      groups[endpoint.locality].push_back(&endpoint);
    }
  }
  const NetworkGateways gateways(request.documents->networks);
  for (const auto& [locality, endpoints] : groups) {
    AssignedLocality& group = assignment.localities.emplace_back();
    group.locality = split_locality(locality);
    group.endpoints = through_gateways(endpoints, *request.proxy, gateways);
    group.weight = saturating_sum(group.endpoints);
  }
  return assignment;
}

LoadAssignment assign(const AssignRequest& request) {
  LoadAssignment assignment = grouped(request);
  assignment.setting =
      effective_setting(request.policy, *request.service, request.documents->mesh, request.documents->switches);
  const bool outlier_detection = request.policy != nullptr && request.policy->outlierDetection.has_value();
  if (!assignment.localities.empty()) {
    apply(assignment.setting, *request.proxy, outlier_detection, assignment);
  }
  return assignment;
}

config::ClusterLoadAssignment to_envoy(const LoadAssignment& assignment, std::string cluster_name) {
  config::ClusterLoadAssignment made;
  made.cluster_name = std::move(cluster_name);
  std::set<std::string> seen;
  for (const AssignedLocality& from : assignment.localities) {
    config::LocalityLbEndpoints& group = made.endpoints.emplace_back();
    group.locality = from.locality;
    group.priority = config::Priority{from.priority};
    group.load_balancing_weight = from.weight;
    for (const AssignedEndpoint& endpoint : from.endpoints) {
      std::string address = address_text(endpoint.address, endpoint.port);
      if (!seen.insert(address).second) {
        continue;
      }
      config::LbEndpoint& host = group.lb_endpoints.emplace_back();
      host.address = std::move(address);
      host.health_status = to_envoy(endpoint.health);
      host.load_balancing_weight = endpoint.weight;
    }
  }
  return made;
}

}  // namespace spillway::istio
