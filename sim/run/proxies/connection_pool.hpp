// The connections from one proxy to a cluster's hosts, if circuit breakers limit connections or the pools that hold
// them. Over HTTP/1.1 a connection carries one request at a time; a request that finds none free waits for one to the
// same host. Over HTTP/2 one connection to each host carries all requests.
//
//   switch (pool.request(worker, host, slot, breaker)) { case Start::now: ...; case Start::waits: ...; }
//   if (auto next = pool.release(worker, host, broken, breaker)) { start the request in slot *next }
//
// Each of the proxy's workers (from 0) has connections of its own; the breaker's count of all of them is limited.
// Opening a connection takes no time. A free connection stays open, and counts. The breaker's counts of connections,
// pending requests and pools are kept here, its count of requests by the caller. A worker has a pool to a host as long
// as it has a connection to it.
// Source: docs/behaviour/envoy-host-pick.md 19; Envoy's conn_pool_base.cc and conn_pool_map_impl.h.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/forward.hpp"
#include "models/health/circuit_breaker.hpp"

namespace spillway::run {

class ConnectionPool {
 public:
  // `multiplexes`: HTTP/2.
  ConnectionPool(std::size_t hosts, std::size_t workers, bool multiplexes)
      : hosts_(hosts),
        stride_(numbers(workers)),
        multiplexes_(multiplexes),
        own_(hosts * stride_, 0),
        first_(own_.data()) {}

  // numbers() returns how many counters a host has. move_to() moves the counters of all hosts: from then on a host's
  // first counter is every `stride`th number from `first` on.
  [[nodiscard]] static std::size_t numbers(std::size_t workers) noexcept { return 1 + 2 * workers; }
  void move_to(std::uint32_t* first, std::size_t stride);

  // True if a cluster's breakers limit pools, or connections that carry one request at a time.
  [[nodiscard]] static bool needed(const envoy::Cluster& cluster) noexcept;

  [[nodiscard]] bool multiplexes() const noexcept { return multiplexes_; }

  // no_pool: no connection to this host can be opened, so that no healthy host is left (503).
  enum class Start : std::uint8_t { now, waits, overflow, no_pool };
  // `slot` identifies the request to the caller if it has to wait.
  Start request(std::uint32_t worker, config::HostIndex host, std::uint32_t slot, health::CircuitBreaker& breaker);

  // Does what request() does without queueing: a request that has to wait must then call request(). The second overload
  // uses the host's numbers, over HTTP/1.1.
  Start try_now(std::uint32_t worker, config::HostIndex host, health::CircuitBreaker& breaker) {
    return try_now(at(worker, host), streams(), breaker);
  }
  [[nodiscard, gnu::always_inline]] static Start try_now(std::uint32_t* numbers, std::uint32_t worker,
                                                         health::CircuitBreaker& breaker);

  // Ends a request, and with it its connection if `broken`. Returns the longest waiting request, if it gets a
  // connection now.
  [[nodiscard]] std::optional<std::uint32_t> release(std::uint32_t worker, config::HostIndex host, bool broken,
                                                     health::CircuitBreaker& breaker);

  // Prefetches the worker's counters of the host.
  void prefetch(std::uint32_t worker, config::HostIndex host) const noexcept {
    __builtin_prefetch(first_ + host.value * stride_ + 1 + 2 * std::size_t{worker}, 1);
  }

  // take_free() does what request() does if a connection is free; give_back() does what release() does if no request
  // waits. Both return false, having done nothing, if the other function has to be called.
  [[nodiscard]] bool take_free(std::uint32_t worker, config::HostIndex host) noexcept {
    const Host of = at(worker, host);
    const bool free = of.busy < of.open;
    of.busy += free ? 1 : 0;
    return free;
  }
  [[nodiscard]] bool give_back(std::uint32_t worker, config::HostIndex host) noexcept {
    if (!waiting_.empty()) {
      return false;
    }
    give_back(first_ + host.value * stride_, worker);
    return true;
  }
  // Gives a connection back, by the host's numbers. Precondition: no request waits.
  static void give_back(std::uint32_t* numbers, std::uint32_t worker) noexcept { --host_of(numbers, worker).busy; }

  // Ends the wait of a request that has timed out.
  void give_up(std::uint32_t worker, config::HostIndex host, std::uint32_t slot, health::CircuitBreaker& breaker);

 private:
  // Connection counters of a host: streams of one worker that are open and busy, and connections of all workers.
  struct Host {
    std::uint32_t& open;
    std::uint32_t& busy;
    std::uint32_t& of_all;
  };
  // Returns how many requests a connection carries at once.
  static constexpr std::uint32_t many_streams = 1U << 30U;
  [[nodiscard]] std::uint32_t streams() const noexcept { return multiplexes_ ? many_streams : 1; }
  // Takes a free connection, or opens one of `streams` streams; returns false if neither is possible.
  [[nodiscard, gnu::always_inline]] static bool take(const Host& host, std::uint32_t streams,
                                                     health::CircuitBreaker& breaker);
  [[nodiscard, gnu::always_inline]] static Start try_now(const Host& host, std::uint32_t streams,
                                                         health::CircuitBreaker& breaker);
  [[nodiscard]] static Host host_of(std::uint32_t* numbers, std::uint32_t worker) noexcept {
    return {numbers[1 + 2 * worker], numbers[2 + 2 * worker], numbers[0]};
  }
  [[nodiscard]] Host at(std::uint32_t worker, config::HostIndex host) noexcept {
    return host_of(first_ + host.value * stride_, worker);
  }
  [[nodiscard]] std::size_t place(std::uint32_t worker, config::HostIndex host) const noexcept {
    return worker * hosts_ + host.value;
  }

  std::size_t hosts_;
  std::size_t stride_;
  bool multiplexes_;
  std::vector<std::uint32_t> own_;  // first_ points here until move_to()
  std::uint32_t* first_;
  // By place(), only for connections that requests wait for: rarely any.
  std::map<std::size_t, std::deque<std::uint32_t>> waiting_;
};

// ---------------------------------------------------------------------------------------------------------------------

inline bool ConnectionPool::take(const Host& host, std::uint32_t streams, health::CircuitBreaker& breaker) {
  if (host.busy == host.open) {
    // A worker without a connection to this host may always open one.
    if (host.open > 0 && !breaker.can_connect(host.of_all)) {
      return false;
    }
    if (host.open == 0) {
      breaker.increase(health::Resource::connection_pools);
    }
    host.open += streams;
    ++host.of_all;
    breaker.increase(health::Resource::connections);
  }
  ++host.busy;
  return true;
}

inline ConnectionPool::Start ConnectionPool::try_now(std::uint32_t* numbers, std::uint32_t worker,
                                                     health::CircuitBreaker& breaker) {
  return try_now(host_of(numbers, worker), 1, breaker);
}

inline ConnectionPool::Start ConnectionPool::try_now(const Host& host, std::uint32_t streams,
                                                     health::CircuitBreaker& breaker) {
  if (host.busy < host.open) {
    ++host.busy;
    return Start::now;
  }
  if (host.open == 0 && !breaker.can_create(health::Resource::connection_pools)) {
    return Start::no_pool;
  }
  // A request that needs a new connection is pending for an instant, even if it opens at once.
  if (!breaker.can_create(health::Resource::pending_requests)) {
    return Start::overflow;
  }
  return take(host, streams, breaker) ? Start::now : Start::waits;
}

}  // namespace spillway::run
