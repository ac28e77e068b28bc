#include "sim/run/requests/request_simulator.hpp"

#include <algorithm>
#include <functional>
#include <variant>

#include "models/envoy/host_health.hpp"
#include "sim/engine/entity.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/world/activities.hpp"

namespace spillway::run {

using engine::LoggedEvent;
using engine::Moment;
using health::Resource;
using scenario::Outcome;

namespace {

constexpr Nanoseconds default_timeout = std::chrono::seconds{15};

// Returns the slot of a host. Hosts of a plain cluster, and of an aggregate's first child, come first. For them the
// proxy's state is not read: there may be thousands of proxies, with states outside the caches.
std::uint32_t active_slot(const Proxy& proxy, const envoy::Pick& pick) {
  return pick.host.value + (pick.child > 0 ? proxy.state->first_host_of_child[pick.child] : 0);
}

}  // namespace

RequestSimulator::RequestSimulator(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows,
                                   const Traffic& traffic, Fleet& fleet, Truth& truth, const world::World& world,
                                   EpochBook& book, world::Activities* activities)
    : scenario_(&scenario),
      seed_(seed),
      flows_(&flows),
      traffic_(&traffic),
      fleet_(&fleet),
      truth_(&truth),
      world_(&world),
      book_(&book),
      server_queues_(scenario, seed, world, calendar_),
      jitter_(scenario),
      sessions_(scenario, traffic),
      connections_(scenario, world, truth),
      users_(scenario, seed) {
  if (activities != nullptr) {
    trips_.emplace(scenario, server_queues_, world, *activities, calendar_);
  }
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const scenario::ClientEntry& client = scenario.clients[index];
    const auto stream = [&](engine::Purpose purpose) {
      return engine::RandomStream({seed, purpose, engine::entity(client.name)});
    };
    const engine::RandomStream of_arrivals = stream(engine::Purpose::arrivals);
    entries_.push_back(
        {client.workload.trace != nullptr ? engine::Arrivals(client.workload.trace, of_arrivals)
                                          : engine::Arrivals(client.workload.arrivals, client.workload.rate,
                                                             client.count, of_arrivals, client.workload.slope),
         stream(engine::Purpose::requests), stream(engine::Purpose::retries), stream(engine::Purpose::links)});
    const std::span<const Demand> demands = traffic.demands_of_client(config::ClientEntryIndex{index});
    entries_.back().only_demand = demands.size() == 1 ? &demands.front() : nullptr;
  }
  upcoming_.emplace(arrivals());
  for (const scenario::Change& change : scenario.changes) {
    if (std::holds_alternative<scenario::RateChange>(change.effect) && change.at > Nanoseconds{0} &&
        change.at < scenario.duration) {
      rates_change_.push_back(change.at);
    }
  }
  rates_change_.push_back(scenario.duration);
  std::sort(rates_change_.begin(), rates_change_.end(), std::greater<>());
}

std::vector<engine::Arrivals*> RequestSimulator::arrivals() {
  std::vector<engine::Arrivals*> all;
  for (Entry& entry : entries_) {
    all.push_back(&entry.arrivals);
  }
  return all;
}

std::vector<engine::RandomStream*> RequestSimulator::kinds() {
  std::vector<engine::RandomStream*> all;
  for (Entry& entry : entries_) {
    all.push_back(&entry.kinds);
  }
  return all;
}

inline bool RequestSimulator::simulate_next(Nanoseconds limit) {
  const Nanoseconds arrival = next_arrival();
  const Nanoseconds reached = server_queues_.next_time();
  const Nanoseconds met = calendar_.next_time();
  if (std::min({arrival, reached, met}) >= limit) {
    return false;
  }
  if (reached <= met && reached <= arrival) {
    server_queues_.reach_next([this](const ServerQueues::Approaching& request) { reach_near(request); });
  } else if (met <= arrival) {
    leave_until(met);
    simulate_moment();
  } else {
    leave_until(arrival);
    simulate_arrival();
  }
  return true;
}

bool RequestSimulator::simulate(const Agenda<Event>& agenda, std::uint64_t most) {
  for (std::uint64_t logged_events = 0; logged_events < most; ++logged_events) {
    const Nanoseconds limit = agenda.next_time() < scenario_->duration ? agenda.next_time() : engine::Calendar::never;
    if (!simulate_next(limit)) {
      leave_until(limit - Nanoseconds{1});
      return false;
    }
  }
  return true;
}

