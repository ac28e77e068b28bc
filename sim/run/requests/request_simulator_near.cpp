// Fast path for links that never change and proxies whose per-host counters are contiguous (see also
// request_simulator_shortly.cpp). Skips every check whose result is constant for the run. Leaves unusual cases to the
// other functions before it has changed anything.
#include <algorithm>
#include <variant>

#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/request_simulator.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::run {

using engine::LoggedEvent;
using engine::Moment;
using health::Resource;

// Finds the hosts of proxies with contiguous counters, over links that never change.
void RequestSimulator::find_near_hosts(FlowIndex flow) {
  std::vector<NearHost>& hosts = near_hosts_[flow.value];
  const bool ways_change =
      std::any_of(scenario_->changes.begin(), scenario_->changes.end(), [](const scenario::Change& change) {
        return std::holds_alternative<scenario::LinkChange>(change.effect) ||
               std::holds_alternative<scenario::Slow>(change.effect) ||
               std::holds_alternative<scenario::Existence>(change.effect);
      });
  if (ways_change || !near_[fleet_->first_proxy(flow)].known) {
    return;
  }
  const Targets& targets = book_->targets(flow);
  const config::NodeIndex client = scenario_->clients[flows_->at(flow).client.value].node;
  for (std::uint32_t host = 0; host < targets.size(); ++host) {
    const config::EndpointIndex endpoint = targets.at(host).endpoint;
    const config::NodeIndex node = server_queues_.node_of(endpoint);
    const Nanoseconds latency = world_->latency(client, node);
    const LinkJitter::OfLink jitter = jitter_.of(client, node);
    const bool known_at_once =
        server_queues_.knows_at_once(endpoint, jitter.jitter == Nanoseconds{0} ? latency : Nanoseconds::max());
    const bool usual = truth_->exists(endpoint) && (known_at_once || server_queues_.stand_apart());
    hosts.push_back({.foreseen = usual ? server_queues_.foreseen(endpoint) : ServerQueues::Foreseen{},
                     .latency = latency,
                     .jitter = jitter,
                     .endpoint = endpoint,
                     .known_at_once = known_at_once,
                     .usual = usual});
  }
}

// Sends a request that its proxy has admitted.
inline void RequestSimulator::send_near(const DemandPlan& way, const Try& attempt, const Near& near) {
  NearHost& host = way.hosts[attempt.target];
  RoundTrip links{host.latency, host.latency};
  if (host.jitter.jitter > Nanoseconds{0}) {
    links += host.jitter.draw(entries_[near.entry].links);
  }
  const scenario::Failing* const failing = truth_->fails(host.endpoint);
  if (failing != nullptr || !host.usual || links.there > way.patience || links.back.count() > UINT32_MAX ||
      (!host.known_at_once && links.there == Nanoseconds{0})) [[unlikely]] {
    send_far(way, attempt, near, links, failing);
    return;
  }
  ServerQueues::Approaching request{.at = attempt.now + links.there,
                                    .sent_at = attempt.sent_at,
                                    .endpoint = host.endpoint.value,
                                    .proxy = attempt.proxy,
                                    .target = attempt.target,
                                    .epoch = attempt.epoch,
                                    .back = static_cast<std::uint32_t>(links.back.count())};
  request.demand = way.demand->place & (most_demands - 1);
  request.worker = (attempt.worker - near.proxy->first_worker) & (most_workers - 1);
  if (!host.known_at_once) {
    server_queues_.send(request, attempt.now);
    return;
  }
  request.sequence = calendar_.draw_sequence();
  take_answer(near, request, host.foreseen.served(request.at));
}

