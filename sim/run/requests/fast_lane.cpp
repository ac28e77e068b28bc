#include "sim/run/requests/fast_lane.hpp"

#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/requests/coming_request.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/request_try.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {

using engine::CalendarEvent;
using engine::CalendarEventKind;
using health::Resource;

// Sends a request that its proxy has admitted.
inline void FastLane::send(const DemandPlan& plan, const Try& attempt, const ProxyLane& lane) {
  LaneHost& host = plan.lane[attempt.target];
  RoundTrip links{host.latency, host.latency};
  if (host.jitter.jitter > Nanoseconds{0}) {
    links += host.jitter.draw(parts_.entries[lane.entry].links);
  }
  const scenario::Failing* const failing = parts_.truth.fails(host.endpoint);
  if (failing != nullptr || !host.usual || links.there > plan.patience || links.back.count() > UINT32_MAX ||
      (!host.known_at_once && links.there == Nanoseconds{0})) [[unlikely]] {
    send_slowly(plan, attempt, lane, links, failing);
    return;
  }
  ServerQueues::Approaching request{.at = attempt.now + links.there,
                                    .sent_at = attempt.sent_at,
                                    .endpoint = host.endpoint.value,
                                    .proxy = attempt.proxy,
                                    .target = attempt.target,
                                    .epoch = attempt.epoch,
                                    .back = static_cast<std::uint32_t>(links.back.count())};
  request.demand = plan.demand->place & (most_demands - 1);
  request.worker = (attempt.worker - lane.proxy->first_worker) & (most_workers - 1);
  if (!host.known_at_once) {
    parts_.server_queues.send(request, attempt.now);
    return;
  }
  request.sequence = parts_.calendar.draw_sequence();
  take_answer(lane, request, host.foreseen.served(request.at));
}

void FastLane::arrive(const DemandPlan& plan, std::uint32_t client, Nanoseconds now, const ComingRequest* known) {
  Try first{.demand = plan.demand, .proxy = plan.first_proxy + client, .sent_at = now, .now = now, .known = known};
  ProxyLane& lane = lanes_[first.proxy];
  const EpochBook::OpenRow& row = parts_.book.open_row(lane.flow);
  first.epoch = row.epoch;
  ++row.record->sent;
  Proxy& proxy = *lane.proxy;
  ++proxy.sent_in_state;
  first.worker = proxy.next_worker();
  Worker& worker = parts_.fleet.worker(first.worker);
  envoy::Pick pick;
  if (known != nullptr && known->worker == first.worker && known->holds(worker)) {
    pick = {lane.better_of(*known->pair), known->pair->priority, known->pair->availability, 0};
    worker.draws = known->pair->after;
  } else if (const auto pair = worker.balancer.next_pair(worker.draws)) {
    pick = {lane.better_of(*pair), pair->priority, pair->availability, 0};
    worker.draws = pair->after;
  } else if (const auto found = worker.balancer.choose(worker.draws, {.active_requests = proxy.active_requests.view(),
                                                                      .now = now,
                                                                      .hash = plan.demand->hash,
                                                                      .request = plan.demand->request,
                                                                      .criteria = plan.demand->criteria})) {
    pick = *found;
  } else {
    slow_path_->find_no_host(first, plan.demand->without_host);
    return;
  }
  first.target = pick.host.value;
  ++row.record->requests[engine::row_of(first.target, pick.availability)];
  const std::uint32_t worker_of_proxy = first.worker - proxy.first_worker;
  std::uint32_t* const numbers = lane.numbers != nullptr ? lane.numbers_of(first.target) : nullptr;
  if ((parts_.fleet.turns_any_away() && lane.cluster->turns_away) || !lane.breaker->can_create(Resource::requests) ||
      (lane.pool != nullptr && ConnectionPool::try_now(numbers + ProxyLane::first_number_of_pool, worker_of_proxy,
                                                       *lane.breaker) != ConnectionPool::Start::now)) {
    slow_path_->send(first, pick);
    return;
  }
  if (!lane.has_sent) {
    lane.has_sent = lane.cluster->traffic = true;
  }
  lane.breaker->increase(Resource::requests);
  if (lane.counts_active) {
    ++numbers[ProxyLane::active_number];
  }
  send(plan, first, lane);
}