bool RequestSimulator::simulate_before(Nanoseconds limit) {
  ++simulated_;
  return simulate_next(limit);
}

void RequestSimulator::set(const scenario::Slow& change, Nanoseconds now) {
  server_queues_.set(change, now);
  if (trips_) {
    trips_->set(change);
  }
}

void RequestSimulator::attempt(Try& attempt) {
  const std::optional<envoy::Pick> pick = choose(attempt);
  const FlowIndex flow = attempt.demand->flow;
  const bool first = attempt.open == OpenRequests::none || open_.at(attempt.open).tries == 0;
  if (!pick) {
    // An original destination becomes a host even if there is no endpoint at it.
    const Outcome outcome = attempt.demand->names_address ? Outcome::connect_failure : Outcome::no_healthy_upstream;
    Ending ending = ending_of(attempt, outcome);
    ending.target = first ? std::nullopt : std::optional(open_.at(attempt.open).target);
    finish(ending);
    return;
  }
  attempt.target = target_of(attempt, *pick);
  const std::uint32_t row = engine::row_of(attempt.target, pick->availability);
  book_->record(flow).count_attempt(row, first);
  if (attempt.open != OpenRequests::none) {
    OpenRequest& open = open_.at(attempt.open);
    ++open.tries;
    open.epoch_of_try = book_->epoch(flow);
    open.target = attempt.target;
    if (open.choice && open.choice->predicates) {
      open.choice->predicates->on_host_attempted(*pick);
    }
    if (open.choice && open.choice->previous_priorities) {
      const envoy::ClusterState& state = *fleet_->proxy(attempt.proxy).state;
      open.choice->previous_priorities->on_host_attempted(
          state.aggregate ? envoy::level_of(state.levels, {pick->child, pick->priority}).value_or(pick->priority)
                          : pick->priority);
    }
  }
  send(attempt, *pick);
}

void RequestSimulator::send(Try& own, const envoy::Pick& pick) {
  const std::uint32_t index = fleet_->cluster_of(own.proxy, pick.child);
  ProxyCluster& cluster = fleet_->cluster(index);
  cluster.traffic = true;
  if (!cluster.pool || connect(own, pick, index)) {
    start(own, pick);
  }
}

// True if the request has a connection to its host now. Otherwise it waits for one, or is over.
bool RequestSimulator::connect(Try& own, const envoy::Pick& pick, std::uint32_t index) {
  ProxyCluster& cluster = fleet_->cluster(index);
  const config::HostIndex host = fleet_->known_as(index, pick.host);
  const std::uint32_t worker = own.worker - fleet_->proxy(own.proxy).first_worker;
  health::CircuitBreaker& breaker = cluster.breakers[own.demand->routing_priority()];
  const bool opens_late = plans_[own.demand->place].opens_late;
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
      fleet_->turned_away(index, Resource::pending_requests, breaker.max(Resource::pending_requests), own.now);
      count_lost(own.proxy, own.epoch, own.open, own.target, CrossZoneBook::Lost::everything);
      blame(index, pick.host, own.now);
      finish(ending_of(own, Outcome::overflow));
      return false;
    case ConnectionPool::Start::no_pool:
      fleet_->turned_away(index, Resource::connection_pools, breaker.max(Resource::connection_pools), own.now);
      find_no_pool(own, pick);
      return false;
  }
  if (cluster.turns_away && breaker.count(Resource::connection_pools) > pools) {
    fleet_->let_in(index, Resource::connection_pools, own.now);
  }
  return true;
}

void RequestSimulator::wait_for_connection(const Try& own, const envoy::Pick& pick) {
  recall(own.proxy);
  OpenRequest& open = open_.at(own.open);
  open.waits_for = pick;
  open.target = own.target;
  open.ticket = ++last_ticket_;
  const Nanoseconds until = deadline(*own.demand, own.sent_at).at;
  if (until != engine::Calendar::never) {
    calendar_.push({.at = until,
                    .sent_at = own.sent_at,
                    .proxy = own.proxy,
                    .epoch = own.epoch,
                    .active_slot = open.ticket,
                    .open_request = own.open,
                    .demand = own.demand->place,
                    .logged_event = LoggedEvent::end_of_wait});
  }
}

