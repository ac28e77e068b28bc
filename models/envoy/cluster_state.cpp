#include "models/envoy/cluster_state.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/envoy/cluster.hpp"
#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/policies/hash_table.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/subset_state.hpp"

namespace spillway::envoy {

namespace {

using config::Priority;

const config::ZoneAwareLbConfig& zone_config(const config::CommonLbConfig& config) {
  static const config::ZoneAwareLbConfig none{};
  const auto* zone = std::get_if<config::ZoneAwareLbConfig>(&config.locality_config_specifier);
  return zone == nullptr ? none : *zone;
}

void update_loads(ClusterState& state, const ClusterState* previous, std::uint64_t threshold) {
  const auto count = [&state](std::size_t priority) {
    return count_hosts(state.hosts.host_sets[priority], state.hosts.hosts);
  };
  const std::size_t priorities = state.hosts.host_sets.size();
  if (previous == nullptr) {
    for (std::size_t priority = 0; priority < priorities; ++priority) {
      state.counts.push_back(count(priority));
    }
    state.priorities = initial_priority_state(state.counts, threshold, state.profile);
    state.panic_threshold = threshold;
    return;
  }
  state.counts = previous->counts;
  state.counts.resize(priorities);
  state.priorities = previous->priorities;
  state.panic_threshold = previous->panic_threshold;
  for (std::size_t priority = 0; priority < priorities; ++priority) {
    if (!same_priority(previous->hosts, state.hosts, priority)) {
      state.counts[priority] = count(priority);
      update_priority(state.priorities, state.counts, priority, threshold, state.profile);
      state.panic_threshold = threshold;
    }
  }
}

// Updates the zone routing. A balancer reads force_local_zone only once; it reads min_cluster_size when the hosts of
// either side change.
void update_zone_routing(ClusterState& state, const ClusterState* previous, const Cluster& cluster,
                         const ProxyContext& proxy, std::uint64_t threshold) {
  state.zone_settings = zone_settings(zone_config(cluster.common_lb_config), proxy.runtime);
  if (previous != nullptr) {
    state.zone_settings.force_local_zone_min_size = previous->zone_settings.force_local_zone_min_size;
  }
  if (proxy.local_cluster == nullptr || proxy.local_cluster->host_sets.empty() || state.locality_weighted) {
    return;
  }
  const HostSet& local = proxy.local_cluster->host_sets.front();
  state.local_cluster_in_panic = host_set_in_panic(count_hosts(local, proxy.local_cluster->hosts).hosts, threshold);
  state.upstream_zones = count_zones(state.hosts.host_sets.front(), state.hosts.hosts);
  state.local_zones = count_zones(local, proxy.local_cluster->hosts);
  if (previous != nullptr && state.local_zones == previous->local_zones &&
      same_priority(previous->hosts, state.hosts, 0)) {
    state.zone_settings.min_cluster_size = previous->zone_settings.min_cluster_size;
  }
  state.zone_routing = zone_routing(state.upstream_zones, state.local_zones, state.zone_settings, state.profile);
}

// Returns the part of the plan that no draw changes. Source: envoy-before-pick.md 7.
PickPlan make_plan(const ClusterState& state, Priority priority, Availability availability) {
  using List = HostSources::List;
  using Step = PickPlan::Step;
  PickPlan plan;
  // Envoy builds a priority's schedules together with its hosts, whether or not it panics. The update of another
  // priority can end the panic, and builds no schedule here.
  if (state.locality_weighted) {
    plan.schedule = locality_schedule(state.hosts.host_sets[priority.value], availability);
  }
  if (state.priorities.panic[priority.value]) {
    plan.step = state.zone_settings.fail_traffic_on_panic ? Step::no_host : Step::list;
    plan.availability = Availability::all;
    plan.list = state.sources.flat(priority, List::all);
    return plan;
  }
  plan.availability = availability;
  plan.list = state.sources.flat(priority, availability == Availability::degraded ? List::degraded : List::healthy);
  if (state.locality_weighted) {
    plan.step = plan.schedule.empty() ? Step::list : Step::localities;
  } else if (priority.value == 0 && state.zone_routing.state != ZoneState::none) {
    plan.step = Step::zones;
  }
  return plan;
}

std::shared_ptr<const policies::HashTable> make_hash_table(const ClusterState& state, std::size_t priority) {
  auto result = std::make_shared<policies::HashTable>();
  const bool locality_weighted = state.locality_weighted && state.profile != config::EnvoyProfile::seed;
  std::vector<NormalizedHost> hosts = normalized_hosts(state.hosts.host_sets[priority], state.hosts.hosts,
                                                       state.priorities.panic[priority], locality_weighted);
  const policies::HashTableInput input{hosts, *state.hosts.endpoints, state.profile};
  std::visit(
      [&](const auto& config) {
        using Policy = typename policies::PolicyOf<std::decay_t<decltype(config)>>::type;
        if constexpr (policies::IsHashPolicy<Policy>) {
          result->table = typename Policy::Table(config, input);
          result->ties =
              policies::hosts_of_equal_keys(input, config.consistent_hashing_lb_config.use_hostname_for_hashing);
          const std::uint32_t factor = config.consistent_hashing_lb_config.hash_balance_factor;
          result->bounded_load = policies::BoundedLoad(std::move(hosts), factor);
        }
      },
      state.lb_policy);
  return result;
}

void update_hash_tables(ClusterState& state, const ClusterState* previous) {
  const bool same_policy = previous != nullptr && previous->lb_policy == state.lb_policy;
  for (std::size_t priority = 0; priority < state.hosts.host_sets.size(); ++priority) {
    const bool same = same_policy && priority < previous->hash_tables.size() &&
                      previous->priorities.panic[priority] == state.priorities.panic[priority] &&
                      same_priority(previous->hosts, state.hosts, priority);
    state.hash_tables.push_back(same ? previous->hash_tables[priority] : make_hash_table(state, priority));
  }
}

bool is_hash_policy(const policies::Config& config) {
  return std::visit(
      [](const auto& own) {
        return policies::IsHashPolicy<typename policies::PolicyOf<std::decay_t<decltype(own)>>::type>;
      },
      config);
}

std::shared_ptr<const ClusterState> refresh_fallback(const Cluster& cluster, const ClusterState* previous,
                                                     const PrioritySet& hosts, const ProxyContext& proxy) {
  const auto& config = std::get<policies::override_host::Config>(cluster.lb_policy);
  Cluster inner = cluster;
  inner.lb_policy = config.fallback_policy.get().config;
  return refresh(inner, previous == nullptr ? nullptr : previous->fallback.get(), hosts, proxy);
}

}  // namespace

std::shared_ptr<const ClusterState> refresh(const Cluster& cluster, const ClusterState* previous, PrioritySet hosts,
                                            const ProxyContext& proxy) {
  auto state = std::make_shared<ClusterState>();
  state->profile = proxy.profile;
  state->lb_policy = cluster.lb_policy;
  state->hosts = std::move(hosts);
  const std::size_t before = previous == nullptr ? 1 : previous->hosts.host_sets.size();
  state->hosts.host_sets.resize(std::max(before, state->hosts.host_sets.size()));
  state->sources = HostSources(state->hosts, previous == nullptr ? nullptr : &previous->sources, proxy.profile);
  state->locality_weighted =
      std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier);

