// What requests that are to come will need of the memory is asked for some requests before, in steps, since each step
// has to read what the one before asked for: of thousands of proxies and hosts hardly anything is at hand otherwise.
//
// What a proxy will draw for a request is worked out on the way, on copies, and used if nothing has changed when the
// request comes (choose_known). Results do not depend on any of it.
#include "sim/engine/prefetch.hpp"
#include "sim/run/requests/request_player.hpp"

namespace spillway::run {

using engine::Moment;
using engine::prefetch_all;
using engine::prefetch_first;

namespace {

// So many requests before it comes each step is taken.
constexpr std::uint64_t to_proxy = engine::UpcomingArrivals::known - 2;
constexpr std::uint64_t to_worker = 24;
constexpr std::uint64_t to_lists = 18;
constexpr std::uint64_t to_counts = 12;
constexpr std::uint64_t to_host = 6;

}  // namespace

void RequestPlayer::look_ahead() {
  if (const auto* const next = upcoming_->peek(to_proxy)) {
    begin_to_know(arrived_ + to_proxy, *next);
  }
  if (Soon* const of = soon(arrived_ + to_worker)) {
    ask_for_worker(*of);
  }
  if (Soon* const of = soon(arrived_ + to_lists)) {
    draw_ahead(*of);
  }
  if (const Soon* const of = soon(arrived_ + to_counts); of != nullptr && knows_pair(*of)) {
    ask_for_counts(*of);
  }
  if (const Soon* const of = soon(arrived_ + to_host); of != nullptr && knows_pair(*of)) {
    ask_for_host(*of);
  }
}

void RequestPlayer::begin_to_know(std::uint64_t number, const engine::MergedArrivals::Next& next) {
  Soon& of = soon_[number % soon_.size()];
  of.number = number;
  of.demand = entries_[next.entry].only_demand;
  of.pair.reset();
  if (of.demand == nullptr || of.demand->original_dst || of.demand->keeps_session || of.demand->brought) {
    of.demand = nullptr;
    return;
  }
  of.proxy = fleet_->first_proxy(of.demand->flow) + next.arrival.client;
  of.hosts = short_ways_[next.entry].hosts;
  prefetch_all(fleet_->proxy(of.proxy));
  prefetch_first<160>(fleet_->cluster(fleet_->first_cluster_of(of.proxy)));
}

void RequestPlayer::ask_for_worker(Soon& of) {
  const Proxy& proxy = fleet_->proxy(of.proxy);
  engine::RandomStream connections = proxy.connections;
  of.worker = proxy.workers == 1 ? proxy.first_worker
                                 : proxy.first_worker + static_cast<std::uint32_t>(connections() % proxy.workers);
  prefetch_first<192>(fleet_->worker(of.worker));
}

// The pair holds if its worker draws for nobody else before.
void RequestPlayer::draw_ahead(Soon& of) {
  const Worker& worker = fleet_->worker(of.worker);
  of.updates = worker.balancer.updates();
  of.pair = worker.balancer.next_pair(worker.draws);
  if (of.pair) {
    __builtin_prefetch(of.pair->first.place);
    __builtin_prefetch(of.pair->second.place);
  }
  if (const Near& near = near_[of.proxy]; near.known) {
    if (near.pool != nullptr) {
      prefetch_all(*near.pool);
    }
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

void RequestPlayer::ask_for_counts(const Soon& of) {
  if (const Near& near = near_[of.proxy]; near.known) {
    if (near.active != nullptr) {
      __builtin_prefetch(near.active + of.pair->first->value, 1);
      __builtin_prefetch(near.active + of.pair->second->value, 1);
    }
    return;
  }
  const RequestCounts& counts = fleet_->proxy(of.proxy).active_requests;
  counts.prefetch(of.pair->first->value);
  counts.prefetch(of.pair->second->value);
}

// The host that would be taken now, and probably will be.
void RequestPlayer::ask_for_host(const Soon& of) {
  if (const Near& near = near_[of.proxy]; of.hosts != nullptr) {
    const config::HostIndex host = takes_second(of, near.active) ? *of.pair->second : *of.pair->first;
    if (near.pool != nullptr) {
      near.pool->prefetch(of.worker - near.proxy->first_worker, host);
    }
    stations_.prefetch(of.hosts[host.value].endpoint);
    return;
  }
  const auto active = fleet_->proxy(of.proxy).active_requests.view();
  const bool second = !active.empty() && active[of.pair->second->value] < active[of.pair->first->value];
  const config::HostIndex host = second ? *of.pair->second : *of.pair->first;
  const ProxyCluster& cluster = fleet_->cluster(fleet_->first_cluster_of(of.proxy));
  if (cluster.watch && !near_[of.proxy].known) {
    cluster.watch->prefetch(host);
  }
  if (cluster.pool) {
    cluster.pool->prefetch(of.worker - fleet_->proxy(of.proxy).first_worker, host);
  }
  const Targets& targets = book_->targets(of.demand->flow);
  stations_.prefetch(targets.at(targets.index_of(0, host)).endpoint);
}

// The pick that was drawn ahead, if nothing has moved since.
std::optional<envoy::Pick> RequestPlayer::choose_known(const Try& attempt) {
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

// A moment comes nearer.
void RequestPlayer::look_ahead(const Moment& moment, unsigned step) {
  if (Stations::owns(moment)) {
    if (!trips_) {
      stations_.prefetch(moment, step);
    }
    return;
  }
  if (const Near& near = near_[moment.proxy]; near.known) {
    ask_for(near, moment, step);
    return;
  }
  // Who waits in vain has no host.
  if (moment.happening == engine::Happening::end_of_wait) {
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
