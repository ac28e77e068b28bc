// The fast path of requests: what happens to most of them in most scenarios, written out. The general functions do the
// same and take over in every other case. Results do not depend on the path.
#include <algorithm>
#include <bit>
#include <variant>

#include "models/config/outlier_detection.hpp"
#include "models/health/retry_state.hpp"
#include "sim/engine/prefetch.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/requests/request_simulator.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::run {

using engine::LoggedEvent;
using engine::Moment;
using health::Resource;
using scenario::Outcome;

namespace {

constexpr std::uint32_t ok = 200;

// With fewer workers, all their state is in the caches.
constexpr std::size_t many_workers = 256;

// True if any response says more than its status.
bool ask_for_checks(const scenario::Scenario& scenario) {
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), [](const scenario::Change& change) {
    const auto* const answers = std::get_if<scenario::AnswersChecks>(&change.effect);
    return answers != nullptr && answers->answer == scenario::CheckAnswer::immediate_health_check_fail;
  });
}

// True if a response 200 ends the request and is a success of its host.
bool ends_with_ok(const envoy::Cluster& cluster, const config::RetryPolicy* policy) {
  return config::counted_status(ok, cluster.error_statuses) == ok &&
         (policy == nullptr ||
          (policy->retry_host_predicate.empty() && !policy->previous_priorities_update_frequency &&
           health::retry_decision(*policy, health::UpstreamAnswer{.status = ok}) == health::RetryDecision::no_retry));
}

}  // namespace

void RequestSimulator::find_short_ways() {
  const bool none = trips_ || trace_ || ask_for_checks(*scenario_) || traffic_->demands() > most_demands;
  for (std::uint32_t place = 0; place < traffic_->demands(); ++place) {
    short_ways_.push_back(none ? ShortWay{} : short_way_of(traffic_->demand(place)));
  }
  for (std::uint32_t proxy = 0; proxy < fleet_->proxies(); ++proxy) {
    near_.emplace_back();
  }
  const std::vector<const ShortWay*> near_ways = find_near_ways();
  for (const FlowIndex flow : flows_->all()) {
    numbers_.emplace_back();
    near_hosts_.emplace_back();
    if (near_ways[flow.value] != nullptr && stays_near(flow)) {
      add_near(*near_ways[flow.value]);
      find_near_hosts(flow);
    }
  }
  for (ShortWay& way : short_ways_) {
    if (way.demand != nullptr && !way.watches_local && !way.by_session) {
      std::vector<NearHost>& hosts = near_hosts_[way.demand->flow.value];
      way.hosts = hosts.empty() ? nullptr : hosts.data();
    }
  }
  looks_ahead_ = fleet_->workers() >= many_workers;
  const auto stays_far = [](const Near& near) { return !near.known; };
  guesses_hosts_ =
      scenario_->endpoints.size() >= ServerQueues::many_endpoints || std::any_of(near_.begin(), near_.end(), stays_far);
}

// Returns by flow one of its requests, if all take the fast path and have the same priority; else null.
std::vector<const RequestSimulator::ShortWay*> RequestSimulator::find_near_ways() const {
  std::vector<const ShortWay*> ways(flows_->size(), nullptr);
  std::vector<bool> mixed(flows_->size(), false);
  for (std::uint32_t place = 0; place < short_ways_.size(); ++place) {
    const ShortWay& way = short_ways_[place];
    const std::uint32_t flow = traffic_->demand(place).flow.value;
    if (way.demand == nullptr ||
        (ways[flow] != nullptr && ways[flow]->demand->routing_priority() != way.demand->routing_priority())) {
      mixed[flow] = true;
    } else {
      ways[flow] = &way;
    }
  }
  for (std::uint32_t flow = 0; flow < ways.size(); ++flow) {
    ways[flow] = mixed[flow] ? nullptr : ways[flow];
  }
  return ways;
}

