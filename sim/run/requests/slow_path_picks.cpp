// Picks the host of a try: by session, by its balancer, or by a retry's rules.
#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/coming_request.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {

namespace {

// Picks without anything that a request brings. The better of two hosts needs nothing from the proxy's state, which is
// rarely in the caches.
std::optional<envoy::Pick> choose_plainly(Worker& worker, const envoy::RequestContext& context) {
  if (const auto pair = worker.balancer.next_pair(worker.draws)) {
    const auto active = context.active_requests;
    const bool second = !active.empty() && active[pair->second->value] < active[pair->first->value];
    worker.draws = pair->after;
    return envoy::Pick{second ? *pair->second : *pair->first, pair->priority, pair->availability, 0};
  }
  return worker.balancer.choose(worker.draws, context);
}

// Picks by session; retries ignore sessions. Precondition: the demand keeps sessions or brings one.
std::optional<Fleet::SessionPick> choose_by_session(const Try& attempt, const RequestParts& parts,
                                                    const Sessions& sessions) {
  const Demand& demand = *attempt.demand;
  if (attempt.open != OpenRequests::none && parts.open.at(attempt.open).tries > 0) {
    return std::nullopt;
  }
  if (demand.brought) {
    return parts.fleet.pick_of_session(attempt.proxy, demand.brought->host, demand.brought->strict);
  }
  const auto place = sessions.find(parts.flows.at(demand.flow).client, parts.fleet.client_of(attempt.proxy),
                                   demand.session, attempt.now);
  if (!place) {
    return std::nullopt;
  }
  return parts.fleet.pick_of_session(attempt.proxy, sessions.host_in(parts.flows.at(demand.flow).service, *place),
                                     demand.route->stateful_session->strict);
}

// Logs that the session's host gets no more requests and the balancer picks another one. Logs nothing if the session's
// host belongs to another of the route's clusters.
void log_session_move(const Try& attempt, const RequestParts& parts, const Sessions& sessions) {
  if (parts.fleet.log() == nullptr) {
    return;
  }
  const Demand& demand = *attempt.demand;
  const auto place = sessions.find(parts.flows.at(demand.flow).client, parts.fleet.client_of(attempt.proxy),
                                   demand.session, attempt.now);
  if (const auto host = place ? sessions.host_in(parts.flows.at(demand.flow).service, *place) : std::nullopt) {
    parts.fleet.log()->add(parts.fleet.event_record(EventKind::session_moved, parts.fleet.cluster_of(attempt.proxy, 0),
                                                    host, attempt.now));
  }
}

}  // namespace

inline std::optional<envoy::Pick> SlowPath::choose(const Try& attempt) {
  if (attempt.known != nullptr) {
    if (const auto pick = choose_known(attempt)) {
      return pick;
    }
  }
  const Demand& demand = *attempt.demand;
  if (demand.original_dst) {
    return demand.destination ? std::optional(envoy::Pick{*demand.destination, {}, envoy::Availability::healthy, 0})
                              : std::nullopt;
  }
  if (demand.keeps_session || demand.brought) {
    if (const auto session = choose_by_session(attempt, parts_, sessions_)) {
      if (session->choice != envoy::stateful_session::SessionChoice::load_balancer) {
        return session->pick;
      }
      log_session_move(attempt, parts_, sessions_);
    }
  }
  envoy::RequestContext context{.active_requests = parts_.fleet.proxy(attempt.proxy).active_requests.view(),
                                .now = attempt.now,
                                .hash = demand.hash,
                                .request = demand.request,
                                .criteria = demand.criteria};
  return attempt.open == OpenRequests::none ? choose_plainly(parts_.fleet.worker(attempt.worker), context)
                                            : choose_again(attempt, context);
}

// Returns the pick that was drawn ahead; nullopt if its worker or balancer has changed since.
std::optional<envoy::Pick> SlowPath::choose_known(const Try& attempt) {
  const ComingRequest& of = *attempt.known;
  Worker& worker = parts_.fleet.worker(attempt.worker);
  if (of.worker != attempt.worker || !of.holds(worker)) {
    return std::nullopt;
  }
  const auto active = parts_.fleet.proxy(attempt.proxy).active_requests.view();
  const bool second = !active.empty() && active[of.pair->second->value] < active[of.pair->first->value];
  worker.draws = of.pair->after;
  return envoy::Pick{second ? *of.pair->second : *of.pair->first, of.pair->priority, of.pair->availability, 0};
}

// Picks for a request with state kept between its tries, including the first try.
std::optional<envoy::Pick> SlowPath::choose_again(const Try& attempt, envoy::RequestContext& context) {
  Worker& worker = parts_.fleet.worker(attempt.worker);
  OpenRequest& open = parts_.open.at(attempt.open);
  if (!open.choice) {
    return choose_plainly(worker, context);
  }
  ChoiceOfHosts& choice = *open.choice;
  context.override_hosts = attempt.demand->override_hosts == nullptr ? nullptr : &choice.override_hosts;
  if (open.tries == 0 || !open.retries) {
    return worker.balancer.choose(worker.draws, context);
  }
  context.host_selection_retry_count =
      health::host_selection_retry_count(*attempt.demand->route->retry_policy, open.tries > 0);
  if (choice.previous_priorities) {
    const envoy::PriorityState& priorities = parts_.fleet.proxy(attempt.proxy).state->priorities;
    context.priority_load = &choice.previous_priorities->priority_load(priorities.availability, priorities.load);
  }
  return worker.balancer.choose(worker.draws, context, [&](const envoy::Pick& pick) {
    return choice.predicates && choice.predicates->rejects(pick, parts_.fleet.metadata_of(attempt.proxy, pick));
  });
}

void SlowPath::attempt(Try& attempt) {
  const std::optional<envoy::Pick> pick = choose(attempt);
  const FlowIndex flow = attempt.demand->flow;
  const bool first = attempt.open == OpenRequests::none || parts_.open.at(attempt.open).tries == 0;
  if (!pick) {
    Ending ending = ending_of(attempt, attempt.demand->without_host);
    ending.target = first ? std::nullopt : std::optional(parts_.open.at(attempt.open).target);
    finish(ending);
    return;
  }
  attempt.target = target_of(attempt, *pick);
  const std::uint32_t row = engine::row_of(attempt.target, pick->availability);
  parts_.book.record(flow).count_attempt(row, first);
  if (attempt.open != OpenRequests::none) {
    OpenRequest& open = parts_.open.at(attempt.open);
    ++open.tries;
    open.epoch_of_try = parts_.book.epoch(flow);
    open.target = attempt.target;
    if (open.choice && open.choice->predicates) {
      open.choice->predicates->on_host_attempted(*pick);
    }
    if (open.choice && open.choice->previous_priorities) {
      const envoy::ClusterState& state = *parts_.fleet.proxy(attempt.proxy).state;
      open.choice->previous_priorities->on_host_attempted(
          state.aggregate ? envoy::level_of(state.levels, {pick->child, pick->priority}).value_or(pick->priority)
                          : pick->priority);
    }
  }
  send(attempt, *pick);
}

}  // namespace spillway::run
