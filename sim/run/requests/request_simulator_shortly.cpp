// The fast path of requests: what happens to most of them in most scenarios, written out. The general functions do the
// same and take over in every other case. Results do not depend on the path.
#include <algorithm>
#include <bit>
#include <variant>

#include "models/config/outlier_detection.hpp"
#include "models/health/retry_state.hpp"
#include "sim/engine/prefetch.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/requests/plain/plain_scenario.hpp"
#include "sim/run/requests/request_simulator.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::run {

using engine::LoggedEvent;
using engine::Moment;
using health::Resource;
using scenario::Outcome;

namespace {

constexpr std::uint32_t ok = 200;

// True if connections are reported to the watch separately.
bool split_origins(const envoy::Cluster& cluster) {
  return cluster.outlier_detection && cluster.outlier_detection->split_external_local_origin_errors;
}

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

void RequestSimulator::find_plans() {
  const bool none = trips_ || trace_ || ask_for_checks(*scenario_) || traffic_->demands() > most_demands;
  for (std::uint32_t place = 0; place < traffic_->demands(); ++place) {
    plans_.push_back(plan_of(traffic_->demand(place), !none));
  }
  for (std::uint32_t proxy = 0; proxy < fleet_->proxies(); ++proxy) {
    near_.emplace_back();
  }
  const std::vector<const DemandPlan*> near_ways = find_near_ways();
  for (const FlowIndex flow : flows_->all()) {
    numbers_.emplace_back();
    near_hosts_.emplace_back();
    if (near_ways[flow.value] != nullptr && stays_near(flow)) {
      add_near(*near_ways[flow.value]);
      find_near_hosts(flow);
    }
  }
  for (DemandPlan& way : plans_) {
    if (way.opens_late && !split_origins(scenario_->services[flows_->at(way.demand->flow).service.value].cluster) &&
        !way.by_session) {
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
std::vector<const RequestSimulator::DemandPlan*> RequestSimulator::find_near_ways() const {
  std::vector<const DemandPlan*> ways(flows_->size(), nullptr);
  std::vector<bool> mixed(flows_->size(), false);
  for (std::uint32_t place = 0; place < plans_.size(); ++place) {
    const DemandPlan& way = plans_[place];
    const std::uint32_t flow = traffic_->demand(place).flow.value;
    if (!way.opens_late ||
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
void RequestSimulator::add_near(const DemandPlan& way) {
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

// True if a request needs no state before its first try has failed or has to wait.
bool RequestSimulator::may_open_late(const Demand& demand) const {
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
    return false;
  }
  const envoy::Cluster& cluster = cluster_of(demand.flow);
  const config::RetryPolicy* const policy =
      demand.route != nullptr && demand.route->retry_policy ? &*demand.route->retry_policy : nullptr;
  return !demand.original_dst && demand.override_hosts == nullptr &&
         scenario_->services[flows_->at(demand.flow).service.value].other_places.empty() &&
         traffic_->dropped(demand.flow) <= 0.0 && ClusterWatch::reads_load_reports(cluster) == nullptr &&
         ends_with_ok(cluster, policy);
}

RequestSimulator::DemandPlan RequestSimulator::plan_of(const Demand& demand, bool late) const {
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(demand.flow).client.value];
  DemandPlan plan{.demand = &demand,
                  .first_proxy = fleet_->first_proxy(demand.flow),
                  .opens_late = late && may_open_late(demand),
                  .keeps = retries(demand),
                  .by_session = demand.keeps_session || demand.brought,
                  .is_awaited = client.workload.users > 0};
  if (!plan.opens_late) {
    plan.keeps = plan.keeps || demand.override_hosts != nullptr ||
                 (fleet_->proxy(plan.first_proxy).workers > 1 && book_->targets(demand.flow).forwarded());
  }
  Journey journey;
  give_deadline(journey, {.demand = &demand}, scenario_->services[flows_->at(demand.flow).service.value].cluster);
  plan.patience = journey.deadline;
  plan.late = journey.late;
  return plan;
}

// Opens a request whose first try has been sent, or has to wait.
void RequestSimulator::open_sent(Try& attempt) {
  attempt.open = open_request(attempt);
  OpenRequest& open = open_.at(attempt.open);
  open.tries = 1;
  open.target = attempt.target;
}

void RequestSimulator::open_sent(Moment& moment) {
  const DemandPlan& plan = plans_[moment.demand];
  if (!plan.opens_late || !plan.keeps) {
    return;
  }
  Try first{.demand = plan.demand,
            .proxy = moment.proxy,
            .worker = fleet_->proxy(moment.proxy).first_worker + moment.worker,
            .epoch = moment.epoch,
            .target = moment.target,
            .sent_at = moment.sent_at,
            .now = moment.at};
  open_sent(first);
  moment.open_request = first.open;
}

// Ends a first try without other state by a response 200. Returns false if it must take the general path.
bool RequestSimulator::end_success(const Moment& moment) {
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
  if (!plans_[moment.demand].opens_late) {
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
  const DemandPlan& way = plans_[moment.demand];
  if (way.by_session && way.demand->keeps_session) {
    remember(moment, target);
  }
  if (way.is_awaited) {
    users_.answered(flows_->at(way.demand->flow).client, moment.proxy - way.first_proxy, moment.at,
                    moment.at - moment.sent_at);
  }
}

}  // namespace spillway::run