// True if hosts are always members, and no response breaks off with its node.
bool RequestSimulator::stays_near(FlowIndex flow) const {
  const bool moves = std::any_of(scenario_->changes.begin(), scenario_->changes.end(), [](const auto& change) {
    return std::holds_alternative<scenario::NodeOutage>(change.effect) ||
           std::holds_alternative<scenario::EdsMembership>(change.effect) ||
           std::holds_alternative<scenario::EdsPriority>(change.effect);
  });
  return !moves && !book_->targets(flow).forwarded() &&
         scenario_->services[flows_->at(flow).service.value].absent_at_start.empty() &&
         book_->targets(flow).size() <= most_targets;
}

// Moves the per-host counters of the flow's proxies into contiguous memory.
void RequestSimulator::add_near(const ShortWay& way) {
  const FlowIndex flow = way.demand->flow;
  const config::ClientEntryIndex entry = flows_->at(flow).client;
  const std::uint32_t first = fleet_->first_proxy(flow);
  const ProxyCluster& like = fleet_->cluster(fleet_->first_cluster_of(first));
  const RequestCounts& counts = fleet_->proxy(first).active_requests;
  const bool counts_active = counts.dense() != nullptr;
  const bool counts_successes = like.watch && like.watch->detector() != nullptr;
  const std::size_t hosts = book_->targets(flow).size();
  const std::uint32_t count = scenario_->clients[entry.value].count;
  if ((!counts_active && !counts.empty()) || hosts * count > RequestCounts::most_dense ||
      (like.pool && like.pool->multiplexes())) {
    return;
  }
  std::size_t needed = first_number_of_pool;
  needed += like.pool ? ConnectionPool::numbers(scenario_->clients[entry.value].concurrency) : 0;
  // A host's numbers begin a cache line, or lie within one.
  constexpr std::size_t line = 64 / sizeof(std::uint32_t);
  const std::size_t stride = needed < line ? std::bit_ceil(needed) : (needed + line - 1) / line * line;
  const bool any = counts_active || counts_successes || like.pool;
  auto& numbers = numbers_[flow.value];
  numbers.resize(any ? hosts * count * stride : 0);
  for (std::uint32_t client = 0; client < count; ++client) {
    Proxy& proxy = fleet_->proxy(first + client);
    ProxyCluster& cluster = fleet_->cluster(fleet_->first_cluster_of(first + client));
    std::uint32_t* const own = any ? numbers.data() + hosts * client * stride : nullptr;
    if (counts_active) {
      proxy.active_requests.move_to(own + active_number, stride);
    }
    if (counts_successes) {
      cluster.watch->take_successes_from(own + successes_number, stride);
    }
    if (cluster.pool) {
      cluster.pool->move_to(own + first_number_of_pool, stride);
    }
    near_[first + client] = {.numbers = own,
                             .pool = cluster.pool.get(),
                             .breaker = &cluster.breakers[way.demand->routing_priority()],
                             .cluster = &cluster,
                             .proxy = &proxy,
                             .flow = flow,
                             .leader = flows_->leader(flow),
                             .entry = entry.value,
                             .stride = static_cast<std::uint32_t>(stride),
                             .routing_priority = way.demand->routing_priority(),
                             .counts_active = counts_active,
                             .counts_successes = counts_successes,
                             .is_awaited = way.is_awaited,
                             .known = true};
  }
}

// Prefetches what a response that comes nearer will need.
void RequestSimulator::ask_for(const Near& near, const Moment& moment, unsigned step) const {
  if (step == 0) {
    __builtin_prefetch(near.breaker, 1);
  } else if (step == 1 && near.numbers != nullptr) {
    __builtin_prefetch(near.numbers_of(moment.target), 1);
  }
  if (step == 1 && moment.open_request != OpenRequests::none) {
    engine::prefetch_all(open_.at(moment.open_request));
  }
}

