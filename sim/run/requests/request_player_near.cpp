// The short way of requests once more (request_player_shortly.cpp), where ways to hosts stay the same all through the
// run and what their proxies keep is near: without a question whose answer is known. Whatever is not the usual thing is
// left to the other functions, before anything has happened.
#include <algorithm>
#include <variant>

#include "sim/run/requests/request_player.hpp"

namespace spillway::run {

using engine::Happening;
using engine::Moment;
using health::Resource;

// Hosts of proxies that stay near, over links that stay as they are.
void RequestPlayer::find_near_hosts(config::ClientEntryIndex entry) {
  ShortWay& way = short_ways_[entry.value];
  std::vector<NearHost>& hosts = near_hosts_.emplace_back();
  const bool links_change = std::any_of(
      scenario_->changes.begin(), scenario_->changes.end(),
      [](const scenario::Change& change) { return std::holds_alternative<scenario::LinkChange>(change.effect); });
  if (way.demand == nullptr || way.watches_local || links_change || !near_[way.first_proxy].known) {
    return;
  }
  const Targets& targets = book_->targets(way.demand->flow);
  const config::NodeIndex client = scenario_->clients[entry.value].node;
  for (std::uint32_t host = 0; host < targets.size(); ++host) {
    const config::EndpointIndex endpoint = targets.at(host).endpoint;
    const config::NodeIndex node = stations_.node_of(endpoint);
    const Nanoseconds latency = world_->latency(client, node);
    const LinkJitter::OfLink jitter = jitter_.of(client, node);
    hosts.push_back({.endpoint = endpoint,
                     .latency = latency,
                     .jitter = jitter,
                     .known_at_once = stations_.knows_at_once(
                         endpoint, jitter.jitter == Nanoseconds{0} ? latency : Nanoseconds::max())});
  }
  way.hosts = hosts.data();
}

void RequestPlayer::arrive_near(const ShortWay& way, std::uint32_t client, Nanoseconds now, const Soon* known) {
  Try first{.demand = way.demand, .proxy = way.first_proxy + client, .sent_at = now, .now = now, .known = known};
  const Near& near = near_[first.proxy];
  const EpochBook::OpenRow& row = book_->open_row(near.flow);
  first.epoch = row.epoch;
  ++row.record->sent;
  Proxy& proxy = *near.proxy;
  ++proxy.sent_in_state;
  first.worker = proxy.next_worker();
  Worker& worker = fleet_->worker(first.worker);
  envoy::Pick pick;
  if (known != nullptr && known->worker == first.worker && holds(*known, worker)) {
    pick = {takes_second(*known, near.active) ? *known->pair->second : *known->pair->first, known->pair->priority,
            known->pair->availability, 0};
    worker.draws = known->pair->after;
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
  if (near.cluster->turns_away || !near.breaker->can_create(Resource::requests) ||
      (near.pool != nullptr && !near.pool->take_free(first.worker - proxy.first_worker, pick.host))) {
    send_shortly(way, first, pick);
    return;
  }
  near.cluster->traffic = true;
  near.breaker->increase(Resource::requests);
  if (near.active != nullptr) {
    ++near.active[first.target];
  }
  send_near(way, first, near);
}

// A request that its proxy lets go.
void RequestPlayer::send_near(const ShortWay& way, const Try& attempt, const Near& near) {
  const NearHost& host = way.hosts[attempt.target];
  Journey journey{.moment = {.sent_at = attempt.sent_at,
                             .proxy = attempt.proxy,
                             .epoch = attempt.epoch,
                             .target = attempt.target,
                             .active_slot = near.active != nullptr ? attempt.target : 0},
                  .way = {host.latency, host.latency},
                  .late = way.late};
  Moment& moment = journey.moment;
  moment.routing_priority = way.demand->routing_priority() & 1U;
  moment.worker = (attempt.worker - near.proxy->first_worker) & (most_workers - 1);
  if (host.jitter.jitter > Nanoseconds{0}) {
    journey.way += host.jitter.draw(entries_[flows_->at(near.flow).client.value].links);
  }
  if (way.patience != engine::Calendar::never) {
    journey.deadline = attempt.now + way.patience;
  }
  const scenario::Failing* const failing = truth_->fails(host.endpoint);
  if (failing != nullptr || !truth_->exists(host.endpoint)) {
    moment.happening = Happening::connect_failure;
    set_out(journey, book_->targets(near.flow).at(attempt.target), true, failing, attempt);
    return;
  }
  if (!host.known_at_once) {
    stations_.send(host.endpoint, journey, attempt.now);
    return;
  }
  const Nanoseconds reached = attempt.now + journey.way.there;
  const std::uint64_t sequence = calendar_.draw_sequence();
  const Nanoseconds served = stations_.serve(host.endpoint, reached);
  const bool full = served == engine::FifoStation::full;
  moment.at = (full ? reached : served) + journey.way.back;
  moment.happening = full ? Happening::queue_full : Happening::answer;
  if (moment.at > journey.deadline) {
    moment.at = journey.deadline;
    moment.happening = way.late;
  }
  calendar_.push(moment, sequence);
}

}  // namespace spillway::run