// Reports the rejection of a request by a circuit breaker: before Envoy 1.26 it counts as a failure of the picked host.
void RequestSimulator::blame(std::uint32_t cluster, config::HostIndex host, Nanoseconds now) {
  if (fleet_->cluster(cluster).watch && config::before(scenario_->profile.envoy, 26)) {
    fleet_->report(cluster, host, health::OutlierResult::local_origin_connect_failed, std::nullopt, now);
  }
}

void RequestSimulator::start(const Try& attempt, const envoy::Pick& pick) {
  const std::uint32_t index = fleet_->cluster_of(attempt.proxy, pick.child);
  ProxyCluster& cluster = fleet_->cluster(index);
  health::CircuitBreaker& breaker = cluster.breakers[attempt.demand->routing_priority()];
  if (!breaker.can_create(Resource::requests)) {
    fleet_->turned_away(index, Resource::requests, breaker.max(Resource::requests), attempt.now);
    count_lost(attempt.proxy, attempt.epoch, attempt.open, attempt.target, CrossZoneBook::Lost::everything);
    blame(index, pick.host, attempt.now);
    finish(ending_of(attempt, Outcome::overflow));
    if (cluster.pool) {
      give_connection_back(index, attempt.worker - fleet_->proxy(attempt.proxy).first_worker, pick.host, false, breaker,
                           attempt.now);
    }
    return;
  }
  breaker.increase(Resource::requests);
  if (cluster.turns_away) {
    fleet_->let_in(index, Resource::requests, attempt.now);
    fleet_->let_in(index, Resource::pending_requests, attempt.now);
  }
  const Target& target = book_->targets(attempt.demand->flow).at(attempt.target);
  Proxy& proxy = fleet_->proxy(attempt.proxy);
  Journey journey{.moment = {.sent_at = attempt.sent_at,
                             .proxy = attempt.proxy,
                             .epoch = attempt.epoch,
                             .target = attempt.target,
                             .node_outages = world_->outages(server_queues_.node_of(target.endpoint)),
                             .open_request = attempt.open,
                             .demand = attempt.demand->place,
                             .logged_event = LoggedEvent::connect_failure}};
  journey.moment.routing_priority = attempt.demand->routing_priority() & 1U;
  journey.moment.worker = (attempt.worker - proxy.first_worker) & (most_workers - 1);
  if (!proxy.active_requests.empty()) {
    journey.moment.active_slot = active_slot(proxy, pick);
    proxy.active_requests.increase(journey.moment.active_slot);
  }
  const bool reached = reach(journey.moment, journey.way, target, attempt);
  give_deadline(journey, attempt, cluster.service);
  set_out(journey, target, reached, attempt);
  if (cluster.watch && journey.moment.logged_event != LoggedEvent::connect_failure) {
    fleet_->connected(index, pick.host);
  }
}

// Counts a lost attempt at a request of this epoch; the attempt may have been made in a later epoch.
void RequestSimulator::count_lost(std::uint32_t proxy, std::uint32_t epoch, std::uint32_t open, std::uint32_t target,
                                  CrossZoneBook::Lost lost) {
  const std::uint32_t counted = open == OpenRequests::none ? epoch : open_.at(open).epoch_of_try;
  book_->count_lost(fleet_->proxy(proxy).flow, counted, target, lost);
}

RequestSimulator::Deadline RequestSimulator::deadline(const Demand& demand, Nanoseconds sent_at) noexcept {
  Deadline deadline;
  const Nanoseconds timeout = demand.route == nullptr ? default_timeout : demand.route->timeout;
  if (timeout > Nanoseconds{0}) {
    deadline.at = sent_at + timeout;
  }
  const Nanoseconds of_stream = demand.route == nullptr ? Nanoseconds{0} : demand.route->stream_timeout;
  if (of_stream > Nanoseconds{0} && sent_at + of_stream < deadline.at) {
    deadline = {sent_at + of_stream, LoggedEvent::stream_timeout};
  }
  return deadline;
}

