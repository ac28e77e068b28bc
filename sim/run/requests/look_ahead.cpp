#include "sim/run/requests/look_ahead.hpp"

#include <algorithm>
#include <functional>
#include <variant>

#include "sim/engine/prefetch.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/requests/fast_lane.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

using engine::CalendarEvent;
using engine::prefetch_all;
using engine::prefetch_first;

namespace {

// A step looks at a request when this many others will come before it.
constexpr std::uint64_t to_proxy = 40;
constexpr std::uint64_t to_worker = 32;
constexpr std::uint64_t to_lists = 24;
constexpr std::uint64_t to_guess = 16;
constexpr std::uint64_t to_host = 8;

// With fewer workers, all their state is in the caches.
constexpr std::size_t many_workers = 256;

// True if the lists that the pair was taken from still exist.
bool knows_pair(const ComingRequest& of, Fleet& fleet) {
  return of.pair && fleet.worker(of.worker).balancer.updates() == of.updates;
}

}  // namespace

LookAhead::LookAhead(const RequestParts& parts, const FastLane& fast_lane)
    : parts_(parts), fast_lane_(&fast_lane), upcoming_(arrivals_of(parts.entries)) {
  for (const ClientStreams& entry : parts.entries) {
    kinds_.push_back({entry.kinds});
  }
  for (const scenario::Change& change : parts.scenario.changes) {
    if (std::holds_alternative<scenario::RateChange>(change.effect) && change.at > Nanoseconds{0} &&
        change.at < parts.scenario.duration) {
      rates_change_.push_back(change.at);
    }
  }
  rates_change_.push_back(parts.scenario.duration);
  std::sort(rates_change_.begin(), rates_change_.end(), std::greater<>());
}

void LookAhead::begin() {
  looks_ahead_ = parts_.fleet.workers() >= many_workers;
  guesses_hosts_ = parts_.scenario.endpoints.size() >= ServerQueues::many_endpoints || !fast_lane_->takes_all();
}

void LookAhead::find_next_time() {
  while (upcoming_.empty() && known_until_ <= rates_set_at_ && !rates_change_.empty()) {
    known_until_ = rates_change_.back();
    rates_change_.pop_back();
    upcoming_.begin(known_until_);
  }
  next_time_ = upcoming_.empty() ? known_until_ : upcoming_.next().arrival.at;
}

void LookAhead::set_rate(const scenario::RateChange& change, Nanoseconds now) {
  parts_.entries[change.client.value].arrivals.set_rate(now, change.rate, change.slope);
  rates_set_at_ = now;
}

template <class Step>
[[gnu::always_inline]] inline void LookAhead::for_group(std::uint64_t first, Step step) {
  ComingRequest* const group = &coming_[first % engine::UpcomingArrivals::known];
  for (std::size_t place = 0; place < together; ++place) {
    if (group[place].demand != nullptr) {
      step(group[place]);
    }
  }
}

// Looks ahead at a group of adjacent arrivals, each time `together` more have arrived.
void LookAhead::look_at_group() {
  static_assert(engine::UpcomingArrivals::known % together == 0 &&
                to_proxy + together <= engine::UpcomingArrivals::known);
  for (std::uint64_t number = arrived_ + to_proxy; number < arrived_ + to_proxy + together; ++number) {
    begin_to_know(number);
  }
  for_group(arrived_ + to_worker, [this](ComingRequest& of) { fetch_worker(of); });
  for_group(arrived_ + to_lists, [this](ComingRequest& of) { draw(of); });
  if (guesses_hosts_) {
    for_group(arrived_ + to_guess, [this](ComingRequest& of) { guess_host(of); });
    for_group(arrived_ + to_host, [this](ComingRequest& of) { fetch_host(of); });
  }
}

// Returns the demand of this arrival, if its client and all clients before it are on.
const Demand& LookAhead::demand_to_come(std::uint32_t index, std::uint64_t number) {
  const Demand* const only = parts_.entries[index].only_demand;
  return only != nullptr ? *only : choose_demand_to_come(index, number);
}

const Demand& LookAhead::choose_demand_to_come(std::uint32_t index, std::uint64_t number) {
  KindsToCome& kinds = kinds_[index];
  const config::ClientEntryIndex client{index};
  if (kinds.stretch != stretch_) {
    kinds.draws = parts_.entries[index].kinds;
    for (std::uint64_t other = arrived_; other < number; ++other) {
      if (upcoming_.peek(other - arrived_)->entry == index) {
        (void)parts_.traffic.choose(client, kinds.draws);
      }
    }
    kinds.stretch = stretch_;
  }
  return parts_.traffic.choose(client, kinds.draws);
}

inline void LookAhead::begin_to_know(std::uint64_t number) {
  const engine::MergedArrivals::Next* const next = upcoming_.peek(number - arrived_);
  ComingRequest& of = coming_[number % coming_.size()];
  of.number = number;
  of.demand = nullptr;
  of.pair.reset();
  if (next == nullptr) {
    ++stretch_;
    return;
  }
  const Demand& demand = demand_to_come(next->entry, number);
  if (demand.original_dst || demand.keeps_session || demand.brought) {
    return;
  }
  of.demand = &demand;
  of.proxy = parts_.fleet.first_proxy(of.demand->flow) + next->arrival.client;
  of.lane = parts_.plans[demand.place].lane;
  const Proxy& proxy = parts_.fleet.proxy(of.proxy);
  __builtin_prefetch(&proxy, 1);
  if (fast_lane_->of(of.proxy).is_open) {
    __builtin_prefetch(fast_lane_->of(of.proxy).breaker, 1);
    return;
  }
  prefetch_all(proxy);
  prefetch_first<160>(parts_.fleet.cluster(parts_.fleet.first_cluster_of(of.proxy)));
}

