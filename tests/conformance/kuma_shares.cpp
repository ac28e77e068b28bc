#include "tests/conformance/kuma_shares.hpp"

#include <numeric>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"

namespace spillway::conformance {

namespace {

bool picks_by_hash(const kuma::ClusterSettings& settings) {
  return settings.lb_policy == kuma::LbPolicy::ring_hash || settings.lb_policy == kuma::LbPolicy::maglev;
}

envoy::policies::Config policy_of(const kuma::ClusterSettings& settings) {
  switch (settings.lb_policy) {
    case kuma::LbPolicy::random:
      return envoy::policies::random::Config{};
    case kuma::LbPolicy::least_request: {
      envoy::policies::least_request::Config policy;
      const auto given = settings.least_request_lb_config.value_or(kuma::LeastRequestLbConfig{});
      policy.choice_count = given.choice_count.value_or(policy.choice_count);
      policy.active_request_bias = given.active_request_bias.value_or(policy.active_request_bias);
      return policy;
    }
    case kuma::LbPolicy::round_robin:
    case kuma::LbPolicy::ring_hash:
    case kuma::LbPolicy::maglev:
      break;
  }
  return envoy::policies::round_robin::Config{};
}

// The table of one priority: host weights, times those of their localities if these are weighted and there is no panic.
// Locality weights are not scaled by health, and without any the table is empty.
std::map<std::uint32_t, double> table_of(const envoy::ClusterState& state, std::uint32_t priority) {
  const envoy::HostSet& set = state.hosts.host_sets[priority];
  const bool panic = state.priorities.panic[priority];
  const envoy::HostList& list = panic ? set.all : set.healthy;
  std::map<std::uint32_t, double> table;
  for (std::size_t locality = 0; locality < set.localities.size(); ++locality) {
    double weight_sum = 0.0;
    for (const auto host : list.of_locality(locality)) {
      weight_sum += state.hosts.hosts[host.value].weight;
    }
    const bool weighted = state.locality_weighted && !panic;
    for (const auto host : list.of_locality(locality)) {
      const double weight = state.hosts.hosts[host.value].weight;
      table[host.value] = weighted ? set.locality_weights[locality] * weight / weight_sum : weight;
    }
  }
  return table;
}

std::vector<double> hash_shares(const envoy::ClusterState& state) {
  std::vector<double> shares(state.hosts.hosts.size(), 0.0);
  for (std::uint32_t priority = 0; priority < state.hosts.host_sets.size(); ++priority) {
    const auto table = table_of(state, priority);
    const double sum = std::accumulate(table.begin(), table.end(), 0.0,
                                       [](double total, const auto& entry) { return total + entry.second; });
    for (const auto& [host, weight] : table) {
      shares[host] += sum > 0.0 ? state.priorities.load.healthy[priority] / 100.0 * weight / sum : 0.0;
    }
  }
  return shares;
}

}  // namespace

std::shared_ptr<const envoy::ClusterState> kuma_cluster_state(const kuma::LoadAssignment& assignment,
                                                              const kuma::ClusterSettings& settings,
                                                              std::span<const kuma::Endpoint> endpoints,
                                                              const std::vector<bool>& unhealthy,
                                                              double panic_threshold) {
  envoy::Cluster cluster;
  cluster.lb_policy = policy_of(settings);
  cluster.common_lb_config.healthy_panic_threshold = {panic_threshold};
  if (settings.locality_weighted) {
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  }
  const auto load_assignment = kuma::to_envoy(assignment, endpoints, "cluster");
  std::vector<envoy::HostFlags> flags;
  for (const std::size_t endpoint : kuma::host_order(assignment)) {
    flags.push_back(unhealthy[endpoint] ? envoy::HostFlags{envoy::HostFlag::failed_outlier_check} : envoy::HostFlags{});
  }
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(load_assignment, {.flags = flags}), {});
}

std::map<std::string, double> kuma_shares(const envoy::ClusterState& state, const kuma::LoadAssignment& assignment,
                                          const kuma::ClusterSettings& settings,
                                          std::span<const kuma::Endpoint> endpoints) {
  std::vector<double> by_host(state.hosts.hosts.size(), 0.0);
  if (picks_by_hash(settings)) {
    by_host = hash_shares(state);
  } else {
    for (const auto& row : envoy::exact_shares(state).hosts) {
      by_host[row.host.value] += row.share;
    }
  }
  const auto order = kuma::host_order(assignment);
  std::map<std::string, double> shares;
  for (std::size_t host = 0; host < order.size(); ++host) {
    shares[kuma::to_text(endpoints[order[host]])] += by_host[host];
  }
  return shares;
}

}  // namespace spillway::conformance
