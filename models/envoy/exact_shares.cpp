#include "models/envoy/exact_shares.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <variant>

namespace spillway::envoy {

namespace {

using policies::ResidueRange;

constexpr std::uint32_t residues = 100;  // a priority is chosen by draw % 100
constexpr ResidueRange any_residue{0, residues};

// Each assumption once, however many children make it.
void add_basis(ExactShares& shares, std::string_view basis) {
  if (!basis.empty() && shares.basis.find(basis) == std::string::npos) {
    shares.basis.append(shares.basis.empty() ? "" : "; ").append(basis);
  }
}

// Sums the shares of one plain cluster by host and list.
class Shares {
 public:
  Shares(const ClusterState& state, std::span<const std::uint32_t> active_requests)
      : state_(state), active_requests_(active_requests) {
    for (auto& list : by_list_) {
      list.resize(state.hosts.hosts.size(), 0.0);
    }
  }

  // All picks that want this priority and availability.
  void add(PriorityChoice choice, ResidueRange range, double probability) {
    const PickPlan& plan = state_.plan(choice.priority, choice.availability);
    switch (plan.step) {
      case PickPlan::Step::no_host:
        break;
      case PickPlan::Step::list:
        add_list(plan.list, plan.availability, range, probability);
        break;
      case PickPlan::Step::localities:
        add_localities(plan, choice.priority, range, probability);
        break;
      case PickPlan::Step::zones:
        add_zones(plan, choice.priority, range, probability);
        break;
    }
  }

  void append_to(ExactShares& result, std::uint32_t child) const {
    std::vector<HostShare>& rows = result.hosts;
    std::visit(
        [&](const auto& config) {
          using Policy = typename policies::PolicyOf<std::decay_t<decltype(config)>>::type;
          add_basis(result, Policy::basis(!active_requests_.empty()));
          if constexpr (requires { config.slow_start_config; }) {
            add_basis(result, config.slow_start_config.slow_start_window.count() > 0 ? "no host in slow start" : "");
          }
        },
        state_.lb_policy);
    if (turns_averaged_ && state_.profile == config::EnvoyProfile::seed) {
      add_basis(result, "the mean over a schedule's turns");
    }
    for (std::uint32_t host = 0; host < state_.hosts.hosts.size(); ++host) {
      for (std::size_t list = 0; list < by_list_.size(); ++list) {
        if (by_list_[list][host] > 0.0) {
          rows.push_back({config::HostIndex{host}, state_.hosts.hosts[host].priority, static_cast<Availability>(list),
                          child, by_list_[list][host]});
        }
      }
    }
  }

 private:
  void add_list(SourceIndex source, Availability availability, ResidueRange range, double probability) {
    const auto hosts = state_.sources.hosts(source);
    if (hosts.empty() || probability <= 0.0) {
      return;
    }
    turns_averaged_ = turns_averaged_ || state_.sources.weighted(source);
    std::vector<double> shares(hosts.size(), 0.0);
    const policies::ShareInput input{state_.sources, source, range, active_requests_};
    std::visit(
        [&](const auto& config) {
          using Policy = typename policies::PolicyOf<std::decay_t<decltype(config)>>::type;
          Policy::add_shares(config, input, probability, shares);
        },
        state_.lb_policy);
    auto& list = by_list_[static_cast<std::size_t>(availability)];
    for (std::size_t position = 0; position < hosts.size(); ++position) {
      list[hosts[position].value] += shares[position];
    }
  }

  void add_locality(Availability availability, config::Priority priority, std::uint32_t locality, ResidueRange range,
                    double probability) {
    const auto list = availability == Availability::degraded ? HostSources::List::degraded : HostSources::List::healthy;
    add_list(state_.sources.of_locality(priority, locality, list), availability, range, probability);
  }

  void add_localities(const PickPlan& plan, config::Priority priority, ResidueRange range, double probability) {
    turns_averaged_ = true;
    double sum = 0.0;
    for (const double weight : plan.schedule.weights) {
      sum += weight;
    }
    for (std::size_t entry = 0; entry < plan.schedule.localities.size(); ++entry) {
      add_locality(plan.availability, priority, plan.schedule.localities[entry], range,
                   probability * plan.schedule.weights[entry] / sum);
    }
  }

  void add_zones(const PickPlan& plan, config::Priority priority, ResidueRange range, double probability) {
    const double enabled = static_cast<double>(state_.zone_settings.routing_enabled) / 100.0;
    add_list(plan.list, plan.availability, range, probability * (1.0 - enabled));
    if (state_.local_cluster_in_panic) {
      if (!state_.zone_settings.fail_traffic_on_panic) {
        add_list(plan.list, plan.availability, range, probability * enabled);
      }
      return;
    }
    const std::vector<double> zones = zone_shares(state_.zone_routing);
    for (std::uint32_t locality = 0; locality < zones.size(); ++locality) {
      add_locality(plan.availability, priority, locality, range, probability * enabled * zones[locality]);
    }
  }

  const ClusterState& state_;
  std::span<const std::uint32_t> active_requests_;
  bool turns_averaged_ = false;                 // a weighted schedule took part
  std::array<std::vector<double>, 3> by_list_;  // by Availability, then HostIndex
};

// Calls visit(choice, range) for each stretch of draws % 100 that makes one choice.
template <class Visit>
void for_each_choice(const PriorityTable& table, Visit visit) {
  std::uint32_t begin = 0;
  for (std::uint32_t end = 1; end <= residues; ++end) {
    if (end == residues || table[end] != table[begin]) {
      visit(table[begin], ResidueRange{begin, end});
      begin = end;
    }
  }
}

double chance(ResidueRange range) {
  return static_cast<double>(range.end - range.begin) / residues;
}

ExactShares aggregate_shares(const ClusterState& state, std::span<const std::uint32_t> active_requests) {
  ExactShares result;
  if (state.levels.empty()) {
    return result;
  }
  for (std::uint32_t child = 0; child < state.children.size(); ++child) {
    const ClusterState* const known = state.children[child].get();
    if (known == nullptr || known->aggregate) {
      continue;
    }
    Shares shares(
        *known, active_requests.empty() ? active_requests : active_requests.subspan(state.first_host_of_child[child]));
    for_each_choice(state.priority_table, [&](PriorityChoice choice, ResidueRange range) {
      const AggregateLevel& level = state.levels[choice.priority.value];
      if (level.child == child) {
        // The child draws anew, so that its own draw is not bound to a stretch.
        shares.add({level.priority, choice.availability}, any_residue, chance(range));
      }
    });
    shares.append_to(result, child);
  }
  return result;
}

}  // namespace

ExactShares exact_shares(const ClusterState& state, std::span<const std::uint32_t> active_requests) {
  if (state.aggregate) {
    return aggregate_shares(state, active_requests);
  }
  Shares shares(state, active_requests);
  for_each_choice(state.priority_table,
                  [&](PriorityChoice choice, ResidueRange range) { shares.add(choice, range, chance(range)); });
  ExactShares result;
  shares.append_to(result, 0);
  return result;
}

}  // namespace spillway::envoy
