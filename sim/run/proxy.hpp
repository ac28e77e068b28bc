// One client's proxy, cut in two: its balancer of one service (Proxy), and what it knows of one cluster whoever is
// balanced over it (ProxyCluster): breakers, connections, ejections, checks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/envoy/load_balancer.hpp"
#include "models/health/circuit_breaker.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/run/cluster_watch.hpp"
#include "sim/run/connection_pool.hpp"
#include "sim/run/flows.hpp"
#include "sim/run/upstreams.hpp"

namespace spillway::run {

// The run begins with proxies that have been up for long: their balancers and checks have this time behind them.
inline constexpr std::chrono::nanoseconds long_before = -std::chrono::hours{24 * 365};

struct Proxy {
  Proxy(FlowIndex of, Upstreams::State first_state, engine::RandomStream stream)
      : flow(of), draws(stream), state(std::move(first_state)), balancer(state, draws, {.now = long_before}) {}

  FlowIndex flow;
  engine::RandomStream draws;
  Upstreams::State state;  // what the balancer picks from now
  envoy::LoadBalancer balancer;
  std::vector<std::uint32_t> active_requests;  // as RequestContext wants them; empty unless the policy looks at them
  std::uint64_t sent_in_state = 0;             // requests since the state or the epoch began
  // Of an aggregate cluster, by RoutingPriority: retries count there, requests in the children.
  std::vector<health::CircuitBreaker> own_breakers;
};

struct ProxyCluster {
  ProxyCluster(config::ClientEntryIndex client, config::ServiceIndex of, const config::CircuitBreakers& limits)
      : entry(client),
        service(of),
        breakers{health::CircuitBreaker(limits, config::RoutingPriority::default_priority),
                 health::CircuitBreaker(limits, config::RoutingPriority::high)} {}

  config::ClientEntryIndex entry;
  config::ServiceIndex service;
  health::CircuitBreaker breakers[2];    // by RoutingPriority
  std::unique_ptr<ConnectionPool> pool;  // where connections are limited
  std::unique_ptr<ClusterWatch> watch;   // where there is something to watch
  Upstreams::State state;                // under flags of its own; null: as everybody's
  bool traffic = false;                  // a request has ever gone there
};

}  // namespace spillway::run
