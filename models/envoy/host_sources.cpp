#include "models/envoy/host_sources.hpp"

#include <algorithm>

namespace spillway::envoy {

HostSources::HostSources(const PrioritySet& hosts, const HostSources* previous, config::EnvoyProfile profile)
    : profile_(profile) {
  const bool cluster_is_weighted =
      std::any_of(hosts.hosts.begin(), hosts.hosts.end(), [](const Host& host) { return host.weight != 1; });
  // Most hosts are healthy, and are in three lists.
  hosts_.reserve(3 * hosts.hosts.size());
  weights_.reserve(3 * hosts.hosts.size());
  for (std::uint32_t priority = 0; priority < hosts.host_sets.size(); ++priority) {
    const HostSet& set = hosts.host_sets[priority];
    first_.push_back(size());
    add(set.all.hosts(), hosts, cluster_is_weighted);
    add(set.healthy.hosts(), hosts, cluster_is_weighted);
    add(set.degraded.hosts(), hosts, cluster_is_weighted);
    for (std::size_t locality = 0; locality < set.localities.size(); ++locality) {
      add(set.healthy.of_locality(locality), hosts, cluster_is_weighted);
      add(set.degraded.of_locality(locality), hosts, cluster_is_weighted);
    }
    if (previous != nullptr && priority < previous->priorities()) {
      const std::uint32_t before = previous->end_of(priority).value - previous->begin_of(priority).value;
      slices_.resize(std::max<std::size_t>(slices_.size(), first_.back() + before));
    }
  }
}

HostSources::Description HostSources::describe(SourceIndex source) const {
  const auto next = std::upper_bound(first_.begin(), first_.end(), source.value);
  const auto priority = static_cast<std::uint32_t>(next - first_.begin() - 1);
  const std::uint32_t position = source.value - first_[priority];
  if (position < flat_lists) {
    return {config::Priority{priority}, static_cast<List>(position), std::nullopt};
  }
  const bool degraded = (position - flat_lists) % 2 == 1;
  return {config::Priority{priority}, degraded ? List::degraded : List::healthy, (position - flat_lists) / 2};
}

void HostSources::add(std::span<const config::HostIndex> list, const PrioritySet& hosts, bool cluster_is_weighted) {
  Slice slice{static_cast<std::uint32_t>(hosts_.size()), static_cast<std::uint32_t>(list.size()), false};
  hosts_.insert(hosts_.end(), list.begin(), list.end());
  if (!cluster_is_weighted) {
    weights_.resize(hosts_.size(), 1.0);
    slices_.push_back(slice);
    return;
  }
  const Host* const described = hosts.hosts.data();
  const std::uint32_t first = list.empty() ? 0 : described[list.front().value].weight;
  bool weights_differ = false;
  weights_.resize(hosts_.size());
  double* weight = weights_.data() + slice.begin;
  for (const config::HostIndex host : list) {
    const std::uint32_t own = described[host.value].weight;
    *weight++ = own;
    weights_differ |= own != first;
  }
  slice.weighted = profile_ == config::EnvoyProfile::seed ? cluster_is_weighted && list.size() >= 2 : weights_differ;
  any_weighted_ = any_weighted_ || slice.weighted;
  slices_.push_back(slice);
}

}  // namespace spillway::envoy
