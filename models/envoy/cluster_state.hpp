// What a class of clients sees of one cluster at a moment: hosts, loads, panic, localities, zones. Immutable and
// shared; cursors, seeds and schedules are each client's own (load_balancer.hpp).
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
#include <optional>
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

// What a proxy knows besides the cluster.
struct ProxyContext {
  config::EnvoyProfile profile = config::EnvoyProfile::current;
  config::Runtime runtime = {};
  // The hosts of the bootstrap's local_cluster_name, which zone-aware routing needs. Read during refresh() only; null:
  // none is configured.
  const PrioritySet* local_cluster = nullptr;
};

// How the picks of one priority and availability find their list of hosts.
struct PickPlan {
  enum class Step : std::uint8_t {
    no_host,     // fail_traffic_on_panic
    list,        // `list`
    localities,  // the locality schedule of this plan
    zones,       // zone-aware routing, or `list` where that does not apply to the pick
  };
  Step step = Step::list;
  Availability availability = Availability::healthy;  // of the hosts picked: `all` in panic
  SourceIndex list;
  LocalitySchedule schedule;
};

struct SubsetState;  // subset_state.hpp

struct ClusterState {
  config::EnvoyProfile profile = config::EnvoyProfile::current;

  // By priority; of an aggregate cluster by level, and those of its children are theirs.
  std::vector<PriorityCounts> counts;
  PriorityState priorities;
  std::uint64_t panic_threshold = 50;  // by which panic was decided last, percent
  PriorityTable priority_table;        // priorities.load by draw % 100

  // A plain cluster's own.
  policies::Config lb_policy;
  PrioritySet hosts;
  HostSources sources;
  bool locality_weighted = false;
  std::vector<PickPlan> plans;  // by priority: healthy, degraded
  ZoneSettings zone_settings;
  // What zone routing compares; of no localities where there is no local cluster, or localities are weighted.
  ZoneSide upstream_zones;
  ZoneSide local_zones;
  ZoneRouting zone_routing;
  bool local_cluster_in_panic = false;

  // A hash policy's own, by priority; shared along the chain of states where nothing changed.
  std::vector<std::shared_ptr<const policies::HashTable>> hash_tables;
  // The policy of a subset or override host balancer does not pick by the lists above, but by these.
  std::shared_ptr<const SubsetState> subsets;
  std::shared_ptr<const ClusterState> fallback;  // of override host
  HostMap host_map;                              // of override host

  // An aggregate cluster's own.
  bool aggregate = false;
  std::vector<std::shared_ptr<const ClusterState>> children;  // in its list's order; null: unknown
  std::vector<std::uint32_t> first_position_of_child;         // a child that is listed twice is one cluster
  std::vector<std::uint32_t> first_host_of_child;             // in RequestContext::active_requests
  std::vector<AggregateLevel> levels;

  [[nodiscard]] const PickPlan& plan(config::Priority priority, Availability availability) const noexcept {
    return plans[2 * priority.value + (availability == Availability::degraded ? 1U : 0U)];
  }
};

// Whether requests to a priority are in panic: they go to hosts without regard to their health. Of an aggregate cluster
// it is about a level: whether the level panics, or its child does (by the child's own threshold, which alone decides
// over hosts) and gets requests by it. One that gets none is what the aggregate has failed over from.
[[nodiscard]] bool sends_in_panic(const ClusterState& state, std::size_t priority) noexcept;
// The threshold by which they are or would be, percent.
[[nodiscard]] std::uint64_t threshold_of_panic(const ClusterState& state, std::size_t priority) noexcept;

// The state of a plain cluster after its hosts, or the local cluster's, have changed.
//
// `previous` is this cluster's state before, or null for the first; it carries stale loads and the order of the lists.
// Priorities that changed are told to the loads one at a time, in ascending order. Priorities that have vanished stay
// as empty ones. `hosts` may be what it was. Linear in the number of hosts.
[[nodiscard]] std::shared_ptr<const ClusterState> refresh(const Cluster& cluster, const ClusterState* previous,
                                                          PrioritySet hosts, const ProxyContext& proxy);

// The state of a plain cluster whose hosts stay while runtime values change: what Envoy reads at each pick takes effect
// (zone_routing.enabled, and whether the local cluster panics), the rest waits for the next refresh(), and
// force_local_zone for the next balancer. `current` itself if nothing takes effect.
[[nodiscard]] std::shared_ptr<const ClusterState> under_runtime(const Cluster& cluster,
                                                                const std::shared_ptr<const ClusterState>& current,
                                                                const ProxyContext& proxy);

// The state of an aggregate cluster, its loads and panic as they are, over other states of the same children.
[[nodiscard]] std::shared_ptr<const ClusterState> over_children(
    const std::shared_ptr<const ClusterState>& current, std::span<const std::shared_ptr<const ClusterState>> children);

// The state of an aggregate cluster over its children's, one for each of cluster.aggregate_clusters in order (null:
// there is no such cluster). Children that have no hosts, other aggregates among them, add no level.
[[nodiscard]] std::shared_ptr<const ClusterState> refresh_aggregate(
    const Cluster& cluster, std::span<const std::shared_ptr<const ClusterState>> children, const ProxyContext& proxy);

}  // namespace spillway::envoy
