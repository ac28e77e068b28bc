#include "models/envoy/host_set.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace spillway::envoy {

using config::HostIndex;
using config::Locality;

HostList::HostList(std::vector<HostIndex> flat, std::span<const Host> hosts, std::size_t localities)
    : flat_(std::move(flat)), begin_(localities + 1, 0) {
  if (localities == 1) {
    by_locality_ = flat_;
    begin_.back() = flat_.size();
    return;
  }
  by_locality_.resize(flat_.size());
  for (const HostIndex host : flat_) {
    ++begin_[hosts[host.value].locality + 1];
  }
  for (std::size_t locality = 0; locality < localities; ++locality) {
    begin_[locality + 1] += begin_[locality];
  }
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const HostIndex host : flat_) {
    by_locality_[next[hosts[host.value].locality]++] = host;
  }
}

namespace {

std::vector<HostIndex>::iterator place_of(std::vector<HostIndex>& hosts, std::size_t begin, std::size_t end,
                                          HostIndex host) {
  const auto at = [&hosts](std::size_t position) { return hosts.begin() + static_cast<std::ptrdiff_t>(position); };
  return std::lower_bound(at(begin), at(end), host);
}

}  // namespace

void HostList::insert(HostIndex host, std::size_t locality) {
  flat_.insert(place_of(flat_, 0, flat_.size(), host), host);
  by_locality_.insert(place_of(by_locality_, begin_[locality], begin_[locality + 1], host), host);
  std::for_each(begin_.begin() + static_cast<std::ptrdiff_t>(locality) + 1, begin_.end(),
                [](std::size_t& begin) { ++begin; });
}

void HostList::erase(HostIndex host, std::size_t locality) {
  flat_.erase(place_of(flat_, 0, flat_.size(), host));
  by_locality_.erase(place_of(by_locality_, begin_[locality], begin_[locality + 1], host));
  std::for_each(begin_.begin() + static_cast<std::ptrdiff_t>(locality) + 1, begin_.end(),
                [](std::size_t& begin) { --begin; });
}

namespace {

// The localities of one priority with their weights, before positions are assigned.
using LocalityWeights = std::map<Locality, std::uint32_t>;

bool is_own(const Locality& locality, const Locality& own) {
  return !own.empty() && locality == own;
}

// Returns by HostIndex which endpoints become hosts.
std::vector<bool> kept_endpoints(const config::ClusterLoadAssignment& assignment, const PrioritySetOptions& options) {
  std::size_t count = 0;
  for (const auto& group : assignment.endpoints) {
    count += group.lb_endpoints.size();
  }
  std::vector<bool> kept(count, true);
  for (std::size_t host = 0; host < options.absent.size(); ++host) {
    kept[host] = options.absent[host] == 0;
  }
  return kept;
}

std::vector<LocalityWeights> locality_weights(const config::ClusterLoadAssignment& assignment,
                                              const std::vector<bool>& kept, const PrioritySetOptions& options) {
  std::vector<LocalityWeights> result(1);
  std::size_t host = 0;
  std::size_t position = 0;
  for (const auto& group : assignment.endpoints) {
    const std::optional<std::uint32_t> reported =
        options.locality_weights.empty() ? group.load_balancing_weight : options.locality_weights[position];
    ++position;
    const std::size_t priority = group.priority.value;
    result.resize(std::max(result.size(), priority + 1));
    const auto end = host + group.lb_endpoints.size();
    bool has_host = false;
    for (; host < end; ++host) {
      has_host = has_host || kept[host];
    }
    if (!has_host) {
      continue;
    }
    std::uint32_t& weight = result[priority][group.locality];
    weight = reported.value_or(weight);
  }
  return result;
}

void order_localities(HostSet& set, const LocalityWeights& weights, const Locality& own) {
  for (const auto& [locality, weight] : weights) {
    const bool first = is_own(locality, own);
    set.has_local_locality = set.has_local_locality || first;
    set.localities.insert(first ? set.localities.begin() : set.localities.end(), locality);
    set.locality_weights.insert(first ? set.locality_weights.begin() : set.locality_weights.end(), weight);
  }
}

// Returns the position of `locality` in a set. Precondition: the set's localities are in Envoy's order.
std::uint32_t locality_index(const HostSet& set, const Locality& locality) {
  if (set.has_local_locality && locality == set.localities.front()) {
    return 0;
  }
  const auto begin = set.localities.begin() + (set.has_local_locality ? 1 : 0);
  return static_cast<std::uint32_t>(std::lower_bound(begin, set.localities.end(), locality) - set.localities.begin());
}

struct FlatLists {
  std::vector<HostIndex> all;
  std::vector<HostIndex> healthy;
  std::vector<HostIndex> degraded;
  std::vector<HostIndex> excluded;

