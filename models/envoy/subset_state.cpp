#include "models/envoy/subset_state.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/host_set.hpp"

namespace spillway::envoy {

namespace {

namespace subset = policies::subset;
using config::HostIndex;

// Ids of parts; the ids of subsets follow these two.
constexpr std::uint64_t any_id = 0;
constexpr std::uint64_t default_id = 1;
constexpr std::uint64_t first_subset_id = 2;

template <class Keep>
std::vector<HostIndex> members_if(const PrioritySet& hosts, Keep keep) {
  std::vector<HostIndex> members;
  for (const HostSet& set : hosts.host_sets) {
    for (const HostIndex host : set.all.hosts()) {
      if (keep(host)) {
        members.push_back(host);
      }
    }
  }
  return members;
}

bool some_selector(const subset::Config& config, subset::SelectorFallbackPolicy policy) {
  return std::any_of(config.subset_selectors.begin(), config.subset_selectors.end(),
                     [policy](const subset::Selector& selector) { return selector.fallback_policy == policy; });
}

const ClusterState* state_of(const std::optional<SubsetState::Part>& part) {
  return part ? part->state.get() : nullptr;
}

class Builder {
 public:
  Builder(const Cluster& cluster, const PrioritySet& hosts, const ProxyContext& proxy)
      : config_(std::get<subset::Config>(cluster.lb_policy)), inner_(cluster), hosts_(hosts), proxy_(proxy) {
    inner_.lb_policy = config_.subset_lb_policy.get().config;
  }

  SubsetState build(const SubsetState* before) {
    SubsetState state;
    state.selectors = subset::Selectors(config_);
    state.directory = subset::Directory(config_, state.selectors, hosts_);
    add_fallbacks(state, before);
    state.created = before == nullptr ? 0 : before->created;
    std::uint64_t kept = 0;
    for (const auto& found : state.directory.subsets()) {
      const auto index = before == nullptr ? std::nullopt : before->directory.find(std::span(found.path));
      SubsetState::Part part;
      if (index) {
        part = before->subsets[index->value];
        ++kept;
      } else {
        part.id = first_subset_id + state.created++;
      }
      part.state = found.single_host ? nullptr : refresh_part(part.state.get(), found.hosts);
      state.subsets.push_back(std::move(part));
    }
    state.removed = before == nullptr ? 0 : before->removed + (before->subsets.size() - kept);
    return state;
  }

 private:
  void add_fallbacks(SubsetState& state, const SubsetState* before) {
    using Fallback = subset::FallbackPolicy;
    using SelectorFallback = subset::SelectorFallbackPolicy;
    if (config_.fallback_policy == Fallback::any_endpoint || config_.panic_mode_any ||
        some_selector(config_, SelectorFallback::any_endpoint)) {
      const auto members = members_if(hosts_, [](HostIndex) { return true; });
      state.any = {any_id, refresh_part(before == nullptr ? nullptr : state_of(before->any), members)};
    }
    if (config_.fallback_policy == Fallback::default_subset ||
        some_selector(config_, SelectorFallback::default_subset)) {
      const auto members = members_if(hosts_, [this](HostIndex host) {
        return hosts_.endpoints != nullptr &&
               subset::matches(config_.default_subset, (*hosts_.endpoints)[host.value].metadata, config_.list_as_any);
      });
      state.default_subset = {default_id,
                              refresh_part(before == nullptr ? nullptr : state_of(before->default_subset), members)};
    }
  }

  std::shared_ptr<const ClusterState> refresh_part(const ClusterState* previous, std::span<const HostIndex> members) {
    PrioritySet subset = subset_hosts(config_, hosts_, members);
    if (config::before(proxy_.profile, 28)) {
      for (HostSet& set : subset.host_sets) {
        set.overprovisioning_factor = HostSet{}.overprovisioning_factor;
        set.weighted_priority_health = false;
      }
    }
    return refresh(inner_, previous, std::move(subset), proxy_);
  }

  const subset::Config& config_;
  Cluster inner_;
  const PrioritySet& hosts_;
  const ProxyContext& proxy_;
};

}  // namespace

PrioritySet subset_hosts(const subset::Config& config, const PrioritySet& hosts, std::span<const HostIndex> members) {
  PrioritySet result = filter_hosts(hosts, members);
  for (std::size_t priority = 0; priority < result.host_sets.size(); ++priority) {
    HostSet& set = result.host_sets[priority];
    if (!config.locality_weight_aware) {
      set.locality_weights.clear();
    } else if (config.scale_locality_weight) {
      const HostList& all = hosts.host_sets[priority].all;
      for (std::size_t locality = 0; locality < set.locality_weights.size(); ++locality) {
        set.locality_weights[locality] = subset::scaled_locality_weight(
            set.locality_weights[locality], set.all.of_locality(locality).size(), all.of_locality(locality).size());
      }
    }
  }
  return result;
}

std::shared_ptr<const SubsetState> refresh_subsets(const Cluster& cluster, const SubsetState* before,
                                                   const PrioritySet& hosts, const ProxyContext& proxy) {
  return std::make_shared<const SubsetState>(Builder(cluster, hosts, proxy).build(before));
}

}  // namespace spillway::envoy