RequestSimulator::ShortWay RequestSimulator::short_way_of(const Demand& demand) const {
  const config::ClientEntryIndex index = flows_->at(demand.flow).client;
  const scenario::ClientEntry& client = scenario_->clients[index.value];
  const auto cluster_of = [this](FlowIndex flow) -> const envoy::Cluster& {
    return scenario_->services[flows_->at(flow).service.value].cluster;
  };
  const auto flows = flows_->of_client(index);
  // Clusters below an aggregate may belong to other flows too.
  const bool any_aggregate = std::any_of(flows.begin(), flows.end(),
                                         [&](FlowIndex flow) { return !cluster_of(flow).aggregate_clusters.empty(); });
  if (client.zone_proxy || client.concurrency > most_workers || any_aggregate) {
    return {};
  }
  const envoy::Cluster& cluster = cluster_of(demand.flow);
  const config::RetryPolicy* const policy =
      demand.route != nullptr && demand.route->retry_policy ? &*demand.route->retry_policy : nullptr;
  if (demand.original_dst || demand.override_hosts != nullptr ||
      !scenario_->services[flows_->at(demand.flow).service.value].other_places.empty() ||
      traffic_->dropped(demand.flow) > 0.0 || ClusterWatch::reads_load_reports(cluster) != nullptr ||
      !ends_with_ok(cluster, policy)) {
    return {};
  }
  ShortWay way{
      .demand = &demand,
      .first_proxy = fleet_->first_proxy(demand.flow),
      .keeps = policy != nullptr && !policy->retry_on.empty(),
      .forwarded = book_->targets(demand.flow).forwarded(),
      .watches_local = cluster.outlier_detection && cluster.outlier_detection->split_external_local_origin_errors,
      .by_session = demand.keeps_session || demand.brought,
      .is_awaited = client.workload.users > 0};
  Journey journey;
  give_deadline(journey, {.demand = &demand}, cluster);
  way.patience = journey.deadline;
  way.late = journey.late;
  return way;
}

void RequestSimulator::arrive_shortly(const ShortWay& way, std::uint32_t client, Nanoseconds now, const Soon* known) {
  const FlowIndex flow = way.demand->flow;
  Try first{.demand = way.demand,
            .proxy = way.first_proxy + client,
            .epoch = book_->epoch(flow),
            .sent_at = now,
            .now = now,
            .known = known};
  engine::EpochRecord& record = book_->record(flow);
  ++record.sent;
  Proxy& proxy = fleet_->proxy(first.proxy);
  ++proxy.sent_in_state;
  first.worker = proxy.next_worker();
  std::optional<envoy::Pick> pick = known != nullptr ? choose_known(first) : std::nullopt;
  if (way.by_session) {
    pick = choose(first);
  } else if (!pick) {
    pick = choose_plainly(fleet_->worker(first.worker), {.active_requests = proxy.active_requests.view(),
                                                         .now = now,
                                                         .hash = way.demand->hash,
                                                         .request = way.demand->request,
                                                         .criteria = way.demand->criteria});
  }
  if (!pick) {
    Ending ending = ending_of(first, Outcome::no_healthy_upstream);
    ending.target = std::nullopt;
    finish(ending);
    return;
  }
  first.target = way.forwarded ? target_of(first, *pick) : pick->host.value;
  ++record.requests[engine::row_of(first.target, pick->availability)];
  send_shortly(way, first, *pick);
}

void RequestSimulator::send_shortly(const ShortWay& way, Try& attempt, const envoy::Pick& pick) {
  const std::uint32_t index = fleet_->first_cluster_of(attempt.proxy);
  ProxyCluster& cluster = fleet_->cluster(index);
  Proxy& proxy = fleet_->proxy(attempt.proxy);
  const std::uint32_t worker = attempt.worker - proxy.first_worker;
  health::CircuitBreaker& breaker = cluster.breakers[way.demand->routing_priority()];
  cluster.traffic = true;
  if (cluster.pool && !cluster.pool->take_free(worker, pick.host) &&
      cluster.pool->try_now(worker, pick.host, breaker) != ConnectionPool::Start::now) {
    open_sent(way, attempt);
    send(attempt, pick);
    return;
  }
  if (!breaker.can_create(Resource::requests)) {
    open_sent(way, attempt);
    start(attempt, pick);
    return;
  }
  breaker.increase(Resource::requests);
  if (cluster.turns_away) {
    fleet_->let_in(index, Resource::requests, attempt.now);
    fleet_->let_in(index, Resource::pending_requests, attempt.now);
  }
  const Target& target = book_->targets(way.demand->flow).at(attempt.target);
  Journey journey{.moment = {.sent_at = attempt.sent_at,
                             .proxy = attempt.proxy,
                             .epoch = attempt.epoch,
                             .target = attempt.target,
                             .node_outages = world_->outages(server_queues_.node_of(target.endpoint)),
                             .demand = way.demand->place,
                             .logged_event = LoggedEvent::connect_failure},
                  .late = way.late};
  journey.moment.routing_priority = way.demand->routing_priority() & 1U;
  journey.moment.worker = worker & (most_workers - 1);
  if (!proxy.active_requests.empty()) {
    journey.moment.active_slot = pick.host.value;
    proxy.active_requests.increase(pick.host.value);
  }
  const bool reached = reach(journey.moment, journey.way, target, attempt);
  if (way.patience != engine::Calendar::never) {
    journey.deadline = attempt.now + way.patience;
  }
  set_out(journey, target, reached, attempt);
  if (way.watches_local && cluster.watch && journey.moment.logged_event != LoggedEvent::connect_failure) {
    fleet_->connected(index, pick.host);
  }
}

