// One client's proxy in three parts: its state for one service (Proxy), each worker's balancer for it (Worker), and its
// state of one cluster, shared by all flows (ProxyCluster): breakers, connections, ejections, checks.
//
// A proxy has as many workers as Envoy's --concurrency says. Each picks by a balancer of its own, with its own cursors,
// schedules and random numbers. They share everything else.
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

// The proxies have been up for long before the run begins: this long, for their balancers and checks.
inline constexpr std::chrono::nanoseconds long_before = -std::chrono::hours{24 * 365};

// A worker of a proxy. Its first two cache lines are what a pick needs.
struct alignas(64) Worker {
  Worker(const Upstreams::State& first_state, const engine::RandomStream& stream)
      : draws(stream), balancer(first_state, draws, {.now = long_before, .settled = true}) {}

  engine::RandomStream draws;
  envoy::LoadBalancer balancer;
};

struct alignas(64) Proxy {
  Proxy(FlowIndex of, Upstreams::State first_state, const engine::RandomStream& stream)
      : flow(of), connections(stream), state(std::move(first_state)) {}

  // Returns the worker of the next request. Each is equally likely, since the kernel spreads connections over workers
  // and each request counts as a connection of its own. Draws one if there are several.
  [[nodiscard]] std::uint32_t next_worker() noexcept { return workers == 1 ? first_worker : worker_by(connections()); }
  [[nodiscard]] std::uint32_t worker_by(std::uint64_t draw) const noexcept {
    // A power of two, the usual case, needs no division.
    const bool power = (workers & (workers - 1)) == 0;
    return first_worker + static_cast<std::uint32_t>(power ? draw & (workers - 1) : draw % workers);
  }

  // Fields that every request needs come first, in one cache line.
  FlowIndex flow;
  std::uint32_t first_worker = 0;
  std::uint32_t workers = 1;
  std::uint64_t sent_in_state = 0;   // requests since the state or the epoch began
  engine::RandomStream connections;  // the worker of each

  Upstreams::State state;         // the state that balancers use for the next pick
  RequestCounts active_requests;  // as RequestContext numbers them; empty unless the policy reads them
  // The breakers of an aggregate cluster, by RoutingPriority: its retries count here, its requests in the children.
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
  // Fields that every request needs come first.
  std::unique_ptr<ConnectionPool> pool;  // null unless connections are limited
  std::unique_ptr<ClusterWatch> watch;   // null unless there is something to watch
  bool traffic = false;                  // a request has ever gone there
  bool turns_away = false;               // a breaker is open; only set if there is a log
  health::CircuitBreaker breakers[2];    // by RoutingPriority
  Upstreams::State state;                // under its own flags; null if as for all proxies
};

}  // namespace spillway::run
