// One client's load balancer of one cluster: the cursors, seeds and schedules that picks move.
//
//   auto state = refresh(cluster, nullptr, make_priority_set(assignment, {}), {});
//   LoadBalancer balancer(state, draw);          // draw: any generator of uniform 64-bit integers
//   if (auto pick = balancer.choose(draw)) {
//     serve(pick->host);                         // position in the load assignment
//   }
//   balancer.update(changed_state, draw);        // after the class of this client got a new state
//
// Draws in Envoy's order and number (docs/behaviour/envoy-before-pick.md 13): at construction one per priority if
// locality-weighted, then what the policy takes; at an update one per changed priority if locality-weighted; at a pick
// the priority, the zone routing test, the share that stays, the zone, then the policy's own. The seed profile draws no
// locality seeds, since its schedules start without. An aggregate cluster adds one draw in front of its child's.
//
// A balancer of an aggregate holds one of each child, as Envoy does, and a child listed twice once. A balancer of
// subsets holds one of each subset and draws nothing itself; a hash policy holds nothing and draws for requests without
// a hash alone. The parts of a subset balancer draw in the order any, default, subsets as they were created.
// Source: docs/behaviour/envoy-before-pick.md 5 to 11; Envoy's load_balancer_impl.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/only_list.hpp"
#include "models/envoy/pick.hpp"
#include "models/envoy/policies/pick_states.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/policies/subset/subset.hpp"
#include "models/envoy/request_context.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy {

// Where a policy is sent to pick.
struct SourceChoice {
  std::uint64_t priority_draw = 0;
  PriorityChoice choice;
  Availability availability = Availability::healthy;  // `all` in panic
  std::optional<SourceIndex> source;                  // none: the pick fails here; an empty list fails too
};

// What a subset balancer counts of its picks, by Envoy's names.
struct SubsetCounters {
  std::uint64_t lb_subsets_selected = 0;
  std::uint64_t lb_subsets_fallback = 0;
  std::uint64_t lb_subsets_fallback_panic = 0;
};

class LoadBalancer {
 public:
  LoadBalancer() = default;  // of no cluster: every pick finds no host

  // `times` is what slow start needs; without it nothing has to be said.
  template <class Draw>
  LoadBalancer(std::shared_ptr<const ClusterState> state, Draw& draw, const health::HostTimes& times = {}) {
    update(std::move(state), draw, {}, times);
  }

  // Takes the next state of the same cluster. Cursors stay; schedules of changed priorities start anew. The state that
  // it has already changes and draws nothing. `active_requests` as in RequestContext and `times`, under the next
  // state's numbering.
  template <class Draw>
  void update(std::shared_ptr<const ClusterState> next, Draw& draw, ActiveRequests active_requests = {},
              const health::HostTimes& times = {});

  // The same, where one priority's update is delivered although nothing may have changed in it: its schedules start
  // anew all the same.
  template <class Draw>
  void deliver(std::shared_ptr<const ClusterState> next, config::Priority delivered, Draw& draw,
               ActiveRequests active_requests = {}, const health::HostTimes& times = {});

  // What a later choose() will pick, for connections that are made ahead; nothing where the policy cannot tell, or
  // where there have been as many peeks as there are healthy hosts. The draw of the priority is kept for that pick, up
  // to the next update. Hash policies, subsets and override host cannot tell. May allocate.
  template <class Draw>
  std::optional<Pick> peek(Draw& draw, const RequestContext& context = {});

  // One pick; nothing if no host can take the request. Constant time (a weighted choice: O(log n)), no allocation.
  template <class Draw>
  std::optional<Pick> choose(Draw& draw, const RequestContext& context = {}) {
    return choose(draw, context, [](const Pick&) { return false; });
  }

  // The same, picking again while `rejects(pick)` and attempts are left; the last pick stands even if rejected.
  template <class Draw, class Rejects>
  std::optional<Pick> choose(Draw& draw, const RequestContext& context, Rejects rejects);

  // The steps of a pick of a plain cluster up to the list that the policy picks from; draws and schedules move as they
  // would in choose(). For explanations and tests.
  template <class Draw>
  SourceChoice choose_source(Draw& draw, const RequestContext& context = {}) {
    return choose_source(draw, Wanted{.load = context.priority_load});
  }

