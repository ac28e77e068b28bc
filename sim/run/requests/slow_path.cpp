#include "sim/run/requests/slow_path.hpp"

#include <algorithm>

#include "models/envoy/cluster_state.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/fast_lane.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/trips.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/run/traffic/users.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::run {

using engine::CalendarEvent;
using engine::CalendarEventKind;
using health::Resource;
using scenario::Outcome;

namespace {

constexpr std::uint64_t million = 1'000'000;

// Returns the slot of a host. Hosts of a plain cluster, and of an aggregate's first child, come first. For them the
// proxy's state is not read: there may be thousands of proxies, with states outside the caches.
std::uint32_t active_slot(const Proxy& proxy, const envoy::Pick& pick) {
  return pick.host.value + (pick.child > 0 ? proxy.state->first_host_of_child[pick.child] : 0);
}

}  // namespace

SlowPath::SlowPath(const RequestParts& parts, FastLane& fast_lane)
    : parts_(parts),
      fast_lane_(&fast_lane),
      sessions_(parts.scenario, parts.traffic),
      connections_(parts.scenario, parts.world, parts.truth) {}

void SlowPath::arrive(const DemandPlan& plan, std::uint32_t client, Nanoseconds now, const ComingRequest* known) {
  Try first{.demand = plan.demand, .proxy = plan.first_proxy + client, .sent_at = now, .now = now, .known = known};
  const scenario::Route* const route = plan.demand->route;
  const config::ClientEntryIndex entry = parts_.flows.at(plan.demand->flow).client;
  if (route == nullptr || route->delayed_per_million == 0 ||
      parts_.entries[entry.value].delays() % million >= route->delayed_per_million) {
    begin(first);
    return;
  }
  parts_.calendar.push({.at = std::min(now + route->delay, deadline_of_request(*plan.demand, now, route->delay).at),
                        .sent_at = now,
                        .proxy = first.proxy,
                        .demand = plan.demand->place,
                        .kind = CalendarEventKind::end_of_wait});
}

// Gives the request to its router, after the delay of a fault. It counts as sent from now on.
void SlowPath::begin(Try& first) {
  const EpochBook::OpenRow& row = parts_.book.open_row(first.demand->flow);
  first.epoch = row.epoch;
  ++row.record->sent;
  Proxy& proxy = parts_.fleet.proxy(first.proxy);
  ++proxy.sent_in_state;
  first.worker = proxy.next_worker();
  if (is_dropped(first)) {
    find_no_host(first, Outcome::drop_overload);
    return;
  }
  if (first.delay > Nanoseconds{0} && deadline_of_request(*first.demand, first.sent_at, first.delay).at <= first.now) {
    find_no_host(first, Outcome::timeout);
    return;
  }
  const DemandPlan& plan = parts_.plans[first.demand->place];
  if (plan.keeps && !plan.opens_late) {
    first.open = open_request(first);
  }
  attempt(first);
}

// True if the request is dropped. Envoy draws for each request of such a cluster, unless it drops all.
inline bool SlowPath::is_dropped(const Try& attempt) {
  const double part = parts_.traffic.dropped(attempt.demand->flow);
  constexpr double draws = 18446744073709551616.0;  // 2^64
  return part >= 1.0 || (part > 0.0 && static_cast<double>(parts_.fleet.worker(attempt.worker).draws()) < part * draws);
}

