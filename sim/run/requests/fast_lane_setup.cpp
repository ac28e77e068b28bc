// Finds the flows whose requests can take the fast lane, and makes their counters contiguous.
#include <algorithm>
#include <bit>
#include <variant>

#include "models/config/outlier_detection.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/requests/fast_lane.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

namespace {

template <class... Effects>
bool any_change(const scenario::Scenario& scenario) {
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), [](const scenario::Change& change) {
    return (std::holds_alternative<Effects>(change.effect) || ...);
  });
}

// True if connections are reported to the watch separately.
bool splits_origins(const envoy::Cluster& cluster) {
  return cluster.outlier_detection && cluster.outlier_detection->split_external_local_origin_errors;
}

}  // namespace

void FastLane::open(std::vector<DemandPlan>& plans) {
  lanes_.resize(parts_.fleet.proxies());
  numbers_.resize(parts_.flows.size());
  hosts_.resize(parts_.flows.size());
  const std::vector<const DemandPlan*> candidates_by_flow = candidates(plans);
  for (const FlowIndex flow : parts_.flows.all()) {
    const DemandPlan* const plan = candidates_by_flow[flow.value];
    if (plan != nullptr && members_stay(flow)) {
      add_lanes(*plan);
      find_hosts(flow);
    }
  }
  for (DemandPlan& plan : plans) {
    const FlowIndex flow = plan.demand->flow;
    const envoy::Cluster& cluster = parts_.scenario.services[parts_.flows.at(flow).service.value].cluster;
    if (plan.opens_late && !splits_origins(cluster) && !plan.by_session) {
      std::vector<LaneHost>& hosts = hosts_[flow.value];
      plan.lane = hosts.empty() ? nullptr : hosts.data();
    }
  }
}

bool FastLane::takes_all() const noexcept {
  return std::all_of(lanes_.begin(), lanes_.end(), [](const ProxyLane& lane) { return lane.is_open; });
}

// Returns by flow one of its requests, if all may open late and have the same priority; else null.
std::vector<const DemandPlan*> FastLane::candidates(const std::vector<DemandPlan>& plans) const {
  std::vector<const DemandPlan*> of_flows(parts_.flows.size(), nullptr);
  std::vector<bool> mixed(parts_.flows.size(), false);
  for (const DemandPlan& plan : plans) {
    const std::uint32_t flow = plan.demand->flow.value;
    if (!plan.opens_late ||
        (of_flows[flow] != nullptr && of_flows[flow]->demand->routing_priority() != plan.demand->routing_priority())) {
      mixed[flow] = true;
    } else {
      of_flows[flow] = &plan;
    }
  }
  for (std::uint32_t flow = 0; flow < of_flows.size(); ++flow) {
    of_flows[flow] = mixed[flow] ? nullptr : of_flows[flow];
  }
  return of_flows;
}

// True if hosts are always members, and no response breaks off with its node.
bool FastLane::members_stay(FlowIndex flow) const {
  return !any_change<scenario::NodeOutage, scenario::EdsMembership, scenario::EdsPriority>(parts_.scenario) &&
         !parts_.book.targets(flow).forwarded() &&
         parts_.scenario.services[parts_.flows.at(flow).service.value].absent_at_start.empty() &&
         parts_.book.targets(flow).size() <= LeavingRequest::most_targets;
}

