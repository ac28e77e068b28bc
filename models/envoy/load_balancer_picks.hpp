// The bodies of LoadBalancer's member templates. Include this in sources that update a balancer or pick, and
// load_balancer.hpp in headers that have one as a member.
//
// Source: docs/behaviour/envoy-host-pick.md 5, 10.6, 12, 13.1; Envoy's thread_aware_lb_impl.cc, subset_lb.cc,
// override_host/load_balancer.cc.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/load_balancer.hpp"
#include "models/envoy/policies/bounded_load.hpp"
#include "models/envoy/policies/hash_table.hpp"
#include "models/envoy/policies/override_host/override_host.hpp"
#include "models/envoy/policies/pick_states.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/policies/subset/subset.hpp"
#include "models/envoy/subset_state.hpp"

namespace spillway::envoy {

// ---------------------------------------------------------------------------------------------------------------------

template <class Draw>
void LoadBalancer::update(std::shared_ptr<const ClusterState> next, Draw& draw, ActiveRequests active_requests,
                          const health::HostTimes& times) {
  if (next != state_) {
    take(std::move(next), std::nullopt, draw, active_requests, times);
  }
}

template <class Draw>
void LoadBalancer::deliver(std::shared_ptr<const ClusterState> next, config::Priority delivered, Draw& draw,
                           ActiveRequests active_requests, const health::HostTimes& times) {
  take(std::move(next), delivered, draw, active_requests, times);
}

template <class Draw>
void LoadBalancer::take(std::shared_ptr<const ClusterState> next, std::optional<config::Priority> delivered, Draw& draw,
                        ActiveRequests active_requests, const health::HostTimes& times) {
  const std::shared_ptr<const ClusterState> before = std::exchange(state_, std::move(next));
  ++updates_;
  only_list_ = {};
  if (state_ == nullptr) {
    const std::uint64_t updates = updates_;
    *this = LoadBalancer();
    updates_ = updates;
  } else if (state_->aggregate) {
    update_children(draw, active_requests, times);
  } else if (state_->subsets != nullptr) {
    update_subsets(before.get(), draw, active_requests, times);
  } else if (state_->fallback != nullptr) {
    children_.resize(1);
    children_.front().update(state_->fallback, draw, active_requests, times);
  } else if (!state_->hash_tables.empty()) {
    shuffle_.resize(state_->hosts.hosts.size());
  } else {
    update_plain(before.get(), delivered, draw, active_requests, times);
  }
}

template <class Draw>
void LoadBalancer::update_plain(const ClusterState* before, std::optional<config::Priority> delivered, Draw& draw,
                                ActiveRequests active_requests, const health::HostTimes& times) {
  const std::size_t priorities = state_->hosts.host_sets.size();
  std::vector<bool> changed(priorities, true);
  for (std::size_t priority = 0; before != nullptr && priority < priorities; ++priority) {
    changed[priority] = !same_priority(before->hosts, state_->hosts, priority);
  }
  if (delivered && delivered->value < priorities) {
    changed[delivered->value] = true;
  }
  peeked_draws_.clear();
  if (state_->locality_weighted) {
    locality_schedules_.resize(state_->plans.size());
    for (std::size_t priority = 0; priority < priorities; ++priority) {
      if (changed[priority]) {
        const std::uint64_t seed = config::before(state_->profile, 30) ? 0 : draw();
        for (std::size_t plan = 2 * priority; plan < 2 * priority + 2; ++plan) {
          locality_schedules_[plan] = start_schedule(state_->plans[plan].schedule, seed, state_->profile);
        }
      }
    }
  }
  const policies::PickStateInput input{state_->sources, changed, active_requests, state_->hosts.hosts, times};
  std::visit(
      [&](const auto& config) {
        using Policy = typename policies::PolicyOf<std::decay_t<decltype(config)>>::type;
        if constexpr (policies::IsListPolicy<Policy>) {
          using PickState = typename Policy::PickState;
          if (auto* const own = policy_ ? std::get_if<PickState>(&*policy_) : nullptr) {
            own->update(config, input);
          } else {
            policy_.emplace(PickState(config, input, draw));
          }
        }
      },
      state_->lb_policy);
  only_list_ = only_list();
}

template <class Draw>
void LoadBalancer::update_children(Draw& draw, ActiveRequests active_requests, const health::HostTimes& times) {
  children_.resize(state_->children.size());
  for (std::size_t child = 0; child < children_.size(); ++child) {
    if (state_->first_position_of_child[child] == child) {
      const std::size_t first = state_->first_host_of_child[child];
      const auto own = active_requests.empty() ? active_requests : active_requests.subspan(first);
      const auto passes = times.last_hc_pass.empty() ? times.last_hc_pass : times.last_hc_pass.subspan(first);
      children_[child].update(state_->children[child], draw, own, {times.now, passes});
    }
  }
}

template <class Draw, class Rejects>
std::optional<Pick> LoadBalancer::choose(Draw& draw, const RequestContext& context, Rejects rejects) {
  if (state_ == nullptr) {
    return std::nullopt;
  }
  if (!state_->aggregate) {
    return choose_plain(draw, context, {.load = context.priority_load}, rejects);
  }
  if (state_->levels.empty()) {
    return std::nullopt;
  }
  const std::uint64_t priority_draw = draw();
  const PriorityChoice choice = context.priority_load != nullptr
                                    ? choose_priority(priority_draw, *context.priority_load)
                                    : state_->priority_table[priority_draw % 100];
  const AggregateLevel& level = state_->levels[choice.priority.value];
  const Wanted wanted{.forced = PriorityChoice{level.priority, choice.availability},
                      .child = level.child,
                      .first_host = state_->first_host_of_child[level.child]};
  return children_[state_->first_position_of_child[level.child]].choose_plain(draw, context, wanted, rejects);
}

template <class Draw, class Rejects>
std::optional<Pick> LoadBalancer::choose_plain(Draw& draw, const RequestContext& context, const Wanted& wanted,
                                               Rejects& rejects) {
  if (state_ == nullptr) {
    return std::nullopt;
  }
  if (state_->subsets != nullptr) {
    return choose_subset(draw, context, wanted, rejects);
  }
  if (state_->fallback != nullptr) {
    return choose_overridden(draw, context, wanted, rejects);
  }
  if (!state_->hash_tables.empty()) {
    return choose_hashed(draw, context, wanted, rejects);
  }
  std::optional<Pick> pick = attempt(draw, context, wanted);
  for (std::uint32_t again = 0; again < context.host_selection_retry_count && pick && rejects(*pick); ++again) {
    pick = attempt(draw, context, wanted);
  }
  return pick;
}

template <class Draw>
std::optional<Pick> LoadBalancer::attempt(Draw& draw, const RequestContext& context, const Wanted& wanted) {
  const ClusterState& state = *state_;
  const SourceChoice chosen = choose_source(draw, wanted);
  if (!chosen.source || state.sources.hosts(*chosen.source).empty()) {
    return std::nullopt;
  }
  const policies::PickInput input{state.sources, *chosen.source, chosen.priority_draw, own_requests(context, wanted),
                                  context.now};
  const config::HostIndex host = std::visit(
      [&](auto& policy) {
        using Policy = typename policies::PolicyOf<std::decay_t<decltype(policy)>>::type;
        return policy.pick(*std::get_if<typename Policy::Config>(&state.lb_policy), input, draw);
      },
      *policy_);
  return Pick{host, chosen.choice.priority, chosen.availability, wanted.child};
}

template <class Draw>
SourceChoice LoadBalancer::choose_source(Draw& draw, const Wanted& wanted) {
  SourceChoice result;
  if (peeked_draws_.empty()) {
    result.priority_draw = draw();
  } else {
    result.priority_draw = peeked_draws_.front();
    peeked_draws_.erase(peeked_draws_.begin());
  }
  result.choice = wanted.forced            ? *wanted.forced
                  : wanted.load != nullptr ? choose_priority(result.priority_draw, *wanted.load)
                                           : state_->priority_table[result.priority_draw % 100];
  const PickPlan& plan = state_->plan(result.choice.priority, result.choice.availability);
  result.availability = plan.availability;
  result.source = choose_list(draw, plan, result.choice);
  return result;
}

template <class Draw>
std::optional<SourceIndex> LoadBalancer::choose_list(Draw& draw, const PickPlan& plan, PriorityChoice choice) {
  const ClusterState& state = *state_;
  const auto list =
      choice.availability == Availability::degraded ? HostSources::List::degraded : HostSources::List::healthy;
  switch (plan.step) {
    case PickPlan::Step::no_host:
      return std::nullopt;
    case PickPlan::Step::list:
      return plan.list;
    case PickPlan::Step::localities: {
      const std::size_t position = 2 * choice.priority.value + (list == HostSources::List::degraded ? 1U : 0U);
      const std::uint32_t entry = locality_schedules_[position].pick(plan.schedule.weights);
      return state.sources.of_locality(choice.priority, plan.schedule.localities[entry], list);
    }
    case PickPlan::Step::zones:
      break;
  }
  if (!zone_routing_enabled(state.zone_settings.routing_enabled, draw)) {
    return plan.list;
  }
  if (state.local_cluster_in_panic) {
    return state.zone_settings.fail_traffic_on_panic ? std::nullopt : std::optional(plan.list);
  }
  return state.sources.of_locality(choice.priority, choose_zone(state.zone_routing, draw).locality, list);
}

template <class Draw, class Rejects>
std::optional<Pick> LoadBalancer::choose_hashed(Draw& draw, const RequestContext& context, const Wanted& wanted,
                                                Rejects& rejects) {
  const ClusterState& state = *state_;
  const policies::ConsistentHashingLbConfig* const config = policies::consistent_hashing(state.lb_policy);
  std::optional<std::uint64_t> given = context.hash;
  if (!config->hash_policy.empty()) {
    given = context.request == nullptr ? std::nullopt : routes::hash_of(config->hash_policy, *context.request).hash;
  }
  const std::uint64_t hash = given ? *given : draw();
  const config::Priority priority = state.priority_table[hash % 100].priority;
  const policies::HashTable& table = *state.hash_tables[priority.value];
  const auto availability = state.priorities.panic[priority.value] ? Availability::all : Availability::healthy;
  std::optional<Pick> pick;
  for (std::uint32_t attempt = 0; attempt <= context.host_selection_retry_count; ++attempt) {
    auto host = std::visit([&](const auto& own) { return own.pick(hash, attempt); }, table.table);
    if (!host) {
      return std::nullopt;
    }
    if (table.bounded_load.bounds()) {
      host = table.bounded_load.pick(*host, hash, own_requests(context, wanted), shuffle_);
    }
    pick = Pick{*host, priority, availability, wanted.child};
    if (!rejects(*pick)) {
      break;
    }
  }
  return pick;
}

inline Pick LoadBalancer::named_host(config::HostIndex host, const Wanted& wanted) const noexcept {
  const Host& entry = state_->hosts.hosts[host.value];
  const Health health = coarse_health(entry.flags);
  const Availability availability = health == Health::healthy    ? Availability::healthy
                                    : health == Health::degraded ? Availability::degraded
                                                                 : Availability::all;
  return {host, entry.priority, availability, wanted.child};
}

template <class Draw, class Rejects>
std::optional<Pick> LoadBalancer::choose_overridden(Draw& draw, const RequestContext& context, const Wanted& wanted,
                                                    Rejects& rejects) {
  if (context.override_hosts != nullptr) {
    if (const auto host = context.override_hosts->next(state_->host_map)) {
      return named_host(*host, wanted);
    }
  }
  return children_.front().choose_plain(draw, context, wanted, rejects);
}

template <class Draw>
void LoadBalancer::update_subsets(const ClusterState* before, Draw& draw, ActiveRequests active_requests,
                                  const health::HostTimes& times) {
  const SubsetState& next = *state_->subsets;
  const SubsetState* const former = before == nullptr ? nullptr : before->subsets.get();
  std::unordered_map<std::uint64_t, std::size_t> child_of_id;
  for (std::size_t subset = 0; former != nullptr && subset < former->subsets.size(); ++subset) {
    child_of_id.emplace(former->subsets[subset].id, first_subset_child + subset);
  }
  std::vector<LoadBalancer> children(first_subset_child + next.subsets.size());
  if (!children_.empty()) {
    children[any_child] = std::move(children_[any_child]);
    children[default_child] = std::move(children_[default_child]);
  }
  children[any_child].update(next.any ? next.any->state : nullptr, draw, active_requests, times);
  children[default_child].update(next.default_subset ? next.default_subset->state : nullptr, draw, active_requests,
                                 times);
  for (std::size_t subset = 0; subset < next.subsets.size(); ++subset) {
    LoadBalancer& child = children[first_subset_child + subset];
    if (const auto known = child_of_id.find(next.subsets[subset].id); known != child_of_id.end()) {
      child = std::move(children_[known->second]);
    }
    child.update(next.subsets[subset].state, draw, active_requests, times);
  }
  children_ = std::move(children);
}

template <class Draw, class Rejects>
std::optional<Pick> LoadBalancer::choose_subset(Draw& draw, const RequestContext& context, const Wanted& wanted,
                                                Rejects& rejects) {
  const auto& config = *std::get_if<policies::subset::Config>(&state_->lb_policy);
  if (context.criteria == nullptr || !context.criteria->requested()) {
    return choose_by_criteria(draw, context, wanted, rejects, {});
  }
  const bool by_list = config.metadata_fallback_policy == policies::subset::MetadataFallbackPolicy::fallback_list;
  if (!by_list || !context.criteria->fallback_list()) {
    return choose_by_criteria(draw, context, wanted, rejects, {&*context.criteria->requested()});
  }
  for (const config::Struct& attempt : *context.criteria->fallback_list()) {
    if (auto pick = choose_by_criteria(draw, context, wanted, rejects, {&attempt})) {
      return pick;
    }
  }
  return std::nullopt;
}

template <class Draw, class Rejects>
std::optional<Pick> LoadBalancer::choose_by_criteria(Draw& draw, const RequestContext& context, const Wanted& wanted,
                                                     Rejects& rejects, policies::subset::CriteriaView criteria) {
  using policies::subset::FallbackPolicy;
  using Kind = policies::subset::Resolution::Kind;
  const auto& config = *std::get_if<policies::subset::Config>(&state_->lb_policy);
  const SubsetState& parts = *state_->subsets;
  const auto pick_from = [&](std::size_t child) {
    return children_[child].choose_plain(draw, context, wanted, rejects);
  };
  const auto resolution = policies::subset::resolve(config, parts.selectors, parts.directory, criteria);
  switch (resolution.kind) {
    case Kind::subset:
      ++subset_counters_.lb_subsets_selected;
      if (parts.directory.subsets()[resolution.index.value].single_host) {
        return named_host(parts.directory.subsets()[resolution.index.value].hosts.front(), wanted);
      }
      return pick_from(first_subset_child + resolution.index.value);
    case Kind::any:
      return pick_from(any_child);
    case Kind::default_subset:
      return pick_from(default_child);
    case Kind::none:
      return std::nullopt;
    case Kind::cluster_fallback:
      break;
  }
  if (config.fallback_policy == FallbackPolicy::no_fallback) {
    return std::nullopt;
  }
  const bool any = config.fallback_policy == FallbackPolicy::any_endpoint;
  if (auto pick = pick_from(any ? any_child : default_child)) {
    ++subset_counters_.lb_subsets_fallback;
    return pick;
  }
  if (!config.panic_mode_any) {
    return std::nullopt;
  }
  auto pick = pick_from(any_child);
  subset_counters_.lb_subsets_fallback_panic += pick ? 1 : 0;
  return pick;
}

template <class Draw>
std::optional<Pick> LoadBalancer::peek(Draw& draw, const RequestContext& context) {
  if (!policy_) {
    return std::nullopt;
  }
  const ClusterState& state = *state_;
  std::uint64_t healthy = 0;
  for (const PriorityCounts& counts : state.counts) {
    healthy += counts.hosts.healthy;
  }
  if (peeked_draws_.size() >= healthy) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> earlier = std::exchange(peeked_draws_, {});
  const SourceChoice chosen = choose_source(draw, context);
  peeked_draws_ = std::move(earlier);
  peeked_draws_.push_back(chosen.priority_draw);
  if (!chosen.source || state.sources.hosts(*chosen.source).empty()) {
    return std::nullopt;
  }
  const policies::PickInput input{state.sources, *chosen.source, chosen.priority_draw, own_requests(context, {}),
                                  context.now};
  const std::optional<config::HostIndex> host = std::visit(
      [&](auto& policy) {
        using Policy = typename policies::PolicyOf<std::decay_t<decltype(policy)>>::type;
        return policy.peek(*std::get_if<typename Policy::Config>(&state.lb_policy), input);
      },
      *policy_);
  return host ? std::optional(Pick{*host, chosen.choice.priority, chosen.availability, 0}) : std::nullopt;
}

inline ActiveRequests LoadBalancer::own_requests(const RequestContext& context, const Wanted& wanted) const noexcept {
  const auto active = context.active_requests;
  return active.empty() ? active : active.subspan(wanted.first_host, state_->hosts.hosts.size());
}

inline OnlyList LoadBalancer::only_list() const {
  if (!policy_) {
    return {};
  }
  const PriorityChoice& choice = state_->priority_table[0];
  const PickPlan& plan = state_->plan(choice.priority, choice.availability);
  const bool only = std::all_of(state_->priority_table.begin(), state_->priority_table.end(),
                                [&](const PriorityChoice& other) { return other == choice; });
  const bool better_of_two =
      only && plan.step == PickPlan::Step::list &&
      std::visit(
          [&](const auto& policy) {
            using Policy = typename policies::PolicyOf<std::decay_t<decltype(policy)>>::type;
            if constexpr (requires { &Policy::PickState::takes_better_of_two; }) {
              return policy.takes_better_of_two(*std::get_if<typename Policy::Config>(&state_->lb_policy),
                                                state_->sources, plan.list);
            }
            return false;
          },
          *policy_);
  if (!better_of_two) {
    return {};
  }
  const auto hosts = state_->sources.hosts(plan.list);
  if (hosts.empty()) {
    return {};
  }
  return only_list_of(hosts, choice.priority, plan.availability);
}

template <class Draw>
std::optional<NextPair<Draw>> LoadBalancer::next_pair(Draw draw) const {
  const OnlyList& list = only_list_;
  if (list.hosts == nullptr || !peeked_draws_.empty()) {
    return std::nullopt;
  }
  (void)draw();  // draws the priority
  const DrawnHost first = list.host_at(list.by_hosts(draw()));
  const DrawnHost second = list.host_at(list.by_hosts(draw()));
  return NextPair<Draw>{first, second, draw, list.priority, list.availability};
}

}  // namespace spillway::envoy