  // Reserves space; most hosts are healthy.
  void reserve(std::size_t hosts) {
    all.reserve(hosts);
    healthy.reserve(hosts);
  }

  void add(HostIndex host, HostFlags flags) {
    all.push_back(host);
    const Health health = coarse_health(flags);
    if (health == Health::healthy) {
      healthy.push_back(host);
    } else if (health == Health::degraded) {
      degraded.push_back(host);
    }
    if (is_excluded(flags)) {
      excluded.push_back(host);
    }
  }

  void list_into(HostSet& set, std::span<const Host> hosts) {
    const std::size_t localities = set.localities.size();
    set.all = HostList(std::move(all), hosts, localities);
    set.healthy = HostList(std::move(healthy), hosts, localities);
    set.degraded = HostList(std::move(degraded), hosts, localities);
    set.excluded = HostList(std::move(excluded), hosts, localities);
  }
};

bool same_name(const PrioritySet& before, const PrioritySet& after, HostIndex host) {
  if (before.endpoints == after.endpoints || before.endpoints == nullptr || after.endpoints == nullptr) {
    return true;
  }
  const config::LbEndpoint& old_name = (*before.endpoints)[host.value];
  const config::LbEndpoint& new_name = (*after.endpoints)[host.value];
  return old_name.address == new_name.address && old_name.hostname == new_name.hostname &&
         old_name.metadata == new_name.metadata;
}

}  // namespace

bool operator==(const PrioritySet& left, const PrioritySet& right) {
  const bool same_names =
      left.endpoints == right.endpoints ||
      (left.endpoints != nullptr && right.endpoints != nullptr && *left.endpoints == *right.endpoints);
  return same_names && left.hosts == right.hosts && left.host_sets == right.host_sets;
}

std::shared_ptr<const std::vector<config::LbEndpoint>> flat_endpoints(const config::ClusterLoadAssignment& assignment) {
  auto result = std::make_shared<std::vector<config::LbEndpoint>>();
  for (const auto& group : assignment.endpoints) {
    result->insert(result->end(), group.lb_endpoints.begin(), group.lb_endpoints.end());
  }
  return result;
}

PrioritySet filter_hosts(const PrioritySet& hosts, std::span<const HostIndex> kept) {
  PrioritySet result;
  result.hosts = hosts.hosts;
  result.endpoints = hosts.endpoints;
  std::vector<FlatLists> lists(hosts.host_sets.size());
  for (const HostIndex host : kept) {
    const Host& entry = hosts.hosts[host.value];
    lists[entry.priority.value].add(host, entry.flags);
  }
  for (std::size_t priority = 0; priority < lists.size(); ++priority) {
    const HostSet& whole = hosts.host_sets[priority];
    HostSet& set = result.host_sets.emplace_back();
    set.localities = whole.localities;
    set.locality_weights = whole.locality_weights;
    set.has_local_locality = whole.has_local_locality;
    set.overprovisioning_factor = whole.overprovisioning_factor;
    set.weighted_priority_health = whole.weighted_priority_health;
    lists[priority].list_into(set, result.hosts);
  }
  return result;
}