// Moves the per-host counters of the flow's proxies into contiguous memory.
void FastLane::add_lanes(const DemandPlan& plan) {
  const FlowIndex flow = plan.demand->flow;
  const config::ClientEntryIndex entry = parts_.flows.at(flow).client;
  const scenario::ClientEntry& clients = parts_.scenario.clients[entry.value];
  const std::uint32_t first = parts_.fleet.first_proxy(flow);
  const ProxyCluster& like = parts_.fleet.cluster(parts_.fleet.first_cluster_of(first));
  const RequestCounts& counts = parts_.fleet.proxy(first).active_requests;
  const bool counts_active = counts.dense() != nullptr;
  const bool counts_successes = like.watch && like.watch->detector() != nullptr;
  const std::size_t hosts = parts_.book.targets(flow).size();
  if ((!counts_active && !counts.empty()) || hosts * clients.count > RequestCounts::most_dense ||
      (like.pool && like.pool->multiplexes())) {
    return;
  }
  std::size_t needed = ProxyLane::first_number_of_pool;
  needed += like.pool ? ConnectionPool::numbers(clients.concurrency) : 0;
  // A host's numbers begin a cache line, or lie within one.
  constexpr std::size_t line = 64 / sizeof(std::uint32_t);
  const std::size_t stride = needed < line ? std::bit_ceil(needed) : (needed + line - 1) / line * line;
  const bool any = counts_active || counts_successes || like.pool;
  auto& numbers = numbers_[flow.value];
  numbers.resize(any ? hosts * clients.count * stride : 0);
  for (std::uint32_t client = 0; client < clients.count; ++client) {
    Proxy& proxy = parts_.fleet.proxy(first + client);
    ProxyCluster& cluster = parts_.fleet.cluster(parts_.fleet.first_cluster_of(first + client));
    std::uint32_t* const own = any ? numbers.data() + hosts * client * stride : nullptr;
    if (counts_active) {
      proxy.active_requests.move_to(own + ProxyLane::active_number, stride);
    }
    if (counts_successes) {
      cluster.watch->take_successes_from(own + ProxyLane::successes_number, stride);
    }
    if (cluster.pool) {
      cluster.pool->move_to(own + ProxyLane::first_number_of_pool, stride);
    }
    lanes_[first + client] = {.numbers = own,
                              .pool = cluster.pool.get(),
                              .breaker = &cluster.breakers[plan.demand->routing_priority()],
                              .cluster = &cluster,
                              .proxy = &proxy,
                              .flow = flow,
                              .leader = parts_.flows.leader(flow),
                              .entry = entry.value,
                              .stride = static_cast<std::uint32_t>(stride),
                              .routing_priority = plan.demand->routing_priority(),
                              .counts_active = counts_active,
                              .counts_successes = counts_successes,
                              .is_awaited = plan.is_awaited,
                              .is_open = true};
  }
}

// Finds the hosts of a flow with lanes, over links that never change.
void FastLane::find_hosts(FlowIndex flow) {
  if (any_change<scenario::LinkChange, scenario::Slow, scenario::Existence>(parts_.scenario) ||
      !lanes_[parts_.fleet.first_proxy(flow)].is_open) {
    return;
  }
  std::vector<LaneHost>& hosts = hosts_[flow.value];
  ServerQueues& server_queues = parts_.server_queues;
  const Targets& targets = parts_.book.targets(flow);
  const config::NodeIndex client = parts_.scenario.clients[parts_.flows.at(flow).client.value].node;
  for (std::uint32_t host = 0; host < targets.size(); ++host) {
    const config::EndpointIndex endpoint = targets.at(host).endpoint;
    const config::NodeIndex node = server_queues.node_of(endpoint);
    const Nanoseconds latency = parts_.world.latency(client, node);
    const LinkJitter::OfLink jitter = parts_.jitter.of(client, node);
    const bool known_at_once =
        server_queues.knows_at_once(endpoint, jitter.jitter == Nanoseconds{0} ? latency : Nanoseconds::max());
    const bool usual = parts_.truth.exists(endpoint) && (known_at_once || server_queues.stand_apart());
    hosts.push_back({.foreseen = usual ? server_queues.foreseen(endpoint) : ServerQueues::Foreseen{},
                     .latency = latency,
                     .jitter = jitter,
                     .endpoint = endpoint,
                     .known_at_once = known_at_once,
                     .usual = usual});
  }
}

}  // namespace spillway::run
