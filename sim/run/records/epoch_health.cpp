#include "sim/run/records/epoch_health.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "models/config/listed_health.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/results.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::run {

namespace {

std::string health_label(const std::vector<PriorityHealth>& priorities) {
  std::string label;
  for (const PriorityHealth& priority : priorities) {
    const std::uint32_t hosts = std::max(priority.hosts, 1U);
    label += (label.empty() ? "" : ", ") + priority.cluster + (priority.cluster.empty() ? "P" : " P") +
             std::to_string(priority.priority.value) + " " +
             std::to_string((200 * priority.healthy + hosts) / (2 * hosts)) + "%";
  }
  return label;
}

// Describes loads and panic of every priority in `state`.
void describe_loads(EpochHealth& health, const envoy::Cluster& cluster, const envoy::ClusterState& state) {
  const envoy::PriorityState& priorities = state.priorities;
  health.total_availability = static_cast<std::uint32_t>(priorities.normalized_total_availability);
  const std::vector<std::string>& children = cluster.aggregate_clusters;
  for (PriorityHealth& priority : health.priorities) {
    std::size_t level = priority.priority.value;
    if (state.aggregate) {
      // If a child is listed twice, uses its first position.
      level = static_cast<std::size_t>(std::find_if(state.levels.begin(), state.levels.end(),
                                                    [&](const envoy::AggregateLevel& candidate) {
                                                      return children[candidate.child] == priority.cluster &&
                                                             candidate.priority == priority.priority;
                                                    }) -
                                       state.levels.begin());
    }
    if (level < priorities.load.healthy.size()) {
      priority.load = priorities.load.healthy[level] + priorities.load.degraded[level];
      priority.degraded_load = priorities.load.degraded[level];
      priority.panic = envoy::sends_in_panic(state, level);
    }
  }
}

}  // namespace

EpochHealth epoch_health(const scenario::Scenario& scenario, const Targets& hosts, const envoy::Cluster& cluster,
                         const Upstreams& upstreams, FlowIndex flow) {
  EpochHealth health;
  std::map<std::pair<std::uint32_t, config::Priority>, PriorityHealth> priorities;
  for (std::uint32_t position = 0; position < hosts.size(); ++position) {
    const Target& target = hosts.at(position);
    if (!target.first_of_host) {
      continue;
    }
    const scenario::EdsHosts& all_reported = upstreams.reported(flow, target.service);
    health.reported.push_back(all_reported.health[target.host.value]);
    health.absent.push_back(all_reported.absent[target.host.value] != 0 ? 1 : 0);
    if (all_reported.absent[target.host.value] != 0) {
      continue;
    }
    PriorityHealth& priority = priorities[{target.child, target.priority}];
    priority.priority = target.priority;
    priority.cluster = cluster.aggregate_clusters.empty() ? "" : scenario.services[target.service.value].name;
    ++priority.hosts;
    const config::HealthStatus reported = all_reported.health[target.host.value];
    priority.healthy += config::is_listed_healthy(reported) ? 1 : 0;
    priority.degraded += reported == config::HealthStatus::degraded ? 1 : 0;
  }
  for (const auto& [place, priority] : priorities) {
    health.priorities.push_back(priority);
  }
  describe_loads(health, cluster, *upstreams.state(flow));
  health.label = health_label(health.priorities);
  return health;
}

}  // namespace spillway::run
