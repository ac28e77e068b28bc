#include "reports/import/groups.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::importing {

using config::HealthStatus;

namespace {

void order_by_health(Group& group, const std::map<std::string, HealthStatus>& reported) {
  std::vector<std::string> ordered;
  for (const Rank rank : {Rank::healthy, Rank::degraded, Rank::unhealthy, Rank::draining}) {
    for (const std::string& address : group.addresses) {
      if (rank_of(reported.at(address)) == rank) {
        group.healthy += rank == Rank::healthy ? 1 : 0;
        group.degraded += rank == Rank::degraded ? 1 : 0;
        if (rank == Rank::draining) {
          group.draining.push_back(ordered.size());
        }
        ordered.push_back(address);
      }
    }
  }
  group.addresses = std::move(ordered);
}

}  // namespace

Rank rank_of(HealthStatus status) {
  switch (status) {
    case HealthStatus::degraded:
      return Rank::degraded;
    case HealthStatus::unhealthy:
    case HealthStatus::timeout:
      return Rank::unhealthy;
    case HealthStatus::draining:
      return Rank::draining;
    case HealthStatus::unknown:
    case HealthStatus::healthy:
      break;
  }
  return Rank::healthy;
}

bool has_named_hosts(const scenario::Service& service) {
  return envoy::policies::consistent_hashing(service.cluster.lb_policy) != nullptr;
}

std::vector<Group> groups_of(const scenario::Service& service) {
  const bool named = has_named_hosts(service);
  std::vector<Group> groups;
  for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
    const std::size_t first = groups.size();
    for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
      config::LbEndpoint like = endpoint;
      like.health_status = HealthStatus::unknown;
      like.address.clear();
      like.hostname.clear();
      const auto known = std::find_if(groups.begin() + static_cast<std::ptrdiff_t>(first), groups.end(),
                                      [&](const Group& group) { return !named && group.like == like; });
      if (known == groups.end()) {
        like.hostname = named ? endpoint.hostname : "";
        groups.push_back({entry.locality, entry.priority.value, std::move(like), {endpoint.address}});
      } else {
        known->addresses.push_back(endpoint.address);
      }
    }
  }
  std::map<std::string, HealthStatus> reported;
  for (const config::LocalityLbEndpoints& entry : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : entry.lb_endpoints) {
      reported.emplace(endpoint.address, endpoint.health_status);
    }
  }
  for (Group& group : groups) {
    order_by_health(group, reported);
  }
  return groups;
}

}  // namespace spillway::reports::importing
