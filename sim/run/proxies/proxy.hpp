// One client's proxy, cut in three: what it does for one service (Proxy), each of its workers' balancers of that
// (Worker), and what it knows of one cluster whoever is balanced over it (ProxyCluster): breakers, connections,
// ejections, checks.
//
// A proxy has as many workers as Envoy's --concurrency says. Each picks by a balancer of its own, with its own cursors,
// schedules and random numbers; whatever else there is they share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/envoy/load_balancer.hpp"
#include "models/health/circuit_breaker.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/proxies/connection_pool.hpp"
#include "sim/run/records/request_counts.hpp"
#include "sim/run/traffic/flows.hpp"

namespace spillway::run {

// The run begins with proxies that have been up for long: their balancers and checks have this time behind them.
inline constexpr std::chrono::nanoseconds long_before = -std::chrono::hours{24 * 365};

// Its first two cache lines are what a pick needs.
struct alignas(64) Worker {
  Worker(const Upstreams::State& first_state, const engine::RandomStream& stream)
      : draws(stream), balancer(first_state, draws, {.now = long_before, .settled = true}) {}

  engine::RandomStream draws;
  envoy::LoadBalancer balancer;
};

struct alignas(64) Proxy {
  Proxy(FlowIndex of, Upstreams::State first_state, const engine::RandomStream& stream)
      : flow(of), connections(stream), state(std::move(first_state)) {}

  // To whose worker the next request comes: any is as likely, for the kernel spreads connections over them, and each
  // request is taken for one. Of several, draws one.
  [[nodiscard]] std::uint32_t next_worker() noexcept { return workers == 1 ? first_worker : worker_by(connections()); }
  [[nodiscard]] std::uint32_t worker_by(std::uint64_t draw) const noexcept {
    // Most often there is a power of two of them, which needs no division.
    const bool power = (workers & (workers - 1)) == 0;
    return first_worker + static_cast<std::uint32_t>(power ? draw & (workers - 1) : draw % workers);
  }

  // What every request needs stands first, in one cache line.
  FlowIndex flow;
  std::uint32_t first_worker = 0;
  std::uint32_t workers = 1;
  std::uint64_t sent_in_state = 0;   // requests since the state or the epoch began
  engine::RandomStream connections;  // which worker they come to

  Upstreams::State state;         // what the balancers pick from now
  RequestCounts active_requests;  // as RequestContext numbers them; empty unless the policy looks at them
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
  // What every request needs stands first.
  std::unique_ptr<ConnectionPool> pool;  // where connections are limited
  std::unique_ptr<ClusterWatch> watch;   // where there is something to watch
  bool traffic = false;                  // a request has ever gone there
  bool turns_away = false;               // a breaker is open, as far as a log is kept
  health::CircuitBreaker breakers[2];    // by RoutingPriority
  Upstreams::State state;                // under flags of its own; null: as everybody's
};

}  // namespace spillway::run
