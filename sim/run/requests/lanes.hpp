// The state of the fast lane: what requests that find nothing read and change, contiguous by proxy and by host.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/config/strong.hpp"
#include "models/health/circuit_breaker.hpp"
#include "sim/run/requests/link_jitter.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/traffic/flows.hpp"

namespace spillway::run {

class ConnectionPool;  // connection_pool.hpp
struct Proxy;          // proxy.hpp
struct ProxyCluster;   // proxy.hpp

// The path from a client to a host, constant throughout the run, and what serves there.
struct alignas(64) LaneHost {
  ServerQueues::Foreseen foreseen = {};
  Nanoseconds latency{0};  // one way
  LinkJitter::OfLink jitter = {};
  config::EndpointIndex endpoint = {};
  bool known_at_once = false;  // the outcome, when the request is sent
  bool usual = false;          // responses there can stay in the lane
};

// Addresses of a proxy's state that requests in the fast lane change: one cache line instead of many. Closed if the
// addresses may change during the run, or if its requests take the slow path.
//
// The counters of a host are contiguous, so that a request touches one cache line per host. They are its requests in
// flight, the successes that outlier detection has not counted yet, and ConnectionPool's counters.
struct alignas(64) ProxyLane {
  static constexpr std::size_t active_number = 0;
  static constexpr std::size_t successes_number = 1;
  static constexpr std::size_t first_number_of_pool = 2;

  std::uint32_t* numbers = nullptr;  // of the first host; null if there are none
  ConnectionPool* pool = nullptr;
  health::CircuitBreaker* breaker = nullptr;
  ProxyCluster* cluster = nullptr;
  Proxy* proxy = nullptr;
  FlowIndex flow = {};
  FlowIndex leader = {};
  std::uint32_t entry = 0;
  std::uint32_t stride = 0;           // of `numbers`
  std::uint8_t routing_priority = 0;  // of all its requests
  bool counts_active = false;
  bool counts_successes = false;
  bool has_sent = false;
  bool is_awaited = false;  // as in DemandPlan, of any of them
  bool is_open = false;

  [[nodiscard, gnu::always_inline]] std::uint32_t* numbers_of(std::uint32_t host) const noexcept {
    return numbers + std::size_t{host} * stride;
  }
  [[nodiscard]] std::uint32_t active(std::uint32_t host) const noexcept {
    return counts_active ? numbers_of(host)[active_number] : 0;
  }
  // Returns the host with fewer requests in flight; the first if both have the same number.
  template <class Pair>
  [[nodiscard, gnu::always_inline]] config::HostIndex better_of(const Pair& pair) const noexcept {
    const config::HostIndex first = *pair.first;
    const config::HostIndex second = *pair.second;
    return active(second.value) < active(first.value) ? second : first;
  }
  // Counts the end of a request by a response 200, except at its pool.
  [[gnu::always_inline]] void end_success(std::uint32_t host) const noexcept {
    breaker->decrease(health::Resource::requests);
    if (numbers != nullptr) {
      std::uint32_t* const of_host = numbers_of(host);
      of_host[active_number] -= counts_active ? 1U : 0U;
      of_host[successes_number] += counts_successes ? 1U : 0U;
    }
  }
};

// A request whose response is already recorded and that only counts as in flight.
struct LeavingRequest {
  static constexpr std::uint32_t most_targets = 1U << 25U;  // that it has room for
  static constexpr std::uint32_t most_workers = 128;

  LeavingRequest() = default;
  LeavingRequest(std::uint32_t of_proxy, std::uint32_t of_target, std::uint32_t of_worker) noexcept
      : proxy(of_proxy), target(of_target & (most_targets - 1)), worker(of_worker & (most_workers - 1)) {}
  std::uint32_t proxy = 0;
  std::uint32_t target : 25 = 0;
  std::uint32_t worker : 7 = 0;
};

}  // namespace spillway::run