// True if the request reaches its endpoint, through all zone proxies. `way` gets the latency of the links that it
// passes. If a zone proxy's upstream refuses, the client's connection to the zone proxy closes.
bool RequestSimulator::reach(Moment& moment, RoundTrip& way, const Target& target, const Try& attempt) {
  const config::ClientEntryIndex client = flows_->at(attempt.demand->flow).client;
  config::NodeIndex from = scenario_->clients[client.value].node;
  deviations_.clear();
  const auto pass = [&](config::NodeIndex node) {
    const Nanoseconds latency = world_->latency(from, node);
    way += {latency, latency};
    if (jitter_.any()) {
      way += deviations_.emplace_back(jitter_.draw(from, node, entries_[client.value].links));
    }
  };
  for (const config::EndpointIndex proxy : target.via) {
    const config::NodeIndex node = scenario_->endpoints[proxy.value].node;
    if (!world_->is_linked(from, node)) {
      return false;
    }
    pass(node);
    if (!world_->is_on(node)) {
      return false;
    }
    moment.logged_event = LoggedEvent::reset;
    from = node;
  }
  const config::NodeIndex node = server_queues_.node_of(target.endpoint);
  if (!world_->is_linked(from, node)) {
    return false;
  }
  pass(node);
  if (target.ends_at_zone_proxy) {
    moment.logged_event = world_->is_on(node) ? LoggedEvent::reset : moment.logged_event;
    return false;
  }
  return true;
}

// Sends the request out. `reached`: it reaches its endpoint over all links.
void RequestSimulator::set_out(Journey& journey, const Target& target, bool reached, const Try& attempt) {
  set_out(journey, target, reached, reached ? truth_->fails(target.endpoint) : nullptr, attempt);
}

// Sends the request out. `failing`: how it fails; null if it does not.
void RequestSimulator::set_out(Journey& journey, const Target& target, bool reached, const scenario::Failing* failing,
                               const Try& attempt) {
  bool served = false;
  bool unanswered = false;
  if (reached) {
    const bool there = world_->is_on(server_queues_.node_of(target.endpoint)) && truth_->exists(target.endpoint);
    if (there && (failing == nullptr || failing->failure != scenario::Failure::connect_failure)) {
      journey.moment.logged_event = LoggedEvent::answer;
      served = true;
      if (failing != nullptr && failing->failure == scenario::Failure::status) {
        journey.moment.status = static_cast<std::uint16_t>(failing->status);
      } else if (failing != nullptr && failing->failure == scenario::Failure::reset) {
        journey.moment.logged_event = LoggedEvent::reset;
      } else if (failing != nullptr) {
        unanswered = true;
        served = false;
      }
    }
  }
  if (served && trips_) {
    const scenario::ClientEntry& client = scenario_->clients[flows_->at(attempt.demand->flow).client.value];
    trips_->send(target, client, scenario::node_of(client, fleet_->client_of(attempt.proxy)), journey, deviations_,
                 attempt.now);
    return;
  }
  if (served) {
    server_queues_.send(target.endpoint, journey, attempt.now);
    return;
  }
  const Nanoseconds end = unanswered ? engine::Calendar::never : attempt.now + journey.way.whole();
  if (journey.deadline == engine::Calendar::never && end == engine::Calendar::never) {
    unanswered_.push_back(journey.moment);
    return;
  }
  calendar_.push(journey.met_at(journey.moment, end));
}

// Sets when the sender gives this try up. `service`: of the cluster whose host was picked.
void RequestSimulator::give_deadline(Journey& journey, const Try& attempt, config::ServiceIndex service) const {
  const DemandPlan& plan = plans_[attempt.demand->place];
  if (plan.opens_late && attempt.now == attempt.sent_at) {
    journey.deadline = plan.patience == engine::Calendar::never ? plan.patience : attempt.now + plan.patience;
    journey.late = plan.late;
    return;
  }
  give_deadline(journey, attempt, scenario_->services[service.value].cluster);
}

void RequestSimulator::give_deadline(Journey& journey, const Try& attempt, const envoy::Cluster& cluster) const {
  const scenario::Route* const route = attempt.demand->route;
  const Deadline whole = deadline(*attempt.demand, attempt.sent_at);
  journey.deadline = whole.at;
  journey.late = whole.late;
  const auto limit = [&](Nanoseconds of_try, LoggedEvent late) {
    if (attempt.now + of_try <= journey.deadline) {
      journey.deadline = attempt.now + of_try;
      journey.late = late;
    }
  };
  if (cluster.max_stream_duration > Nanoseconds{0}) {
    limit(cluster.max_stream_duration, LoggedEvent::try_timeout);
  }
  if (route != nullptr && route->retry_policy && route->retry_policy->per_try_timeout) {
    limit(*route->retry_policy->per_try_timeout, LoggedEvent::per_try_timeout);
  }
}

}  // namespace spillway::run
