// One client's load balancer of one cluster, with the cursors, seeds and schedules that picks advance.
//
//   auto state = refresh(cluster, nullptr, make_priority_set(assignment, {}), {});
//   LoadBalancer balancer(state, draw);          // draw: any generator of uniform 64-bit integers
//   if (auto pick = balancer.choose(draw)) {
//     serve(pick->host);                         // position in the load assignment
//   }
//   balancer.update(changed_state, draw);        // after the class of this client got a new state
//
// The order and number of draws are Envoy's (docs/behaviour/envoy-before-pick.md 13).
// - Construction: one draw per priority if locality-weighted, then those of the policy.
// - Update: one per changed priority if locality-weighted.
// - Pick: the priority, the zone routing test, the share that stays, the zone, then those of the policy.
// The seed profile draws no locality seeds, because its schedules start without. An aggregate cluster adds one draw
// before those of its child.
//
// A balancer of an aggregate contains one balancer per child, as in Envoy; a child listed twice has one. A balancer of
// subsets contains one per subset and makes no draws itself. The parts of a subset balancer draw in the order any,
// default, then subsets by creation. A hash policy has no state; it draws only for requests without a hash.
// Source: docs/behaviour/envoy-before-pick.md 5 to 11; Envoy's load_balancer_impl.cc.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/active_requests.hpp"
#include "models/envoy/availability.hpp"
#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/host_sources.hpp"
#include "models/envoy/only_list.hpp"
#include "models/envoy/pick.hpp"
#include "models/envoy/policies/pick_states.hpp"
#include "models/envoy/priority_load.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy::policies::subset {
struct CriteriaView;  // criteria.hpp
}  // namespace spillway::envoy::policies::subset

namespace spillway::envoy::policies::override_host {
class OverrideHosts;  // override_host.hpp
}  // namespace spillway::envoy::policies::override_host

namespace spillway::envoy::policies::subset {
class Criteria;  // criteria.hpp
}  // namespace spillway::envoy::policies::subset

namespace spillway::envoy::routes {
struct Request;  // request.hpp
}  // namespace spillway::envoy::routes

namespace spillway::envoy {

struct HealthyAndDegradedLoad;  // priority_load.hpp

// The properties of a request that its pick depends on, besides the random draws.
struct RequestContext {
  // Replaces the cluster's own loads, as a retry priority does (retry_priority.hpp). Null if not replaced. Not owned.
  const HealthyAndDegradedLoad* priority_load = nullptr;

  // The number of extra attempts of a pick while the request rejects the host (envoy-before-pick.md 6).
  std::uint32_t host_selection_retry_count = 0;

  // This client's requests in flight, by HostIndex; for an aggregate, child after child
  // (ClusterState::first_host_of_child). Empty if there are none. Used by least request.
  ActiveRequests active_requests = {};

  // The proxy's clock. Used by slow start.
  std::chrono::nanoseconds now{0};

  // The hash from the route's hash policy (routes::hash_of). With nullopt, hash policies draw one for the pick.
  std::optional<std::uint64_t> hash = std::nullopt;

  // Input for hash policies that define their own hash policy; null if there is nothing to hash. Not owned.
  const routes::Request* request = nullptr;

  // The criteria that select a subset; null if the request has none. Not owned.
  const policies::subset::Criteria* criteria = nullptr;

  // The hosts that the request names, for override host; picks consume them. Null if none. Not owned.
  policies::override_host::OverrideHosts* override_hosts = nullptr;
};

struct ClusterState;  // cluster_state.hpp
struct PickPlan;      // cluster_state.hpp

// The list that a policy picks from, and the choices that led to it.
struct SourceChoice {
  std::uint64_t priority_draw = 0;
  PriorityChoice choice;
  Availability availability = Availability::healthy;  // `all` in panic
  std::optional<SourceIndex> source;                  // nullopt if the pick fails; it also fails if the list is empty
};

// Statistics of a subset balancer, with Envoy's names.
struct SubsetCounters {
  std::uint64_t lb_subsets_selected = 0;
  std::uint64_t lb_subsets_fallback = 0;
  std::uint64_t lb_subsets_fallback_panic = 0;
};

class LoadBalancer {
 public:
  LoadBalancer() = default;  // without a cluster: every pick finds no host

  // `times` is needed only for slow start.
  template <class Draw>
  LoadBalancer(std::shared_ptr<const ClusterState> state, Draw& draw, const health::HostTimes& times = {}) {
    update(std::move(state), draw, {}, times);
  }