std::optional<PrioritySet> with_flags(const PrioritySet& hosts, std::span<const FlagsOfHost> flags) {
  const auto to_be_removed = [](HostFlags of) { return of.has(HostFlag::pending_dynamic_removal); };
  if (std::any_of(hosts.hosts.begin(), hosts.hosts.end(),
                  [&](const Host& host) { return to_be_removed(host.flags); }) ||
      std::any_of(flags.begin(), flags.end(), [&](const FlagsOfHost& of) { return to_be_removed(of.flags); })) {
    return std::nullopt;
  }
  std::vector<Host> all(hosts.hosts.begin(), hosts.hosts.end());
  PrioritySet result{.hosts = {}, .host_sets = hosts.host_sets, .endpoints = hosts.endpoints};
  for (const FlagsOfHost& of : flags) {
    Host& host = all[of.host.value];
    const Host before = std::exchange(host, Host{host.priority, host.locality, host.weight, of.flags});
    HostSet& set = result.host_sets[host.priority.value];
    const auto listed = set.all.hosts();
    if (!std::binary_search(listed.begin(), listed.end(), of.host)) {
      continue;
    }
    const auto move = [&](HostList& list, bool was, bool is) {
      if (was && !is) {
        list.erase(of.host, host.locality);
      } else if (is && !was) {
        list.insert(of.host, host.locality);
      }
    };
    const Health old_health = coarse_health(before.flags);
    const Health health = coarse_health(host.flags);
    move(set.healthy, old_health == Health::healthy, health == Health::healthy);
    move(set.degraded, old_health == Health::degraded, health == Health::degraded);
    move(set.excluded, is_excluded(before.flags), is_excluded(host.flags));
  }
  result.hosts = std::move(all);
  return result;
}

bool same_priority(const PrioritySet& before, const PrioritySet& after, std::size_t priority) {
  if (priority >= before.host_sets.size() || priority >= after.host_sets.size() ||
      before.host_sets[priority] != after.host_sets[priority]) {
    return false;
  }
  const auto all = after.host_sets[priority].all.hosts();
  return std::all_of(all.begin(), all.end(), [&](HostIndex host) {
    return before.hosts[host.value] == after.hosts[host.value] && same_name(before, after, host);
  });
}

PrioritySet make_priority_set(const config::ClusterLoadAssignment& assignment, const PrioritySetOptions& options) {
  const std::vector<bool> kept = kept_endpoints(assignment, options);
  const std::vector<LocalityWeights> weights = locality_weights(assignment, kept, options);

  PrioritySet result;
  result.endpoints = options.endpoints != nullptr ? options.endpoints : flat_endpoints(assignment);
  std::vector<Host> hosts;
  hosts.reserve(kept.size());
  result.host_sets.resize(weights.size());
  for (std::size_t priority = 0; priority < weights.size(); ++priority) {
    HostSet& set = result.host_sets[priority];
    set.overprovisioning_factor = assignment.overprovisioning_factor;
    set.weighted_priority_health = assignment.weighted_priority_health;
    order_localities(set, weights[priority], options.own_locality);
  }

  std::vector<FlatLists> lists(weights.size());
  for (FlatLists& of_priority : lists) {
    of_priority.reserve(lists.size() == 1 ? kept.size() : 0);
  }
  std::vector<HostIndex> pending_removal;
  for (const auto& group : assignment.endpoints) {
    const HostSet& set = result.host_sets[group.priority.value];
    const std::uint32_t locality = locality_index(set, group.locality);
    for (const auto& endpoint : group.lb_endpoints) {
      const std::size_t index = hosts.size();
      const HostFlags flags =
          options.flags.empty() ? eds_health_flags(endpoint.health_status, options.profile) : options.flags[index];
      const std::uint32_t weight = options.weights.empty() ? endpoint.load_balancing_weight : options.weights[index];
      hosts.push_back({group.priority, locality, weight, flags});
      const HostIndex host{static_cast<std::uint32_t>(index)};
      if (kept[index] && flags.has(HostFlag::pending_dynamic_removal)) {
        pending_removal.push_back(host);
      } else if (kept[index]) {
        lists[group.priority.value].add(host, flags);
      }
    }
  }
  for (const HostIndex host : pending_removal) {
    lists[hosts[host.value].priority.value].add(host, hosts[host.value].flags);
  }
  result.hosts = std::move(hosts);
  for (std::size_t priority = 0; priority < lists.size(); ++priority) {
    lists[priority].list_into(result.host_sets[priority], result.hosts);
  }
  return result;
}

}  // namespace spillway::envoy
