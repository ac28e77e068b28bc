// Retries on the slow path, and connections that requests wait for.
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/response_statuses.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::run {

using engine::CalendarEvent;
using engine::CalendarEventKind;
using scenario::Outcome;

namespace {

health::RetryDecision decision_of(const config::RetryPolicy& policy, const CalendarEvent& moment) {
  using health::ResetReason;
  switch (moment.kind) {
    case CalendarEventKind::answer:
      return health::retry_decision(policy, health::UpstreamAnswer{.status = moment.status});
    case CalendarEventKind::reset:
      return health::retry_decision(policy, ResetReason::remote_reset);
    case CalendarEventKind::connect_failure:
      return health::retry_decision(policy, ResetReason::connection_failure, false);
    case CalendarEventKind::per_try_timeout:
    case CalendarEventKind::try_timeout:
      return health::retry_decision(policy, ResetReason::per_try_timeout);
    case CalendarEventKind::queue_full:
      return health::retry_decision(policy, health::UpstreamAnswer{.status = service_unavailable});
    default:
      break;
  }
  return health::RetryDecision::no_retry;
}

}  // namespace

bool SlowPath::tries_again(const CalendarEvent& moment) {
  OpenRequest& open = parts_.open.at(moment.open_request);
  if (!open.retries) {
    return false;
  }
  const config::RetryPolicy& policy = *open.demand->route->retry_policy;
  const health::RetryDecision wanted = decision_of(policy, moment);
  health::CircuitBreaker& breaker = parts_.fleet.retry_breaker(moment.proxy, moment.routing_priority);
  const std::uint32_t cluster = parts_.fleet.cluster_of(moment.proxy, 0);
  const health::RetryStatus status = open.retries->decide(wanted, breaker);
  if (status == health::RetryStatus::no_overflow) {
    parts_.fleet.turned_away(cluster, health::Resource::retries, breaker.max(health::Resource::retries), moment.at);
  }
  if (status != health::RetryStatus::yes) {
    return false;
  }
  if (parts_.fleet.cluster(cluster).turns_away) {
    parts_.fleet.let_in(cluster, health::Resource::retries, moment.at);
  }
  CalendarEvent next{.sent_at = moment.sent_at,
                     .proxy = moment.proxy,
                     .epoch = moment.epoch,
                     .target = moment.target,
                     .open_request = moment.open_request,
                     .demand = moment.demand,
                     .kind = CalendarEventKind::try_again};
  next.routing_priority = moment.routing_priority;
  ClientStreams& entry = parts_.entries[parts_.flows.at(open.demand->flow).client.value];
  next.at =
      moment.at + (wanted == health::RetryDecision::immediately ? Nanoseconds{0}
                                                                : Nanoseconds{open.retries->back_off(entry.retries)});
  const Nanoseconds last = deadline_of_request(*open.demand, open.sent_at, open.delay).at;
  if (next.at >= last) {
    next.at = last;
    next.status = gateway_timeout;  // the request times out before its back-off ends
  }
  parts_.calendar.push(next);
  return true;
}

void SlowPath::try_again(const CalendarEvent& moment) {
  OpenRequest& open = parts_.open.at(moment.open_request);
  if (moment.status == gateway_timeout) {
    finish(ending_of(moment, Outcome::timeout));
    return;
  }
  ++retries_;
  parts_.book.count_retry(open.demand->flow, moment.epoch);
  Try next{.demand = open.demand,
           .proxy = moment.proxy,
           .worker = open.worker,
           .epoch = moment.epoch,
           .open = moment.open_request,
           .sent_at = open.sent_at,
           .now = moment.at,
           .delay = open.delay};
  attempt(next);
}

void SlowPath::give_up_waiting(const CalendarEvent& moment) {
  OpenRequest& open = parts_.open.at(moment.open_request);
  if (!open.waits_for || open.ticket != moment.active_slot) {
    return;  // it got its connection in time
  }
  const std::uint32_t index = parts_.fleet.cluster_of(open.proxy, open.waits_for->child);
  ProxyCluster& cluster = parts_.fleet.cluster(index);
  cluster.pool->give_up(open.worker - parts_.fleet.proxy(open.proxy).first_worker,
                        parts_.fleet.known_as(index, open.waits_for->host), moment.open_request,
                        cluster.breakers[open.demand->routing_priority()]);
  open.waits_for.reset();
  count_lost(moment.proxy, moment.epoch, moment.open_request, open.target, CrossZoneBook::Lost::everything);
  Ending ending = ending_of(moment, Outcome::timeout);
  ending.target = open.target;
  finish(ending);
}

void SlowPath::give_connection_back(std::uint32_t index, std::uint32_t worker, config::HostIndex host, bool broken,
                                    health::CircuitBreaker& breaker, Nanoseconds now) {
  const auto next =
      parts_.fleet.cluster(index).pool->release(worker, parts_.fleet.known_as(index, host), broken, breaker);
  if (!next) {
    return;
  }
  OpenRequest& open = parts_.open.at(*next);
  const envoy::Pick pick = *std::exchange(open.waits_for, std::nullopt);
  start({.demand = open.demand,
         .proxy = open.proxy,
         .worker = open.worker,
         .epoch = open.epoch,
         .open = *next,
         .target = open.target,
         .sent_at = open.sent_at,
         .now = now,
         .delay = open.delay},
        pick);
}

}  // namespace spillway::run
