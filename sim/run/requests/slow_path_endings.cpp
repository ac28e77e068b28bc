// The end of requests, and the reports that it triggers.
#include <algorithm>

#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/fast_lane.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/run/traffic/users.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

// Returns the session of a traced request.
std::uint32_t session_of(const Demand& demand) noexcept {
  return demand.keeps_session ? demand.session + 1 : 0;
}

}  // namespace

SlowPath::Ending SlowPath::ending_of(const Try& attempt, scenario::Outcome outcome) noexcept {
  return {attempt.proxy, attempt.epoch,   attempt.open, attempt.target,
          outcome,       attempt.sent_at, attempt.now,  session_of(*attempt.demand)};
}

SlowPath::Ending SlowPath::ending_of(const engine::CalendarEvent& moment, scenario::Outcome outcome) const noexcept {
  return {moment.proxy, moment.epoch,   moment.open_request, moment.target,
          outcome,      moment.sent_at, moment.at,           session_of(parts_.traffic.demand(moment.demand))};
}

void SlowPath::finish(const Ending& ending) {
  const FlowIndex flow = parts_.fleet.proxy(ending.proxy).flow;
  const Nanoseconds latency = ending.now - ending.sent_at;
  parts_.book.finish(flow, ending.epoch, ending.outcome, latency);
  parts_.users.answered(parts_.flows.at(flow).client, parts_.fleet.client_of(ending.proxy), ending.now, latency);
  if (trace_) {
    trace(ending);
  }
  if (ending.open != OpenRequests::none) {
    OpenRequest& request = parts_.open.at(ending.open);
    if (request.retries) {
      request.retries->finish(parts_.fleet.retry_breaker(ending.proxy, request.demand->routing_priority()));
    }
    parts_.open.remove(ending.open);
  }
}

void SlowPath::find_no_host(const Try& attempt, scenario::Outcome outcome) {
  Ending ending = ending_of(attempt, outcome);
  ending.target = std::nullopt;
  finish(ending);
}

// Ends a request whose host can have no connection (max_connection_pools), as if no host had been picked.
void SlowPath::find_no_pool(const Try& own, const envoy::Pick& pick) {
  const bool first = parts_.open.at(own.open).tries <= 1;
  parts_.book.record(own.demand->flow).take_attempt_back(engine::row_of(own.target, pick.availability), first);
  Ending ending = ending_of(own, scenario::Outcome::no_healthy_upstream);
  ending.target = first ? std::nullopt : std::optional(own.target);
  finish(ending);
}

void SlowPath::end_run() {
  for (engine::CalendarEvent& moment : unanswered_) {
    moment.at = parts_.scenario.duration;
    count_lost(moment.proxy, moment.epoch, moment.open_request, moment.target, CrossZoneBook::Lost::answer);
    finish(ending_of(moment, scenario::Outcome::unfinished));
  }
  unanswered_.clear();
  // Also ends the requests that wait for a connection behind them.
  for (const std::uint32_t slot : parts_.open.waiting()) {
    const OpenRequest& open = parts_.open.at(slot);
    count_lost(open.proxy, open.epoch, slot, open.target, CrossZoneBook::Lost::everything);
    finish({open.proxy, open.epoch, slot, open.target, scenario::Outcome::unfinished, open.sent_at,
            parts_.scenario.duration, session_of(*open.demand)});
  }
}

void SlowPath::trace(const Ending& ending) const {
  const FlowIndex flow = parts_.fleet.proxy(ending.proxy).flow;
  TracedRequest request{.sent_at = ending.sent_at,
                        .ended_at = ending.now,
                        .client = parts_.flows.at(flow).client,
                        .number = parts_.fleet.client_of(ending.proxy),
                        .service = scenario::asked_for(parts_.scenario, parts_.flows.at(flow).service),
                        .outcome = ending.outcome,
                        .session = ending.session};
  if (ending.target) {
    const Target& target = parts_.book.targets(flow).at(*ending.target);
    request.destination = {target.service, target.priority, target.endpoint, target.via};
    const std::uint32_t tries = ending.open == OpenRequests::none ? 1 : parts_.open.at(ending.open).tries;
    request.attempts = std::max(tries, 1U);
  }
  trace_(request);
}

// Counts a lost attempt at a request of this epoch; the attempt may have been made in a later epoch.
void SlowPath::count_lost(std::uint32_t proxy, std::uint32_t epoch, std::uint32_t open, std::uint32_t target,
                          CrossZoneBook::Lost lost) {
  const std::uint32_t counted = open == OpenRequests::none ? epoch : parts_.open.at(open).epoch_of_try;
  parts_.book.count_lost(parts_.fleet.proxy(proxy).flow, counted, target, lost);
}

}  // namespace spillway::run
