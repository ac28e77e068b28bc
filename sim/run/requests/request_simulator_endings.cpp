// The end of requests, and the reports that it triggers.
#include <algorithm>

#include "sim/run/requests/request_simulator.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

RequestSimulator::Ending RequestSimulator::ending_of(const Try& attempt, scenario::Outcome outcome) noexcept {
  return {attempt.proxy, attempt.epoch,   attempt.open, attempt.target,
          outcome,       attempt.sent_at, attempt.now,  session_of(*attempt.demand)};
}

RequestSimulator::Ending RequestSimulator::ending_of(const engine::Moment& moment,
                                                     scenario::Outcome outcome) const noexcept {
  return {moment.proxy, moment.epoch,   moment.open_request, moment.target,
          outcome,      moment.sent_at, moment.at,           session_of(traffic_->demand(moment.demand))};
}

void RequestSimulator::finish(const Ending& ending) {
  const FlowIndex flow = fleet_->proxy(ending.proxy).flow;
  const Nanoseconds latency = ending.now - ending.sent_at;
  book_->finish(flow, ending.epoch, ending.outcome, latency);
  users_.answered(flows_->at(flow).client, fleet_->client_of(ending.proxy), ending.now, latency);
  if (trace_) {
    trace(ending);
  }
  if (ending.open != OpenRequests::none) {
    OpenRequest& request = open_.at(ending.open);
    if (request.retries) {
      request.retries->finish(fleet_->retry_breaker(ending.proxy, request.demand->routing_priority()));
    }
    open_.remove(ending.open);
  }
}

// Ends a request whose host can have no connection (max_connection_pools), as if no host had been picked.
void RequestSimulator::find_no_pool(const Try& own, const envoy::Pick& pick) {
  const bool first = open_.at(own.open).tries <= 1;
  book_->record(own.demand->flow).take_attempt_back(engine::row_of(own.target, pick.availability), first);
  Ending ending = ending_of(own, scenario::Outcome::no_healthy_upstream);
  ending.target = first ? std::nullopt : std::optional(own.target);
  finish(ending);
}

void RequestSimulator::end_run() {
  for (engine::Moment& moment : unanswered_) {
    moment.at = scenario_->duration;
    count_lost(moment.proxy, moment.epoch, moment.open_request, moment.target, CrossZoneBook::Lost::answer);
    finish(ending_of(moment, scenario::Outcome::unfinished));
  }
  unanswered_.clear();
  // Also ends the requests that wait for a connection behind them.
  for (const std::uint32_t slot : open_.waiting()) {
    const OpenRequest& open = open_.at(slot);
    count_lost(open.proxy, open.epoch, slot, open.target, CrossZoneBook::Lost::everything);
    finish({open.proxy, open.epoch, slot, open.target, scenario::Outcome::unfinished, open.sent_at, scenario_->duration,
            session_of(*open.demand)});
  }
}

void RequestSimulator::trace(const Ending& ending) const {
  const FlowIndex flow = fleet_->proxy(ending.proxy).flow;
  TracedRequest request{.sent_at = ending.sent_at,
                        .ended_at = ending.now,
                        .client = flows_->at(flow).client,
                        .number = fleet_->client_of(ending.proxy),
                        .service = scenario::asked_for(*scenario_, flows_->at(flow).service),
                        .outcome = ending.outcome,
                        .session = ending.session};
  if (ending.target) {
    const Target& target = book_->targets(flow).at(*ending.target);
    request.destination = {target.service, target.priority, target.endpoint, target.via};
    const std::uint32_t tries = ending.open == OpenRequests::none ? 1 : open_.at(ending.open).tries;
    request.attempts = std::max(tries, 1U);
  }
  trace_(request);
}

}  // namespace spillway::run