void RequestSimulator::arrive_near(const DemandPlan& way, std::uint32_t client, Nanoseconds now, const Soon* known) {
  Try first{.demand = way.demand, .proxy = way.first_proxy + client, .sent_at = now, .now = now, .known = known};
  Near& near = near_[first.proxy];
  const EpochBook::OpenRow& row = book_->open_row(near.flow);
  first.epoch = row.epoch;
  ++row.record->sent;
  Proxy& proxy = *near.proxy;
  ++proxy.sent_in_state;
  first.worker = proxy.next_worker();
  Worker& worker = fleet_->worker(first.worker);
  envoy::Pick pick;
  if (known != nullptr && known->worker == first.worker && holds(*known, worker)) {
    pick = {better_of(*known->pair, near), known->pair->priority, known->pair->availability, 0};
    worker.draws = known->pair->after;
  } else if (const auto pair = worker.balancer.next_pair(worker.draws)) {
    pick = {better_of(*pair, near), pair->priority, pair->availability, 0};
    worker.draws = pair->after;
  } else if (const auto found = worker.balancer.choose(worker.draws, {.active_requests = proxy.active_requests.view(),
                                                                      .now = now,
                                                                      .hash = way.demand->hash,
                                                                      .request = way.demand->request,
                                                                      .criteria = way.demand->criteria})) {
    pick = *found;
  } else {
    Ending ending = ending_of(first, scenario::Outcome::no_healthy_upstream);
    ending.target = std::nullopt;
    finish(ending);
    return;
  }
  first.target = pick.host.value;
  ++row.record->requests[engine::row_of(first.target, pick.availability)];
  const std::uint32_t worker_of_proxy = first.worker - proxy.first_worker;
  std::uint32_t* const numbers = near.numbers != nullptr ? near.numbers_of(first.target) : nullptr;
  if ((fleet_->turns_any_away() && near.cluster->turns_away) || !near.breaker->can_create(Resource::requests) ||
      (near.pool != nullptr && ConnectionPool::try_now(numbers + first_number_of_pool, worker_of_proxy,
                                                       *near.breaker) != ConnectionPool::Start::now)) {
    send(first, pick);
    return;
  }
  if (!near.has_sent) {
    near.has_sent = near.cluster->traffic = true;
  }
  near.breaker->increase(Resource::requests);
  if (near.counts_active) {
    ++numbers[active_number];
  }
  send_near(way, first, near);
}

// Handles the unusual cases.
void RequestSimulator::send_far(const DemandPlan& way, const Try& attempt, const Near& near, const RoundTrip& links,
                                const scenario::Failing* failing) {
  Journey journey{.moment = {.sent_at = attempt.sent_at,
                             .proxy = attempt.proxy,
                             .epoch = attempt.epoch,
                             .target = attempt.target,
                             .active_slot = near.counts_active ? attempt.target : 0,
                             .demand = way.demand->place,
                             .logged_event = LoggedEvent::connect_failure},
                  .way = links,
                  .late = way.late};
  journey.moment.routing_priority = near.routing_priority & 1U;
  journey.moment.worker = (attempt.worker - near.proxy->first_worker) & (most_workers - 1);
  if (way.patience != engine::Calendar::never) {
    journey.deadline = attempt.now + way.patience;
  }
  set_out(journey, book_->targets(near.flow).at(attempt.target), true, failing, attempt);
}

// True if the node is off: SimGrid may turn off nodes that the scenario does not mention.
bool RequestSimulator::breaks_off(const Near& near, const ServerQueues::Approaching& request) {
  if (world_->outages(server_queues_.node_of(config::EndpointIndex{request.endpoint})) == 0) {
    return false;
  }
  Moment broken = moment_of(near, request);
  broken.at = request.at + Nanoseconds{request.back};
  broken.logged_event = LoggedEvent::reset;
  calendar_.push(broken, request.sequence);
  return true;
}

Moment RequestSimulator::moment_of(const Near& near, const ServerQueues::Approaching& request) const {
  Moment moment{.sent_at = request.sent_at,
                .proxy = request.proxy,
                .epoch = request.epoch,
                .target = request.target,
                .active_slot = near.counts_active ? request.target : 0,
                .demand = request.demand};
  moment.routing_priority = near.routing_priority & 1U;
  moment.worker = request.worker;
  return moment;
}

// Handles a response that is a failure, comes too late, or may be awaited by a user.
void RequestSimulator::take_bad_answer(const Near& near, const ServerQueues::Approaching& request, Nanoseconds served) {
  const DemandPlan& way = plans_[request.demand];
  Moment moment = moment_of(near, request);
  const bool full = served == engine::FifoServer::full;
  moment.at = (full ? request.at : served) + Nanoseconds{request.back};
  moment.logged_event = full ? LoggedEvent::queue_full : LoggedEvent::answer;
  if (way.patience != engine::Calendar::never && moment.at - request.sent_at > way.patience) {
    moment.at = request.sent_at + way.patience;
    moment.logged_event = way.late;
  }
  engine::push_answer(calendar_, moment, request.sequence);
}

// Ends the fast path of a proxy with a request that waits for a connection: from now on it matters when connections
// become free.
void RequestSimulator::recall(std::uint32_t proxy) {
  if (near_.empty() || !near_[proxy].known) {
    return;
  }
  near_[proxy].known = false;
  leaving_.take_out([proxy](const Leaving& of) { return of.proxy == proxy; },
                    [this](Nanoseconds at, const Leaving& of) {
                      Moment moment{.at = at,
                                    .proxy = of.proxy,
                                    .target = of.target,
                                    .active_slot = near_[of.proxy].counts_active ? std::uint32_t{of.target} : 0,
                                    .logged_event = LoggedEvent::written_answer};
                      moment.routing_priority = near_[of.proxy].routing_priority & 1U;
                      moment.worker = of.worker;
                      engine::push_answer(calendar_, moment, calendar_.draw_sequence());
                    });
}

}  // namespace spillway::run
