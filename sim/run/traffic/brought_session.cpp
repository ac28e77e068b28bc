#include <algorithm>
#include <vector>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/stateful_session/filter.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::run {

std::optional<config::HostIndex> endpoint_at(const scenario::Service& service, const std::string& address) {
  std::uint32_t index = 0;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      if (endpoint.address == address) {
        return config::HostIndex{index};
      }
      ++index;
    }
  }
  return std::nullopt;
}

std::uint64_t number_of(const std::optional<BroughtSession>& session) {
  return session ? 1 + (session->strict ? 1 : 0) + 2 * (session->host ? std::uint64_t{session->host->value} + 1 : 0)
                 : 0;
}

std::optional<std::string> session_of(const envoy::StatefulSession& session, const envoy::routes::Request& request) {
  if (session.state == envoy::SessionState::cookie) {
    return envoy::routes::cookie_value(request, session.name);
  }
  const std::string* const value = envoy::routes::first_value(request, session.name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

// Envoy finds no host of an aggregate cluster by address.
std::optional<BroughtSession> brought_session(const scenario::Service& service, const envoy::StatefulSession& session,
                                              const std::string& value) {
  namespace sessions = envoy::stateful_session;
  const std::optional<std::string> address =
      session.state == envoy::SessionState::cookie ? sessions::parse_cookie(value, 0) : sessions::parse_header(value);
  if (!address || address->empty()) {
    return std::nullopt;
  }
  const bool aggregate = !service.cluster.aggregate_clusters.empty();
  return BroughtSession{aggregate ? std::nullopt : endpoint_at(service, *address), session.strict};
}

std::optional<envoy::stateful_session::SessionChoice> choice_of(const BroughtSession& session,
                                                                const envoy::Cluster& cluster,
                                                                const envoy::ClusterState& state) {
  using Status = config::HealthStatus;
  using envoy::HostFlag;
  const auto choose = [&](std::optional<Status> status) {
    return envoy::stateful_session::select_host(status, session.strict, cluster.common_lb_config.override_host_status);
  };
  if (!session.host) {
    return choose(std::nullopt);
  }
  const envoy::Host& host = state.hosts.hosts[session.host->value];
  const auto listed = state.hosts.host_sets[host.priority.value].all.hosts();
  if (std::find(listed.begin(), listed.end(), *session.host) == listed.end()) {
    return choose(std::nullopt);
  }
  std::vector<Status> possible = {Status::unknown, Status::healthy};
  if (host.flags.has(HostFlag::failed_active_hc) || host.flags.has(HostFlag::failed_outlier_check)) {
    possible = {Status::unhealthy};
  } else if (host.flags.has(HostFlag::failed_eds_health)) {
    possible = {Status::unhealthy, Status::timeout, Status::draining};
  } else if (host.flags.has(HostFlag::eds_status_draining)) {
    possible = {Status::draining};
  } else if (host.flags.has(HostFlag::degraded_active_hc) || host.flags.has(HostFlag::degraded_eds_health)) {
    possible = {Status::degraded};
  }
  const auto first = choose(possible.front());
  const bool certain =
      std::all_of(possible.begin(), possible.end(), [&](Status status) { return choose(status) == first; });
  return certain ? std::optional(first) : std::nullopt;
}

bool keeps_session(const scenario::Route& route, const envoy::routes::Request& request) {
  if (!route.stateful_session || route.stateful_session->state == envoy::SessionState::header) {
    return route.stateful_session.has_value();
  }
  const std::string* const path = envoy::routes::first_value(request, ":path");
  return envoy::stateful_session::path_matches(route.stateful_session->path, path == nullptr ? "/" : *path);
}

}  // namespace spillway::run
