// One client's proxy in three parts: its state for one service (Proxy), each worker's balancer for it (Worker, in
// worker.hpp), and its state of one cluster, shared by all flows (ProxyCluster): breakers, connections, ejections,
// checks.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/health/circuit_breaker.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/run/forward.hpp"
#include "sim/run/proxies/connection_pool.hpp"
#include "sim/run/records/request_counts.hpp"
#include "sim/run/traffic/flows.hpp"

namespace spillway::run {

class ClusterWatch;  // cluster_watch.hpp

struct alignas(64) Proxy {
  Proxy(FlowIndex of, BalancingState first_state, const engine::RandomStream& stream)
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

  BalancingState state;           // the state that balancers use for the next pick
  RequestCounts active_requests;  // as RequestContext numbers them; empty unless the policy reads them
  // The breakers of an aggregate cluster, by RoutingPriority: its retries count here, its requests in the children.
  std::vector<health::CircuitBreaker> own_breakers;
};

struct ProxyCluster {
  ProxyCluster(config::ClientEntryIndex client, config::ServiceIndex of, const config::CircuitBreakers& limits);
  ~ProxyCluster();
  ProxyCluster(ProxyCluster&&) noexcept;

  config::ClientEntryIndex entry;
  config::ServiceIndex service;
  // Fields that every request needs come first.
  std::unique_ptr<ConnectionPool> pool;  // null unless connections are limited
  std::unique_ptr<ClusterWatch> watch;   // null unless there is something to watch
  bool traffic = false;                  // a request has ever gone there
  bool turns_away = false;               // a breaker is open; only set if there is a log
  health::CircuitBreaker breakers[2];    // by RoutingPriority
  BalancingState state;                  // under its own flags; null if as for all proxies
};

}  // namespace spillway::run