// Lets the circuit breaker of the picked cluster admit the try, and sends it out.
inline void SlowPath::start_in(std::uint32_t index, const Try& attempt, const envoy::Pick& pick) {
  ProxyCluster& cluster = parts_.fleet.cluster(index);
  health::CircuitBreaker& breaker = cluster.breakers[attempt.demand->routing_priority()];
  if (!breaker.can_create(Resource::requests)) {
    parts_.fleet.turned_away(index, Resource::requests, breaker.max(Resource::requests), attempt.now);
    count_lost(attempt.proxy, attempt.epoch, attempt.open, attempt.target, CrossZoneBook::Lost::everything);
    blame(index, pick.host, attempt.now);
    finish(ending_of(attempt, Outcome::overflow));
    if (cluster.pool) {
      give_connection_back(index, attempt.worker - parts_.fleet.proxy(attempt.proxy).first_worker, pick.host, false,
                           breaker, attempt.now);
    }
    return;
  }
  breaker.increase(Resource::requests);
  if (cluster.turns_away) {
    parts_.fleet.let_in(index, Resource::requests, attempt.now);
    parts_.fleet.let_in(index, Resource::pending_requests, attempt.now);
  }
  const Target& target = parts_.book.targets(attempt.demand->flow).at(attempt.target);
  Proxy& proxy = parts_.fleet.proxy(attempt.proxy);
  Journey journey{.moment = {.sent_at = attempt.sent_at,
                             .proxy = attempt.proxy,
                             .epoch = attempt.epoch,
                             .target = attempt.target,
                             .node_outages = parts_.world.outages(parts_.server_queues.node_of(target.endpoint)),
                             .open_request = attempt.open,
                             .demand = attempt.demand->place,
                             .kind = CalendarEventKind::connect_failure}};
  journey.moment.routing_priority = attempt.demand->routing_priority() & 1U;
  journey.moment.worker = (attempt.worker - proxy.first_worker) & (most_workers - 1);
  if (!proxy.active_requests.empty()) {
    journey.moment.active_slot = active_slot(proxy, pick);
    proxy.active_requests.increase(journey.moment.active_slot);
  }
  const bool reached = reach(journey.moment, journey.way, target, attempt);
  give_deadline(journey, attempt, cluster.service);
  set_out(journey, target, reached, reached ? parts_.truth.fails(target.endpoint) : nullptr, attempt);
  if (cluster.watch && journey.moment.kind != CalendarEventKind::connect_failure) {
    parts_.fleet.connected(index, pick.host);
  }
}

void SlowPath::send(Try& own, const envoy::Pick& pick) {
  const std::uint32_t index = parts_.fleet.cluster_of(own.proxy, pick.child);
  ProxyCluster& cluster = parts_.fleet.cluster(index);
  cluster.traffic = true;
  if (!cluster.pool || connect(own, pick, index)) {
    start_in(index, own, pick);
  }
}

void SlowPath::start(const Try& attempt, const envoy::Pick& pick) {
  start_in(parts_.fleet.cluster_of(attempt.proxy, pick.child), attempt, pick);
}

// True if the request has a connection to its host now. Otherwise it waits for one, or is over.
bool SlowPath::connect(Try& own, const envoy::Pick& pick, std::uint32_t index) {
  ProxyCluster& cluster = parts_.fleet.cluster(index);
  const config::HostIndex host = parts_.fleet.known_as(index, pick.host);
  const std::uint32_t worker = own.worker - parts_.fleet.proxy(own.proxy).first_worker;
  health::CircuitBreaker& breaker = cluster.breakers[own.demand->routing_priority()];
  const bool opens_late = parts_.plans[own.demand->place].opens_late;
  if (opens_late && (cluster.pool->take_free(worker, host) ||
                     cluster.pool->try_now(worker, host, breaker) == ConnectionPool::Start::now)) {
    return true;
  }
  if (own.open == OpenRequests::none) {
    open_sent(own);
  }
  const std::uint64_t pools = breaker.count(Resource::connection_pools);
  switch (cluster.pool->request(worker, host, own.open, breaker)) {
    case ConnectionPool::Start::now:
      break;
    case ConnectionPool::Start::waits:
      wait_for_connection(own, pick);
      return false;
    case ConnectionPool::Start::overflow:
      parts_.fleet.turned_away(index, Resource::pending_requests, breaker.max(Resource::pending_requests), own.now);
      count_lost(own.proxy, own.epoch, own.open, own.target, CrossZoneBook::Lost::everything);
      blame(index, pick.host, own.now);
      finish(ending_of(own, Outcome::overflow));
      return false;
    case ConnectionPool::Start::no_pool:
      parts_.fleet.turned_away(index, Resource::connection_pools, breaker.max(Resource::connection_pools), own.now);
      find_no_pool(own, pick);
      return false;
  }
  if (cluster.turns_away && breaker.count(Resource::connection_pools) > pools) {
    parts_.fleet.let_in(index, Resource::connection_pools, own.now);
  }
  return true;
}

void SlowPath::wait_for_connection(const Try& own, const envoy::Pick& pick) {
  fast_lane_->close(own.proxy);
  OpenRequest& open = parts_.open.at(own.open);
  open.waits_for = pick;
  open.target = own.target;
  open.ticket = ++last_ticket_;
  const Nanoseconds until = deadline_of_request(*own.demand, own.sent_at, own.delay).at;
  if (until != engine::Calendar::never) {
    parts_.calendar.push({.at = until,
                          .sent_at = own.sent_at,
                          .proxy = own.proxy,
                          .epoch = own.epoch,
                          .active_slot = open.ticket,
                          .open_request = own.open,
                          .demand = own.demand->place,
                          .kind = CalendarEventKind::end_of_wait});
  }
}

