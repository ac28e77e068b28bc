#include "sim/observed/host_flags.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "models/documents/problem.hpp"

namespace spillway::observed {
namespace {

using envoy::HostFlag;

// Names in the order of Envoy's HEALTH_FLAG_ENUM_VALUES, which is also the printing order.
constexpr std::array host_flags = std::to_array<std::pair<std::string_view, HostFlag>>(
    {{"failed_active_hc", HostFlag::failed_active_hc},
     {"failed_outlier_check", HostFlag::failed_outlier_check},
     {"failed_eds_health", HostFlag::failed_eds_health},
     {"degraded_active_hc", HostFlag::degraded_active_hc},
     {"degraded_eds_health", HostFlag::degraded_eds_health},
     {"pending_dynamic_removal", HostFlag::pending_dynamic_removal},
     {"pending_active_hc", HostFlag::pending_active_hc},
     {"excluded_via_immediate_hc_fail", HostFlag::excluded_via_immediate_hc_fail},
     {"active_hc_timeout", HostFlag::active_hc_timeout},
     {"eds_status_draining", HostFlag::eds_status_draining}});

envoy::HostFlags reported_by_eds(envoy::HostFlags all) {
  envoy::HostFlags reported;
  for (const HostFlag flag :
       {HostFlag::failed_eds_health, HostFlag::degraded_eds_health, HostFlag::eds_status_draining}) {
    if (all.has(flag)) {
      reported.set(flag);
    }
  }
  return reported;
}

}  // namespace

std::optional<envoy::HostFlag> host_flag_of(std::string_view name) noexcept {
  for (const auto& [known, flag] : host_flags) {
    if (known == name) {
      return flag;
    }
  }
  return std::nullopt;
}

bool set_eds_health(envoy::HostFlags& flags, std::string_view status) {
  if (status == "UNHEALTHY" || status == "TIMEOUT") {
    flags.set(envoy::HostFlag::failed_eds_health);
  } else if (status == "DEGRADED") {
    flags.set(envoy::HostFlag::degraded_eds_health);
  } else if (status == "DRAINING") {
    flags.set(envoy::HostFlag::eds_status_draining);
  } else {
    return status == "HEALTHY" || status == "UNKNOWN";
  }
  return true;
}

std::string flags_text(envoy::HostFlags set) {
  std::string text;
  for (const auto& [name, flag] : host_flags) {
    if (set.has(flag)) {
      text += "/" + std::string(name);
    }
  }
  return text.empty() ? "healthy" : text;
}

config::HealthStatus status_of(envoy::HostFlags set) noexcept {
  using config::HealthStatus;
  switch (envoy::coarse_health(set)) {
    case envoy::Health::unhealthy:
      return envoy::is_excluded(set) ? HealthStatus::draining : HealthStatus::unhealthy;
    case envoy::Health::degraded:
      return HealthStatus::degraded;
    case envoy::Health::healthy:
      break;
  }
  return HealthStatus::healthy;
}

std::vector<config::ClusterLoadAssignment> memberships(const Clusters& clusters, HealthOf health) {
  std::vector<config::ClusterLoadAssignment> all;
  for (const Cluster& cluster : clusters.clusters) {
    config::ClusterLoadAssignment& assignment = all.emplace_back();
    assignment.cluster_name = cluster.name;
    for (const Host& host : cluster.hosts) {
      auto entry = std::find_if(assignment.endpoints.begin(), assignment.endpoints.end(), [&](const auto& one) {
        return one.locality == host.locality && one.priority == host.priority;
      });
      if (entry == assignment.endpoints.end()) {
        assignment.endpoints.push_back({host.locality, host.priority, std::nullopt, {}});
        entry = std::prev(assignment.endpoints.end());
      }
      config::LbEndpoint endpoint;
      endpoint.address = host.address;
      endpoint.hostname = host.hostname;
      endpoint.health_status = status_of(health == HealthOf::everything ? host.flags : reported_by_eds(host.flags));
      endpoint.load_balancing_weight = std::max(1U, host.weight);
      entry->lb_endpoints.push_back(std::move(endpoint));
    }
  }
  return all;
}

Diagnostic unknown_flag(std::string_view name, Span where) {
  return warning("SP792", where, "an unknown health flag", "`{}` is unknown", {name}).note("the flag is ignored");
}

}  // namespace spillway::observed
