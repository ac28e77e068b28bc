#include "models/envoy/newcomers.hpp"

#include <algorithm>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/host_health.hpp"
#include "models/envoy/host_set.hpp"

namespace spillway::envoy {

namespace {

// Returns by HostIndex which hosts are healthy. Hosts in no list are not.
std::vector<bool> healthy_hosts(const PrioritySet& hosts) {
  std::vector<bool> healthy(hosts.hosts.size(), false);
  for (const HostSet& set : hosts.host_sets) {
    for (const config::HostIndex host : set.healthy.hosts()) {
      healthy[host.value] = true;
    }
  }
  return healthy;
}

}  // namespace

std::chrono::nanoseconds slow_start_window(const policies::Config& policy) {
  if (const policies::Config* const child = policies::child_of(policy)) {
    return slow_start_window(*child);
  }
  return std::visit(
      [](const auto& config) {
        if constexpr (requires { config.slow_start_config; }) {
          return config.slow_start_config.slow_start_window;
        }
        return std::chrono::nanoseconds{0};
      },
      policy);
}

std::chrono::nanoseconds slow_start_window(const ClusterState& state) {
  if (!state.aggregate) {
    return slow_start_window(state.lb_policy);
  }
  std::chrono::nanoseconds longest{0};
  for (const auto& child : state.children) {
    longest = child == nullptr ? longest : std::max(longest, slow_start_window(*child));
  }
  return longest;
}

bool gains_healthy_host(const ClusterState& before, const ClusterState& after) {
  if (after.aggregate) {
    for (std::size_t child = 0; child < after.children.size(); ++child) {
      if (after.children[child] != nullptr && before.children[child] != nullptr &&
          gains_healthy_host(*before.children[child], *after.children[child])) {
        return true;
      }
    }
    return false;
  }
  const std::vector<bool> was = healthy_hosts(before.hosts);
  const std::vector<bool> is = healthy_hosts(after.hosts);
  for (std::size_t host = 0; host < is.size(); ++host) {
    if (is[host] && !was[host]) {
      return true;
    }
  }
  return false;
}

}  // namespace spillway::envoy