// Reports the rejection of a request by a circuit breaker: before Envoy 1.26 it counts as a failure of the picked host.
void SlowPath::blame(std::uint32_t cluster, config::HostIndex host, Nanoseconds now) {
  if (parts_.fleet.cluster(cluster).watch && config::before(parts_.scenario.profile.envoy, 26)) {
    parts_.fleet.report(cluster, host, health::OutlierResult::local_origin_connect_failed, std::nullopt, now);
  }
}

// True if the request reaches its endpoint, through all zone proxies. `way` gets the latency of the links that it
// passes. If a zone proxy's upstream refuses, the client's connection to the zone proxy closes.
bool SlowPath::reach(CalendarEvent& moment, RoundTrip& way, const Target& target, const Try& attempt) {
  const config::ClientEntryIndex client = parts_.flows.at(attempt.demand->flow).client;
  config::NodeIndex from = parts_.scenario.clients[client.value].node;
  deviations_.clear();
  const auto pass = [&](config::NodeIndex node) {
    const Nanoseconds latency = parts_.world.latency(from, node);
    way += {latency, latency};
    if (parts_.jitter.any()) {
      way += deviations_.emplace_back(parts_.jitter.draw(from, node, parts_.entries[client.value].links));
    }
  };
  for (const config::EndpointIndex proxy : target.via) {
    const config::NodeIndex node = parts_.scenario.endpoints[proxy.value].node;
    if (!parts_.world.is_linked(from, node)) {
      return false;
    }
    pass(node);
    if (!parts_.world.is_on(node)) {
      return false;
    }
    moment.kind = CalendarEventKind::reset;
    from = node;
  }
  const config::NodeIndex node = parts_.server_queues.node_of(target.endpoint);
  if (!parts_.world.is_linked(from, node)) {
    return false;
  }
  pass(node);
  if (target.ends_at_zone_proxy) {
    moment.kind = parts_.world.is_on(node) ? CalendarEventKind::reset : moment.kind;
    return false;
  }
  return true;
}

void SlowPath::set_out(Journey& journey, const Target& target, bool reached, const scenario::Failing* failing,
                       const Try& attempt) {
  bool served = false;
  bool unanswered = false;
  if (reached) {
    const bool there =
        parts_.world.is_on(parts_.server_queues.node_of(target.endpoint)) && parts_.truth.exists(target.endpoint);
    if (there && (failing == nullptr || failing->failure != scenario::Failure::connect_failure)) {
      journey.moment.kind = CalendarEventKind::answer;
      served = true;
      if (failing != nullptr && failing->failure == scenario::Failure::status) {
        journey.moment.status = static_cast<std::uint16_t>(failing->status);
      } else if (failing != nullptr && failing->failure == scenario::Failure::reset) {
        journey.moment.kind = CalendarEventKind::reset;
      } else if (failing != nullptr) {
        unanswered = true;
        served = false;
      }
    }
  }
  if (served && parts_.trips != nullptr) {
    const scenario::ClientEntry& client = parts_.scenario.clients[parts_.flows.at(attempt.demand->flow).client.value];
    parts_.trips->send(target, client, scenario::node_of(client, parts_.fleet.client_of(attempt.proxy)), journey,
                       deviations_, attempt.now);
    return;
  }
  if (served) {
    parts_.server_queues.send(target.endpoint, journey, attempt.now);
    return;
  }
  const Nanoseconds end = unanswered ? engine::Calendar::never : attempt.now + journey.way.whole();
  if (journey.deadline == engine::Calendar::never && end == engine::Calendar::never) {
    unanswered_.push_back(journey.moment);
    return;
  }
  parts_.calendar.push(journey.met_at(journey.moment, end));
}

// Sets when the sender gives this try up. `service`: of the cluster whose host was picked.
inline void SlowPath::give_deadline(Journey& journey, const Try& attempt, config::ServiceIndex service) const {
  const DemandPlan& plan = parts_.plans[attempt.demand->place];
  if (plan.opens_late && attempt.now == attempt.sent_at) {
    journey.deadline = plan.patience == engine::Calendar::never ? plan.patience : attempt.now + plan.patience;
    journey.late = plan.late;
    return;
  }
  const Deadline deadline = deadline_of_try(attempt, parts_.scenario.services[service.value].cluster);
  journey.deadline = deadline.at;
  journey.late = deadline.late;
}

}  // namespace spillway::run