// Sends a request that its proxy has admitted and that fails, is late, or goes where not everything is known.
void FastLane::send_slowly(const DemandPlan& plan, const Try& attempt, const ProxyLane& lane, const RoundTrip& links,
                           const scenario::Failing* failing) {
  Journey journey{.moment = {.sent_at = attempt.sent_at,
                             .proxy = attempt.proxy,
                             .epoch = attempt.epoch,
                             .target = attempt.target,
                             .active_slot = lane.counts_active ? attempt.target : 0,
                             .demand = plan.demand->place,
                             .kind = CalendarEventKind::connect_failure},
                  .way = links,
                  .late = plan.late};
  journey.moment.routing_priority = lane.routing_priority & 1U;
  journey.moment.worker = (attempt.worker - lane.proxy->first_worker) & (most_workers - 1);
  if (plan.patience != engine::Calendar::never) {
    journey.deadline = attempt.now + plan.patience;
  }
  slow_path_->set_out(journey, parts_.book.targets(lane.flow).at(attempt.target), true, failing, attempt);
}

// True if the node is off: SimGrid may turn off nodes that the scenario does not mention.
bool FastLane::breaks_off(const ProxyLane& lane, const ServerQueues::Approaching& request) {
  if (parts_.world.outages(parts_.server_queues.node_of(config::EndpointIndex{request.endpoint})) == 0) {
    return false;
  }
  CalendarEvent broken = moment_of(lane, request);
  broken.at = request.at + Nanoseconds{request.back};
  broken.kind = CalendarEventKind::reset;
  parts_.calendar.push(broken, request.sequence);
  return true;
}

CalendarEvent FastLane::moment_of(const ProxyLane& lane, const ServerQueues::Approaching& request) {
  CalendarEvent moment{.sent_at = request.sent_at,
                       .proxy = request.proxy,
                       .epoch = request.epoch,
                       .target = request.target,
                       .active_slot = lane.counts_active ? request.target : 0,
                       .demand = request.demand};
  moment.routing_priority = lane.routing_priority & 1U;
  moment.worker = request.worker;
  return moment;
}

// Handles a response that is a failure, comes too late, or may be awaited by a user.
void FastLane::take_bad_answer(const ProxyLane& lane, const ServerQueues::Approaching& request, Nanoseconds served) {
  const DemandPlan& plan = parts_.plans[request.demand];
  CalendarEvent moment = moment_of(lane, request);
  const bool full = served == engine::FifoServer::full;
  moment.at = (full ? request.at : served) + Nanoseconds{request.back};
  moment.kind = full ? CalendarEventKind::queue_full : CalendarEventKind::answer;
  if (plan.patience != engine::Calendar::never && moment.at - request.sent_at > plan.patience) {
    moment.at = request.sent_at + plan.patience;
    moment.kind = plan.late;
  }
  engine::push_answer(parts_.calendar, moment, request.sequence);
}

void FastLane::close(std::uint32_t proxy) {
  if (lanes_.empty() || !lanes_[proxy].is_open) {
    return;
  }
  lanes_[proxy].is_open = false;
  leaving_.take_out([proxy](const LeavingRequest& of) { return of.proxy == proxy; },
                    [this](Nanoseconds at, const LeavingRequest& of) {
                      const ProxyLane& lane = lanes_[of.proxy];
                      CalendarEvent moment{.at = at,
                                           .proxy = of.proxy,
                                           .target = of.target,
                                           .active_slot = lane.counts_active ? std::uint32_t{of.target} : 0,
                                           .kind = CalendarEventKind::written_answer};
                      moment.routing_priority = lane.routing_priority & 1U;
                      moment.worker = of.worker;
                      engine::push_answer(parts_.calendar, moment, parts_.calendar.draw_sequence());
                    });
}

}  // namespace spillway::run
