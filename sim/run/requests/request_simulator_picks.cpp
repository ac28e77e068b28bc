// Picks the host of a try: by session, by its balancer, or by a retry's rules.
#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/requests/request_simulator.hpp"

namespace spillway::run {

std::optional<envoy::Pick> RequestSimulator::choose(const Try& attempt) {
  const Proxy& proxy = fleet_->proxy(attempt.proxy);
  Worker& worker = fleet_->worker(attempt.worker);
  const Demand& demand = *attempt.demand;
  if (demand.original_dst) {
    return demand.destination ? std::optional(envoy::Pick{*demand.destination, {}, envoy::Availability::healthy, 0})
                              : std::nullopt;
  }
  envoy::RequestContext context{.active_requests = proxy.active_requests.view(),
                                .now = attempt.now,
                                .hash = demand.hash,
                                .request = demand.request,
                                .criteria = demand.criteria};
  if (const auto session = choose_by_session(attempt)) {
    if (session->choice != envoy::stateful_session::SessionChoice::load_balancer) {
      return session->pick;
    }
    log_session_move(attempt);
  }
  if (attempt.known != nullptr) {
    if (const auto pick = choose_known(attempt)) {
      return pick;
    }
  }
  if (attempt.open == OpenRequests::none) {
    return choose_plainly(worker, context);
  }
  return choose_again(attempt, context);
}

// Picks without anything that a request brings. The better of two hosts needs nothing from the proxy's state, which is
// rarely in the caches.
std::optional<envoy::Pick> RequestSimulator::choose_plainly(Worker& worker, const envoy::RequestContext& context) {
  if (const auto pair = worker.balancer.next_pair(worker.draws)) {
    const auto active = context.active_requests;
    const bool second = !active.empty() && active[pair->second->value] < active[pair->first->value];
    worker.draws = pair->after;
    return envoy::Pick{second ? *pair->second : *pair->first, pair->priority, pair->availability, 0};
  }
  return worker.balancer.choose(worker.draws, context);
}

// Picks by session; retries ignore sessions.
std::optional<Fleet::SessionPick> RequestSimulator::choose_by_session(const Try& attempt) const {
  const Demand& demand = *attempt.demand;
  if ((!demand.keeps_session && !demand.brought) ||
      (attempt.open != OpenRequests::none && open_.at(attempt.open).tries > 0)) {
    return std::nullopt;
  }
  if (demand.brought) {
    return fleet_->pick_of_session(attempt.proxy, demand.brought->host, demand.brought->strict);
  }
  const auto place =
      sessions_.find(flows_->at(demand.flow).client, fleet_->client_of(attempt.proxy), demand.session, attempt.now);
  if (!place) {
    return std::nullopt;
  }
  return fleet_->pick_of_session(attempt.proxy, sessions_.host_in(flows_->at(demand.flow).service, *place),
                                 demand.route->stateful_session->strict);
}

// Logs that the session's host gets no more requests and the balancer picks another one. Logs nothing if the session's
// host belongs to another of the route's clusters.
void RequestSimulator::log_session_move(const Try& attempt) const {
  if (fleet_->log() == nullptr) {
    return;
  }
  const Demand& demand = *attempt.demand;
  const auto place =
      sessions_.find(flows_->at(demand.flow).client, fleet_->client_of(attempt.proxy), demand.session, attempt.now);
  if (const auto host = place ? sessions_.host_in(flows_->at(demand.flow).service, *place) : std::nullopt) {
    fleet_->log()->add(
        fleet_->logged_event(EventKind::session_moved, fleet_->cluster_of(attempt.proxy, 0), host, attempt.now));
  }
}

// Picks for a request with state kept between its tries, including the first try.
std::optional<envoy::Pick> RequestSimulator::choose_again(const Try& attempt, envoy::RequestContext& context) {
  Worker& worker = fleet_->worker(attempt.worker);
  OpenRequest& open = open_.at(attempt.open);
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
    const envoy::PriorityState& priorities = fleet_->proxy(attempt.proxy).state->priorities;
    context.priority_load = &choice.previous_priorities->priority_load(priorities.availability, priorities.load);
  }
  return worker.balancer.choose(worker.draws, context, [&](const envoy::Pick& pick) {
    return choice.predicates && choice.predicates->rejects(pick, fleet_->metadata_of(attempt.proxy, pick));
  });
}

}  // namespace spillway::run