// Opens a request that may be retried, as the general path does from the start.
void RequestSimulator::open_sent(const ShortWay& way, Try& attempt) {
  if (!way.keeps) {
    return;
  }
  attempt.open = open_request(attempt);
  OpenRequest& open = open_.at(attempt.open);
  open.tries = 1;
  open.target = attempt.target;
}

void RequestSimulator::open_sent(Moment& moment) {
  const ShortWay& way = short_ways_[moment.demand];
  if (way.demand == nullptr) {
    return;
  }
  Try first{.demand = way.demand,
            .proxy = moment.proxy,
            .worker = fleet_->proxy(moment.proxy).first_worker + moment.worker,
            .epoch = moment.epoch,
            .target = moment.target,
            .sent_at = moment.sent_at,
            .now = moment.at};
  open_sent(way, first);
  moment.open_request = first.open;
}

// Ends a first try without other state by a response 200. Returns false if it must take the general path.
bool RequestSimulator::ends_shortly(const Moment& moment) {
  if (moment.logged_event != LoggedEvent::answer || moment.status != ok || moment.open_request != OpenRequests::none) {
    return false;
  }
  if (const Near& near = near_[moment.proxy]; near.known && !world_->any_outage()) {
    book_->succeed(near.leader, moment.epoch, moment.at - moment.sent_at);
    end_near(near, {moment.proxy, moment.target, moment.worker}, moment.at);
    act_on_answer(moment, book_->targets(near.flow).at(moment.target));
    return true;
  }
  Proxy& proxy = fleet_->proxy(moment.proxy);
  if (short_ways_[moment.demand].demand == nullptr) {
    return false;
  }
  const Target& target = book_->targets(proxy.flow).at(moment.target);
  const config::HostIndex host = target.host;
  if (world_->outages(server_queues_.node_of(target.endpoint)) != moment.node_outages) {
    return false;
  }
  const std::uint32_t index = fleet_->first_cluster_of(moment.proxy);
  ProxyCluster& cluster = fleet_->cluster(index);
  health::CircuitBreaker& breaker = cluster.breakers[moment.routing_priority];
  breaker.decrease(Resource::requests);
  if (!proxy.active_requests.empty()) {
    proxy.active_requests.decrease(moment.active_slot);
  }
  if (cluster.watch) {
    cluster.watch->note_success(host);
  }
  book_->finish(proxy.flow, moment.epoch, Outcome::ok, moment.at - moment.sent_at);
  act_on_answer(moment, target);
  if (cluster.pool) {
    give_connection_back(index, moment.worker, host, false, breaker, moment.at);
  }
  return true;
}

// Does what clients do at a response 200, except counting.
inline void RequestSimulator::act_on_answer(const Moment& moment, const Target& target) {
  const ShortWay& way = short_ways_[moment.demand];
  if (way.by_session && way.demand->keeps_session) {
    remember(moment, target);
  }
  if (way.is_awaited) {
    users_.answered(flows_->at(way.demand->flow).client, moment.proxy - way.first_proxy, moment.at,
                    moment.at - moment.sent_at);
  }
}

}  // namespace spillway::run