  // The two hosts of which the next pick will take the better one, and the draws that are left then; nothing where
  // picks go other ways. They hold until the next draw or update(). Moves nothing.
  template <class Draw>
  struct Pair {
    DrawnHost first = {};
    DrawnHost second = {};
    Draw after;  // three draws
    config::Priority priority = {};
    Availability availability = Availability::healthy;
  };
  template <class Draw>
  [[nodiscard]] std::optional<Pair<Draw>> next_pair(Draw draw) const;
  [[nodiscard]] std::uint64_t updates() const noexcept { return updates_; }

  // The pick state of a policy that picks from lists, for loops that know which one it is; null: it is another one.
  template <class PickState>
  [[nodiscard]] PickState* list_policy() noexcept {
    return policy_ ? std::get_if<PickState>(&*policy_) : nullptr;
  }

  [[nodiscard]] const ClusterState* state() const noexcept { return state_.get(); }
  [[nodiscard]] const SubsetCounters& subset_counters() const noexcept { return subset_counters_; }

 private:
  // What one pick of a plain cluster may choose from: its own loads, or the level that an aggregate chose.
  struct Wanted {
    std::optional<PriorityChoice> forced = std::nullopt;
    const HealthyAndDegradedLoad* load = nullptr;
    std::uint32_t child = 0;
    std::uint32_t first_host = 0;  // of this cluster in the active requests
  };

  template <class Draw>
  void take(std::shared_ptr<const ClusterState> next, std::optional<config::Priority> delivered, Draw& draw,
            ActiveRequests active_requests, const health::HostTimes& times);
  template <class Draw>
  void update_plain(const ClusterState* before, std::optional<config::Priority> delivered, Draw& draw,
                    ActiveRequests active_requests, const health::HostTimes& times);
  template <class Draw>
  void update_children(Draw& draw, ActiveRequests active_requests, const health::HostTimes& times);
  template <class Draw>
  void update_subsets(const ClusterState* before, Draw& draw, ActiveRequests active_requests,
                      const health::HostTimes& times);
  template <class Draw, class Rejects>
  std::optional<Pick> choose_plain(Draw& draw, const RequestContext& context, const Wanted& wanted, Rejects& rejects);
  template <class Draw, class Rejects>
  std::optional<Pick> choose_hashed(Draw& draw, const RequestContext& context, const Wanted& wanted, Rejects& rejects);
  template <class Draw, class Rejects>
  std::optional<Pick> choose_subset(Draw& draw, const RequestContext& context, const Wanted& wanted, Rejects& rejects);
  template <class Draw, class Rejects>
  std::optional<Pick> choose_by_criteria(Draw& draw, const RequestContext& context, const Wanted& wanted,
                                         Rejects& rejects, policies::subset::CriteriaView criteria);
  template <class Draw, class Rejects>
  std::optional<Pick> choose_overridden(Draw& draw, const RequestContext& context, const Wanted& wanted,
                                        Rejects& rejects);
  [[nodiscard]] Pick named_host(config::HostIndex host, const Wanted& wanted) const noexcept;
  [[nodiscard]] ActiveRequests own_requests(const RequestContext& context, const Wanted& wanted) const noexcept {
    const auto active = context.active_requests;
    return active.empty() ? active : active.subspan(wanted.first_host, state_->hosts.hosts.size());
  }
  template <class Draw>
  std::optional<Pick> attempt(Draw& draw, const RequestContext& context, const Wanted& wanted);
  template <class Draw>
  SourceChoice choose_source(Draw& draw, const Wanted& wanted);
  template <class Draw>
  std::optional<SourceIndex> choose_list(Draw& draw, const PickPlan& plan, PriorityChoice choice);

  [[nodiscard]] OnlyList only_list() const;

  // What next_pair() needs stands first.
  std::shared_ptr<const ClusterState> state_;
  std::uint64_t updates_ = 0;
  OnlyList only_list_;
  std::vector<std::uint64_t> peeked_draws_;  // of priorities, not picked yet
  std::optional<policies::PickState> policy_;
  std::vector<EdfScheduler> locality_schedules_;  // as ClusterState::plans; empty unless locality-weighted
  std::vector<std::uint32_t> shuffle_;            // room for a bounded load's shuffle

  // Of an aggregate by position; of override host the fallback's; of a subset balancer those of any, default and the
  // subsets by number, default-constructed where the state has no such part.
  std::vector<LoadBalancer> children_;
  static constexpr std::size_t any_child = 0;
  static constexpr std::size_t default_child = 1;
  static constexpr std::size_t first_subset_child = 2;
  SubsetCounters subset_counters_;
};

}  // namespace spillway::envoy