  const std::uint64_t threshold = panic_threshold(cluster.common_lb_config, proxy.runtime);
  update_loads(*state, previous, threshold);
  state->priority_table = tabulate_priorities(state->priorities.load);
  update_zone_routing(*state, previous, cluster, proxy, threshold);
  for (std::uint32_t priority = 0; priority < state->hosts.host_sets.size(); ++priority) {
    state->plans.push_back(make_plan(*state, Priority{priority}, Availability::healthy));
    state->plans.push_back(make_plan(*state, Priority{priority}, Availability::degraded));
  }
  if (is_hash_policy(cluster.lb_policy)) {
    update_hash_tables(*state, previous);
  } else if (std::holds_alternative<policies::subset::Config>(cluster.lb_policy)) {
    state->subsets =
        refresh_subsets(cluster, previous == nullptr ? nullptr : previous->subsets.get(), state->hosts, proxy);
  } else if (std::holds_alternative<policies::override_host::Config>(cluster.lb_policy)) {
    state->fallback = refresh_fallback(cluster, previous, state->hosts, proxy);
    state->host_map = HostMap(state->hosts);
  }
  return state;
}

std::shared_ptr<const ClusterState> under_runtime(const Cluster& cluster,
                                                  const std::shared_ptr<const ClusterState>& current,
                                                  const ProxyContext& proxy) {
  auto next = refresh(cluster, current.get(), current->hosts, proxy);
  const bool same = next->zone_settings.routing_enabled == current->zone_settings.routing_enabled &&
                    next->local_cluster_in_panic == current->local_cluster_in_panic;
  return same ? current : next;
}

