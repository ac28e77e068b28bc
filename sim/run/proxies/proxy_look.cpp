#include "sim/run/proxies/proxy_look.hpp"

#include <algorithm>
#include <set>

#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/proxies/proxy.hpp"
#include "sim/run/proxies/worker.hpp"
#include "sim/run/records/proxy_moment.hpp"

namespace spillway::run {
namespace {

constexpr std::size_t next_picks = 12;

// True if a pick depends on nothing that the request brings.
bool picks_alike(const envoy::ClusterState& state) {
  if (state.aggregate) {
    return std::all_of(state.children.begin(), state.children.end(),
                       [](const auto& child) { return child == nullptr || picks_alike(*child); });
  }
  return state.subsets == nullptr && state.fallback == nullptr && state.hash_tables.empty();
}

// Returns the next picks. Uses copies, so the worker's state does not change.
std::vector<envoy::Pick> picks_to_come(const Worker& worker, const envoy::RequestContext& context) {
  envoy::LoadBalancer balancer = worker.balancer;
  engine::RandomStream draws = worker.draws;
  std::vector<envoy::Pick> picks;
  while (picks.size() < next_picks) {
    const auto pick = balancer.choose(draws, context);
    if (!pick) {
      break;
    }
    picks.push_back(*pick);
  }
  return picks;
}

// Returns the number of hosts; of an aggregate those of all children.
std::size_t hosts_of(const envoy::ClusterState& state) {
  std::size_t hosts = state.hosts.hosts.size();
  for (std::size_t child = 0; child < state.children.size(); ++child) {
    if (state.children[child] != nullptr) {
      hosts = std::max(hosts, state.first_host_of_child[child] + state.children[child]->hosts.hosts.size());
    }
  }
  return hosts;
}

ProxyMoment::Balancer look_at(Fleet& fleet, std::uint32_t index, config::ServiceIndex service,
                              std::chrono::nanoseconds now) {
  const Proxy& proxy = fleet.proxy(index);
  ProxyMoment::Balancer balancer{.service = service, .state = proxy.state, .workers = proxy.workers};
  const envoy::ActiveRequests active = proxy.active_requests.view();
  if (!active.empty() && proxy.state != nullptr) {
    for (std::size_t host = 0; host < hosts_of(*proxy.state); ++host) {
      balancer.active_requests.push_back(active[host]);
    }
  }
  if (proxy.state != nullptr && picks_alike(*proxy.state)) {
    balancer.next =
        picks_to_come(fleet.worker(proxy.first_worker), {.active_requests = proxy.active_requests.view(), .now = now});
  }
  return balancer;
}

void add_breakers(const ProxyCluster& cluster, std::vector<ProxyMoment::Breaker>& into) {
  using health::Resource;
  for (const auto priority : {config::RoutingPriority::default_priority, config::RoutingPriority::high}) {
    const health::CircuitBreaker& breaker = cluster.breakers[static_cast<std::size_t>(priority)];
    for (const Resource resource :
         {Resource::connections, Resource::pending_requests, Resource::requests, Resource::retries}) {
      const std::uint64_t count = breaker.count(resource);
      const std::uint64_t limit = breaker.max(resource);
      if (count > 0 || limit == 0) {
        into.push_back({cluster.service, priority, resource, count, limit});
      }
    }
  }
}

}  // namespace

ProxyMoment look_at(Fleet& fleet, const Flows& flows, const Upstreams& upstreams, const ProxyLook& look) {
  ProxyMoment moment;
  std::set<std::uint32_t> clusters;
  for (const FlowIndex flow : flows.of_client(look.client)) {
    const std::uint32_t proxy = fleet.first_proxy(flow) + look.instance;
    moment.balancers.push_back(look_at(fleet, proxy, flows.at(flow).service, look.at));
    for (std::uint32_t member = 0; member < upstreams.members(flow).size(); ++member) {
      if (clusters.insert(fleet.cluster_of(proxy, member)).second) {
        add_breakers(fleet.cluster(fleet.cluster_of(proxy, member)), moment.breakers);
      }
    }
  }
  return moment;
}

}  // namespace spillway::run