  // Applies the next state of the same cluster. Cursors stay; schedules of changed priorities restart. Passing the
  // current state again has no effect and draws nothing. `active_requests` (as in RequestContext) and `times` are
  // numbered as in the next state.
  template <class Draw>
  void update(std::shared_ptr<const ClusterState> next, Draw& draw, ActiveRequests active_requests = {},
              const health::HostTimes& times = {});

  // Like update(), but also restarts the schedules of the delivered priority, even if nothing has changed in it.
  template <class Draw>
  void deliver(std::shared_ptr<const ClusterState> next, config::Priority delivered, Draw& draw,
               ActiveRequests active_requests = {}, const health::HostTimes& times = {});

  // Returns the host that a later choose() will pick, for preconnecting. Returns nullopt if the policy cannot predict
  // it (hash policies, subsets, override host), or after as many peeks as there are healthy hosts. The priority draw is
  // kept for that pick until the next update. May allocate.
  template <class Draw>
  std::optional<Pick> peek(Draw& draw, const RequestContext& context = {});

  // Picks a host; nullopt if no host can take the request. O(1), weighted O(log n); no allocation.
  template <class Draw>
  std::optional<Pick> choose(Draw& draw, const RequestContext& context = {}) {
    return choose(draw, context, [](const Pick&) { return false; });
  }

  // Picks again while `rejects(pick)` is true and attempts are left. The last pick is returned even if it is rejected.
  template <class Draw, class Rejects>
  std::optional<Pick> choose(Draw& draw, const RequestContext& context, Rejects rejects);

  // Makes the steps of a plain cluster's pick up to the list that the policy picks from. Draws and schedules advance as
  // in choose(). For explanations and tests.
  template <class Draw>
  SourceChoice choose_source(Draw& draw, const RequestContext& context = {}) {
    return choose_source(draw, Wanted{.load = context.priority_load});
  }

  // The two hosts that the next pick will compare, and the generator after it. next_pair() returns nullopt if picks do
  // not compare two hosts of one list. Valid until the next draw or update(). Does not change the balancer.
  template <class Draw>
  [[nodiscard]] std::optional<NextPair<Draw>> next_pair(Draw draw) const;
  [[nodiscard]] std::uint64_t updates() const noexcept { return updates_; }

  // Returns the pick state of a policy that picks from lists, for loops specialised for it; null for another policy.
  template <class PickState>
  [[nodiscard]] PickState* list_policy() noexcept {
    return policy_ ? std::get_if<PickState>(&*policy_) : nullptr;
  }

  [[nodiscard]] const ClusterState* state() const noexcept { return state_.get(); }
  [[nodiscard]] const SubsetCounters& subset_counters() const noexcept { return subset_counters_; }

 private:
  // The choices of one pick of a plain cluster: by its own loads, or at the level that an aggregate chose.
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
  [[nodiscard]] ActiveRequests own_requests(const RequestContext& context, const Wanted& wanted) const noexcept;
  template <class Draw>
  std::optional<Pick> attempt(Draw& draw, const RequestContext& context, const Wanted& wanted);
  template <class Draw>
  SourceChoice choose_source(Draw& draw, const Wanted& wanted);
  template <class Draw>
  std::optional<SourceIndex> choose_list(Draw& draw, const PickPlan& plan, PriorityChoice choice);

  [[nodiscard]] OnlyList only_list() const;

  // Members that next_pair() reads come first.
  std::shared_ptr<const ClusterState> state_;
  std::uint64_t updates_ = 0;
  OnlyList only_list_;
  std::vector<std::uint64_t> peeked_draws_;  // of priorities, not picked yet
  std::optional<policies::PickState> policy_;
  std::vector<EdfScheduler> locality_schedules_;  // as ClusterState::plans; empty unless locality-weighted
  std::vector<std::uint32_t> shuffle_;            // buffer for a bounded load's shuffle

  // Child balancers.
  // - Aggregate: by position.
  // - Override host: the fallback's.
  // - Subset balancer: any, default, then subsets by number; default-constructed if the state has no such part.
  std::vector<LoadBalancer> children_;
  static constexpr std::size_t any_child = 0;
  static constexpr std::size_t default_child = 1;
  static constexpr std::size_t first_subset_child = 2;
  SubsetCounters subset_counters_;
};

}  // namespace spillway::envoy
