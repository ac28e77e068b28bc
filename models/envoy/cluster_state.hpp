// The state of one cluster as a class of clients sees it at one time: hosts, loads, panic, localities, zones. Immutable
// and shared. Cursors, seeds and schedules are each client's own (load_balancer.hpp).
//
//   auto state = refresh(cluster, nullptr, make_priority_set(assignment, {}), {});
//   state = refresh(cluster, state.get(), make_priority_set(changed_assignment, {}), {});
//
// Source: docs/behaviour/envoy-before-pick.md 3, 4, 7, 10, 11; Envoy's load_balancer_impl.cc and
// clusters/aggregate/cluster.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/profile.hpp"
#include "models/envoy/aggregate.hpp"
#include "models/envoy/host_map.hpp"
#include "models/envoy/host_set.hpp"
#include "models/envoy/host_sources.hpp"
#include "models/envoy/locality_weights.hpp"
#include "models/envoy/policies/policy_config.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/envoy/zone_routing.hpp"

namespace spillway::envoy::policies {
struct HashTable;  // hash_table.hpp
}  // namespace spillway::envoy::policies

namespace spillway::envoy {

struct Cluster;  // cluster.hpp

// A proxy's configuration outside the cluster.
struct ProxyContext {
  config::EnvoyProfile profile = config::EnvoyProfile::current;
  config::Runtime runtime = {};
  // The hosts of the bootstrap's local_cluster_name, which zone-aware routing needs. Read only during refresh(); null
  // if none is configured.
  const PrioritySet* local_cluster = nullptr;
};

// The rule by which picks of one priority and availability find their list of hosts.
struct PickPlan {
  enum class Step : std::uint8_t {
    no_host,     // fail_traffic_on_panic
    list,        // `list`
    localities,  // the locality schedule of this plan
    zones,       // zone-aware routing, or `list` if that does not apply to the pick
  };
  Step step = Step::list;
  Availability availability = Availability::healthy;  // of the hosts picked: `all` in panic
  SourceIndex list;
  LocalitySchedule schedule;
};

struct SubsetState;  // subset_state.hpp

struct ClusterState {
  config::EnvoyProfile profile = config::EnvoyProfile::current;

  // By priority; in an aggregate cluster by level. Each child's state has counts by its own priorities.
  std::vector<PriorityCounts> counts;
  PriorityState priorities;
  std::uint64_t panic_threshold = 50;  // that decided panic last, percent
  PriorityTable priority_table;        // priorities.load by draw % 100

  // Members of plain clusters only.
  policies::Config lb_policy;
  PrioritySet hosts;
  HostSources sources;
  bool locality_weighted = false;
  std::vector<PickPlan> plans;  // by priority: healthy, degraded
  ZoneSettings zone_settings;
  // The localities that zone routing compares. Empty without a local cluster, or if localities are weighted.
  ZoneSide upstream_zones;
  ZoneSide local_zones;
  ZoneRouting zone_routing;
  bool local_cluster_in_panic = false;

  // Hash policies only, by priority. Shared along the chain of states if nothing changed.
  std::vector<std::shared_ptr<const policies::HashTable>> hash_tables;
  // A subset or override host balancer picks by these states, not by the lists above.
  std::shared_ptr<const SubsetState> subsets;
  std::shared_ptr<const ClusterState> fallback;  // override host only
  HostMap host_map;                              // override host only

  // Members of aggregate clusters only.
  bool aggregate = false;
  std::vector<std::shared_ptr<const ClusterState>> children;  // in its list's order; null if unknown
  std::vector<std::uint32_t> first_position_of_child;         // the first position, if a child is listed twice
  std::vector<std::uint32_t> first_host_of_child;             // in RequestContext::active_requests
  std::vector<AggregateLevel> levels;

  [[nodiscard]] const PickPlan& plan(config::Priority priority, Availability availability) const noexcept {
    return plans[2 * priority.value + (availability == Availability::degraded ? 1U : 0U)];
  }
};

// True if requests to a priority are in panic, i.e. sent to hosts regardless of health. In an aggregate cluster,
// `priority` is a level: it is in panic if the level itself panics, or if its child panics by the child's own threshold
// and the level has load. Only the child's threshold affects the choice of hosts. A child's level without load does not
// count, because the aggregate has failed over from it.
[[nodiscard]] bool sends_in_panic(const ClusterState& state, std::size_t priority) noexcept;
// Returns the threshold that decides sends_in_panic() [%].
[[nodiscard]] std::uint64_t threshold_of_panic(const ClusterState& state, std::size_t priority) noexcept;

// Returns the state of a plain cluster after its hosts, or those of the local cluster, have changed.
//
// `previous` is the cluster's state before, null for the first. It supplies stale loads and the order of the lists.
// Loads are updated one changed priority at a time, in ascending order. Priorities that have vanished stay, without
// hosts. `hosts` may be unchanged. Linear in the number of hosts.
[[nodiscard]] std::shared_ptr<const ClusterState> refresh(const Cluster& cluster, const ClusterState* previous,
                                                          PrioritySet hosts, const ProxyContext& proxy);

// Returns the state of a plain cluster with the same hosts under other runtime values. Values that Envoy reads at each
// pick take effect: zone_routing.enabled, and whether the local cluster panics. Others wait for the next refresh(),
// force_local_zone for the next balancer. Returns `current` itself if nothing takes effect.
[[nodiscard]] std::shared_ptr<const ClusterState> under_runtime(const Cluster& cluster,
                                                                const std::shared_ptr<const ClusterState>& current,
                                                                const ProxyContext& proxy);

// Returns an aggregate cluster's state, with unchanged loads and panic, over other states of the same children.
[[nodiscard]] std::shared_ptr<const ClusterState> over_children(
    const std::shared_ptr<const ClusterState>& current, std::span<const std::shared_ptr<const ClusterState>> children);

// Returns the state of an aggregate cluster over its children's states, one per entry of cluster.aggregate_clusters in
// order; null for unknown clusters. Children without hosts of their own, including other aggregates, add no level.
[[nodiscard]] std::shared_ptr<const ClusterState> refresh_aggregate(
    const Cluster& cluster, std::span<const std::shared_ptr<const ClusterState>> children, const ProxyContext& proxy);

}  // namespace spillway::envoy
