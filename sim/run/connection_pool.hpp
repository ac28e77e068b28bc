// The HTTP/1.1 connections that one proxy has to a cluster's hosts, where circuit breakers limit them: one request a
// connection at a time, and who finds none free waits for one to the same host.
//
//   switch (pool.request(host, slot, breaker)) { case Start::now: ...; case Start::waits: ...; case Start::overflow:
//   ... } if (auto next = pool.release(host, broken, breaker)) { start the request in slot *next }
//
// Opening a connection takes no time. A connection that is free stays open, and counts. The breaker's counts of
// connections and pending requests are kept here, those of requests by the caller.
// Source: docs/behaviour/envoy-host-pick.md 19; Envoy's conn_pool_base.cc.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "models/health/circuit_breaker.hpp"

namespace spillway::run {

class ConnectionPool {
 public:
  explicit ConnectionPool(std::size_t hosts) : hosts_(hosts) {}

  // Whether a cluster's breakers say anything of connections.
  [[nodiscard]] static bool needed(const config::CircuitBreakers& limits) noexcept;

  enum class Start : std::uint8_t { now, waits, overflow };
  // `slot` is what the caller knows the request by if it has to wait.
  Start request(config::HostIndex host, std::uint32_t slot, health::CircuitBreaker& breaker);

  // A request is over; `broken`: its connection with it. The request that waited longest and gets a connection now.
  [[nodiscard]] std::optional<std::uint32_t> release(config::HostIndex host, bool broken,
                                                     health::CircuitBreaker& breaker);

  // A request that waits has no more time.
  void give_up(config::HostIndex host, std::uint32_t slot, health::CircuitBreaker& breaker);

 private:
  struct Host {
    std::uint32_t open = 0;
    std::uint32_t busy = 0;
    std::deque<std::uint32_t> waiting = {};
  };
  // Takes a connection, a free one or a new one; false if there is none to be had.
  static bool take(Host& host, health::CircuitBreaker& breaker);

  std::vector<Host> hosts_;
};

}  // namespace spillway::run
