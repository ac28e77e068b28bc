// Prefetches the memory that future requests will need, some requests in advance. This takes several steps, since each
// reads what the previous one prefetched. With thousands of proxies and hosts, hardly any of it is in the caches
// otherwise.
//
// Draws for a future request are made on copies, and used if nothing has changed when the request comes (choose_known).
// Results do not depend on this.
#include "sim/engine/prefetch.hpp"
#include "sim/run/requests/request_simulator.hpp"

namespace spillway::run {

using engine::Moment;
using engine::prefetch_all;
using engine::prefetch_first;

namespace {

// A step looks at a request when this many others will come before it.
constexpr std::uint64_t to_proxy = 40;
constexpr std::uint64_t to_worker = 32;
constexpr std::uint64_t to_lists = 24;
constexpr std::uint64_t to_guess = 16;
constexpr std::uint64_t to_host = 8;

}  // namespace

template <class Step>
[[gnu::always_inline]] inline void RequestSimulator::look_at(std::uint64_t first, Step step) {
  Soon* const group = &soon_[first % engine::UpcomingArrivals::known];
  for (std::size_t place = 0; place < together; ++place) {
    if (group[place].demand != nullptr) {
      step(group[place]);
    }
  }
}

// Looks ahead at a group of adjacent arrivals, each time `together` more have arrived.
void RequestSimulator::look_ahead() {
  static_assert(engine::UpcomingArrivals::known % together == 0 &&
                to_proxy + together <= engine::UpcomingArrivals::known);
  for (std::uint64_t number = arrived_ + to_proxy; number < arrived_ + to_proxy + together; ++number) {
    begin_to_know(number);
  }
  look_at(arrived_ + to_worker, [this](Soon& of) { ask_for_worker(of); });
  look_at(arrived_ + to_lists, [this](Soon& of) { draw_ahead(of); });
  if (guesses_hosts_) {
    look_at(arrived_ + to_guess, [this](Soon& of) { guess_host(of); });
    look_at(arrived_ + to_host, [this](Soon& of) { ask_for_host(of); });
  }
}

// Returns what the arrival of that number will request, if its client and all clients before it are on.
const Demand& RequestSimulator::demand_to_come(std::uint32_t index, std::uint64_t number) {
  const Demand* const only = entries_[index].only_demand;
  return only != nullptr ? *only : choose_demand_to_come(index, number);
}

const Demand& RequestSimulator::choose_demand_to_come(std::uint32_t index, std::uint64_t number) {
  Entry& entry = entries_[index];
  const config::ClientEntryIndex client{index};
  if (entry.stretch != stretch_) {
    entry.kinds_to_come = entry.kinds;
    for (std::uint64_t other = arrived_; other < number; ++other) {
      if (upcoming_->peek(other - arrived_)->entry == index) {
        (void)traffic_->choose(client, entry.kinds_to_come);
      }
    }
    entry.stretch = stretch_;
  }
  return traffic_->choose(client, entry.kinds_to_come);
}

inline void RequestSimulator::begin_to_know(std::uint64_t number) {
  const engine::MergedArrivals::Next* const next = upcoming_->peek(number - arrived_);
  Soon& of = soon_[number % soon_.size()];
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
  of.proxy = fleet_->first_proxy(of.demand->flow) + next->arrival.client;
  of.hosts = plans_[demand.place].hosts;
  const Proxy& proxy = fleet_->proxy(of.proxy);
  __builtin_prefetch(&proxy, 1);
  if (near_[of.proxy].known) {
    __builtin_prefetch(near_[of.proxy].breaker, 1);
    return;
  }
  prefetch_all(proxy);
  prefetch_first<160>(fleet_->cluster(fleet_->first_cluster_of(of.proxy)));
}

inline void RequestSimulator::ask_for_worker(Soon& of) {
  const Proxy& proxy = fleet_->proxy(of.proxy);
  engine::RandomStream connections = proxy.connections;
  of.worker = proxy.workers == 1 ? proxy.first_worker : proxy.worker_by(connections());
  prefetch_first<128>(fleet_->worker(of.worker));
}

// Draws the pair of hosts. It stays valid if its worker makes no other draw before.
inline void RequestSimulator::draw_ahead(Soon& of) {
  const Worker& worker = fleet_->worker(of.worker);
  of.updates = worker.balancer.updates();
  of.pair = worker.balancer.next_pair(worker.draws);
  const Near& near = near_[of.proxy];
  if (of.pair && of.pair->first.place != nullptr) {
    __builtin_prefetch(of.pair->first.place);
    __builtin_prefetch(of.pair->second.place);
  } else if (of.pair && near.known && near.counts_active) {
    __builtin_prefetch(near.numbers_of(of.pair->first.host.value), 1);
    __builtin_prefetch(near.numbers_of(of.pair->second.host.value), 1);
  }
  if (near.known) {
    return;
  }
  const ProxyCluster& cluster = fleet_->cluster(fleet_->first_cluster_of(of.proxy));
  if (cluster.watch) {
    cluster.watch->prefetch();
  }
  if (cluster.pool) {
    prefetch_all(*cluster.pool);
  }
}

// Guesses the host that will be taken: the one that would be taken now.
void RequestSimulator::guess_host(Soon& of) {
  if (!knows_pair(of)) {
    of.pair.reset();
    return;
  }
  const Near& near = near_[of.proxy];
  if (of.hosts != nullptr && near.known) {
    of.likely = better_of(*of.pair, near).value;
    __builtin_prefetch(&of.hosts[of.likely]);
    return;
  }
  const auto active = fleet_->proxy(of.proxy).active_requests.view();
  const bool second = !active.empty() && active[of.pair->second->value] < active[of.pair->first->value];
  of.likely = second ? of.pair->second->value : of.pair->first->value;
}

void RequestSimulator::ask_for_host(const Soon& of) {
  if (!of.pair) {
    return;
  }
  const Near& near = near_[of.proxy];
  if (of.hosts != nullptr && near.known) {
    of.hosts[of.likely].foreseen.prefetch();
    return;
  }
  const config::HostIndex host{of.likely};
  const ProxyCluster& cluster = fleet_->cluster(fleet_->first_cluster_of(of.proxy));
  fleet_->proxy(of.proxy).active_requests.prefetch(of.likely);
  if (cluster.watch) {
    cluster.watch->prefetch(host);
  }
  if (cluster.pool) {
    cluster.pool->prefetch(of.worker - fleet_->proxy(of.proxy).first_worker, host);
  }
  const Targets& targets = book_->targets(of.demand->flow);
  server_queues_.prefetch(targets.at(targets.index_of(0, host)).endpoint);
}

// Returns the pick that was drawn ahead; nullopt if its worker or balancer has changed since.
std::optional<envoy::Pick> RequestSimulator::choose_known(const Try& attempt) {
  const Soon& of = *attempt.known;
  Worker& worker = fleet_->worker(attempt.worker);
  if (of.worker != attempt.worker || !holds(of, worker)) {
    return std::nullopt;
  }
  const auto active = fleet_->proxy(attempt.proxy).active_requests.view();
  const bool second = !active.empty() && active[of.pair->second->value] < active[of.pair->first->value];
  worker.draws = of.pair->after;
  return envoy::Pick{second ? *of.pair->second : *of.pair->first, of.pair->priority, of.pair->availability, 0};
}

// Prefetches what a calendar event that comes nearer will need.
void RequestSimulator::look_ahead(const Moment& moment, unsigned step) {
  if (ServerQueues::owns(moment)) {
    if (!trips_) {
      server_queues_.prefetch(moment, step);
    }
    return;
  }
  if (const Near& near = near_[moment.proxy]; near.known) {
    ask_for(near, moment, step);
    return;
  }
  // A request that only waited for a connection has no host.
  if (moment.logged_event == engine::LoggedEvent::end_of_wait) {
    return;
  }
  const ProxyCluster& cluster = fleet_->cluster(fleet_->first_cluster_of(moment.proxy));
  const Proxy& proxy = fleet_->proxy(moment.proxy);
  if (step == 0) {
    prefetch_all(proxy);
    prefetch_first<160>(cluster);
    if (moment.open_request != OpenRequests::none) {
      prefetch_all(open_.at(moment.open_request));
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
  const Target& target = book_->targets(proxy.flow).at(moment.target);
  if (target.child != 0) {
    return;
  }
  if (cluster.watch) {
    cluster.watch->prefetch(target.host);
  }
  if (cluster.pool) {
    cluster.pool->prefetch(worker_of(moment) - proxy.first_worker, target.host);
  }
}

}  // namespace spillway::run
