// The HTTP/1.1 connections that one proxy has to a cluster's hosts, where circuit breakers limit them: one request a
// connection at a time, and who finds none free waits for one to the same host.
//
//   switch (pool.request(worker, host, slot, breaker)) { case Start::now: ...; case Start::waits: ...; }
//   if (auto next = pool.release(worker, host, broken, breaker)) { start the request in slot *next }
//
// Each of the proxy's workers (from 0) has connections of its own; what limits them is the breaker's count of all.
// Opening a connection takes no time. A connection that is free stays open, and counts. The breaker's counts of
// connections and pending requests are kept here, those of requests by the caller.
// Source: docs/behaviour/envoy-host-pick.md 19; Envoy's conn_pool_base.cc.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "models/health/circuit_breaker.hpp"

namespace spillway::run {

class ConnectionPool {
 public:
  ConnectionPool(std::size_t hosts, std::size_t workers) : hosts_(hosts * workers), open_(hosts, 0) {}

  // Whether a cluster's breakers say anything of connections.
  [[nodiscard]] static bool needed(const config::CircuitBreakers& limits) noexcept;

  enum class Start : std::uint8_t { now, waits, overflow };
  // `slot` is what the caller knows the request by if it has to wait.
  Start request(std::uint32_t worker, config::HostIndex host, std::uint32_t slot, health::CircuitBreaker& breaker);

  // request() that queues nobody: who has to wait has to ask again there.
  Start try_now(std::uint32_t worker, config::HostIndex host, health::CircuitBreaker& breaker);

  // A request is over; `broken`: its connection with it. The request that waited longest and gets a connection now.
  [[nodiscard]] std::optional<std::uint32_t> release(std::uint32_t worker, config::HostIndex host, bool broken,
                                                     health::CircuitBreaker& breaker);

  // What the processor will need of the host is on its way.
  void prefetch(std::uint32_t worker, config::HostIndex host) const noexcept {
    __builtin_prefetch(hosts_.data() + place(worker, host), 1);
    __builtin_prefetch(open_.data() + host.value, 1);
  }

  // request() that takes a connection that is free; and release() of one that nobody waits for. False: they have to be
  // asked, and nothing has happened.
  [[nodiscard]] bool take_free(std::uint32_t worker, config::HostIndex host) noexcept {
    Host& of = hosts_[place(worker, host)];
    const bool free = of.busy < of.open;
    of.busy += free ? 1 : 0;
    return free;
  }
  [[nodiscard]] bool give_back(std::uint32_t worker, config::HostIndex host) noexcept {
    if (!waiting_.empty()) {
      return false;
    }
    --hosts_[place(worker, host)].busy;
    return true;
  }

  // Where what every request needs stands, by worker and host.
  [[nodiscard]] const void* at(std::uint32_t worker, std::uint32_t host) const noexcept {
    return hosts_.data() + place(worker, config::HostIndex{host});
  }

  // A request that waits has no more time.
  void give_up(std::uint32_t worker, config::HostIndex host, std::uint32_t slot, health::CircuitBreaker& breaker);

 private:
  struct Host {
    std::uint32_t open = 0;
    std::uint32_t busy = 0;
  };
  // Takes a connection, a free one or a new one; false if there is none to be had.
  bool take(Host& host, config::HostIndex index, health::CircuitBreaker& breaker);
  [[nodiscard]] std::size_t place(std::uint32_t worker, config::HostIndex host) const noexcept {
    return worker * open_.size() + host.value;
  }

  std::vector<Host> hosts_;          // by worker and host
  std::vector<std::uint32_t> open_;  // by host, of all workers
  // By the same place, of those that any request waits for: hardly ever one.
  std::map<std::size_t, std::deque<std::uint32_t>> waiting_;
};

}  // namespace spillway::run