inline void LookAhead::fetch_worker(ComingRequest& of) {
  const Proxy& proxy = parts_.fleet.proxy(of.proxy);
  engine::RandomStream connections = proxy.connections;
  of.worker = proxy.workers == 1 ? proxy.first_worker : proxy.worker_by(connections());
  prefetch_first<128>(parts_.fleet.worker(of.worker));
}

// Draws the pair of hosts. It stays valid if its worker makes no other draw before.
inline void LookAhead::draw(ComingRequest& of) {
  const Worker& worker = parts_.fleet.worker(of.worker);
  of.updates = worker.balancer.updates();
  of.pair = worker.balancer.next_pair(worker.draws);
  const ProxyLane& lane = fast_lane_->of(of.proxy);
  if (of.pair && of.pair->first.place != nullptr) {
    __builtin_prefetch(of.pair->first.place);
    __builtin_prefetch(of.pair->second.place);
  } else if (of.pair && lane.is_open && lane.counts_active) {
    __builtin_prefetch(lane.numbers_of(of.pair->first.host.value), 1);
    __builtin_prefetch(lane.numbers_of(of.pair->second.host.value), 1);
  }
  if (lane.is_open) {
    return;
  }
  const ProxyCluster& cluster = parts_.fleet.cluster(parts_.fleet.first_cluster_of(of.proxy));
  if (cluster.watch) {
    cluster.watch->prefetch();
  }
  if (cluster.pool) {
    prefetch_all(*cluster.pool);
  }
}

// Guesses the host that will be taken: the one that would be taken now.
void LookAhead::guess_host(ComingRequest& of) const {
  if (!knows_pair(of, parts_.fleet)) {
    of.pair.reset();
    return;
  }
  const ProxyLane& lane = fast_lane_->of(of.proxy);
  if (of.lane != nullptr && lane.is_open) {
    of.likely = lane.better_of(*of.pair).value;
    __builtin_prefetch(&of.lane[of.likely]);
    return;
  }
  const auto active = parts_.fleet.proxy(of.proxy).active_requests.view();
  const bool second = !active.empty() && active[of.pair->second->value] < active[of.pair->first->value];
  of.likely = second ? of.pair->second->value : of.pair->first->value;
}

void LookAhead::fetch_host(const ComingRequest& of) const {
  if (!of.pair) {
    return;
  }
  const ProxyLane& lane = fast_lane_->of(of.proxy);
  if (of.lane != nullptr && lane.is_open) {
    of.lane[of.likely].foreseen.prefetch();
    return;
  }
  const config::HostIndex host{of.likely};
  const ProxyCluster& cluster = parts_.fleet.cluster(parts_.fleet.first_cluster_of(of.proxy));
  parts_.fleet.proxy(of.proxy).active_requests.prefetch(of.likely);
  if (cluster.watch) {
    cluster.watch->prefetch(host);
  }
  if (cluster.pool) {
    cluster.pool->prefetch(of.worker - parts_.fleet.proxy(of.proxy).first_worker, host);
  }
  const Targets& targets = parts_.book.targets(of.demand->flow);
  parts_.server_queues.prefetch(targets.at(targets.index_of(0, host)).endpoint);
}

// Prefetches what a calendar event that comes nearer will need.
void LookAhead::look_at(const CalendarEvent& moment, unsigned step) const {
  if (ServerQueues::owns(moment)) {
    if (parts_.trips == nullptr) {
      parts_.server_queues.prefetch(moment, step);
    }
    return;
  }
  if (const ProxyLane& lane = fast_lane_->of(moment.proxy); lane.is_open) {
    if (step == 0) {
      __builtin_prefetch(lane.breaker, 1);
    } else if (step == 1 && lane.numbers != nullptr) {
      __builtin_prefetch(lane.numbers_of(moment.target), 1);
    }
    if (step == 1 && moment.open_request != OpenRequests::none) {
      prefetch_all(parts_.open.at(moment.open_request));
    }
    return;
  }
  // A request that only waited for a connection has no host.
  if (moment.kind == engine::CalendarEventKind::end_of_wait) {
    return;
  }
  const ProxyCluster& cluster = parts_.fleet.cluster(parts_.fleet.first_cluster_of(moment.proxy));
  const Proxy& proxy = parts_.fleet.proxy(moment.proxy);
  if (step == 0) {
    prefetch_all(proxy);
    prefetch_first<160>(cluster);
    if (moment.open_request != OpenRequests::none) {
      prefetch_all(parts_.open.at(moment.open_request));
    }
    return;
  }
  if (step == 1) {
    if (!proxy.active_requests.empty()) {
      proxy.active_requests.prefetch(moment.active_slot);
    }
    if (cluster.watch) {
      cluster.watch->prefetch();
    }
    if (cluster.pool) {
      prefetch_all(*cluster.pool);
    }
    return;
  }
  const Target& target = parts_.book.targets(proxy.flow).at(moment.target);
  if (target.child != 0) {
    return;
  }
  if (cluster.watch) {
    cluster.watch->prefetch(target.host);
  }
  if (cluster.pool) {
    const bool is_open = moment.open_request != OpenRequests::none;
    const std::uint32_t worker =
        is_open ? parts_.open.at(moment.open_request).worker - proxy.first_worker : std::uint32_t{moment.worker};
    cluster.pool->prefetch(worker, target.host);
  }
}

}  // namespace spillway::run