std::shared_ptr<const ClusterState> over_children(const std::shared_ptr<const ClusterState>& current,
                                                  std::span<const std::shared_ptr<const ClusterState>> children) {
  if (std::equal(children.begin(), children.end(), current->children.begin(), current->children.end())) {
    return current;
  }
  auto state = std::make_shared<ClusterState>(*current);
  state->children.assign(children.begin(), children.end());
  return state;
}

std::shared_ptr<const ClusterState> refresh_aggregate(const Cluster& cluster,
                                                      std::span<const std::shared_ptr<const ClusterState>> children,
                                                      const ProxyContext& proxy) {
  auto state = std::make_shared<ClusterState>();
  state->profile = proxy.profile;
  state->aggregate = true;
  state->children.assign(children.begin(), children.end());
  std::uint32_t hosts = 0;
  std::vector<std::span<const PriorityCounts>> child_counts;
  for (std::uint32_t child = 0; child < children.size(); ++child) {
    const auto& names = cluster.aggregate_clusters;
    const auto first = std::find(names.begin(), names.end(), names[child]) - names.begin();
    state->first_position_of_child.push_back(static_cast<std::uint32_t>(first));
    const bool repeated = static_cast<std::uint32_t>(first) != child;
    state->first_host_of_child.push_back(repeated ? state->first_host_of_child[static_cast<std::size_t>(first)]
                                                  : hosts);
    const ClusterState* const known = children[child].get();
    const bool plain = known != nullptr && !known->aggregate;
    child_counts.push_back(plain ? std::span<const PriorityCounts>(known->counts) : std::span<const PriorityCounts>());
    if (plain && !repeated) {
      hosts += static_cast<std::uint32_t>(known->hosts.hosts.size());
    }
  }
  state->levels = linearize(child_counts);
  for (const AggregateLevel& level : state->levels) {
    state->counts.push_back(child_counts[level.child][level.priority.value]);
  }
  state->panic_threshold = panic_threshold(cluster.common_lb_config, proxy.runtime);
  state->priorities = initial_priority_state(state->counts, state->panic_threshold, proxy.profile);
  state->priority_table = tabulate_priorities(state->priorities.load);
  return state;
}

namespace {

bool child_in_panic(const ClusterState& state, std::size_t level) noexcept {
  if (!state.aggregate || level >= state.levels.size()) {
    return false;
  }
  const AggregateLevel& of = state.levels[level];
  const std::vector<bool>& panic = state.children[of.child]->priorities.panic;
  return of.priority.value < panic.size() && panic[of.priority.value];
}

}  // namespace

bool sends_in_panic(const ClusterState& state, std::size_t priority) noexcept {
  const PriorityState& own = state.priorities;
  if (priority >= own.panic.size() || state.counts[priority].hosts.all == 0) {
    return false;
  }
  return own.panic[priority] ||
         (child_in_panic(state, priority) && own.load.healthy[priority] + own.load.degraded[priority] > 0);
}

std::uint64_t threshold_of_panic(const ClusterState& state, std::size_t priority) noexcept {
  const bool by_level = priority < state.priorities.panic.size() && state.priorities.panic[priority];
  if (!state.aggregate || priority >= state.levels.size() || (by_level && !child_in_panic(state, priority))) {
    return state.panic_threshold;
  }
  return state.children[state.levels[priority].child]->panic_threshold;
}

}  // namespace spillway::envoy
