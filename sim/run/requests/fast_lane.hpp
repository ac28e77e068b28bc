// The fast lane: simulates requests that find nothing, over links that never change and with counters that are
// contiguous by host. It skips every check whose result is constant for the run.
//
//   lane.open(plans);                                         // once, before the first request
//   if (lane.takes(plan, client)) { lane.arrive(plan, client, now, known); }
//   lane.leave_until(now);                                    // before an event at `now`
//
// A request that finds something (no host, a full breaker, no connection, a failing endpoint, a late response)
// continues on the slow path, with the same result as if it had been there from the start. A request in the lane is
// recorded as soon as its server has served it. After that it only counts as in flight.
//
// O(1) per request; allocates only while more requests are in flight than ever before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/config/strong.hpp"
#include "models/health/circuit_breaker.hpp"
#include "sim/engine/departures.hpp"
#include "sim/engine/large_pages.hpp"
#include "sim/run/proxies/connection_pool.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/link_jitter.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

class ConnectionPool;  // connection_pool.hpp
struct Proxy;          // proxy.hpp
struct ProxyCluster;   // proxy.hpp

// The state of the fast lane is what requests that find nothing read and change, contiguous by proxy and by host.

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

class SlowPath;        // slow_path.hpp
struct ComingRequest;  // coming_request.hpp
struct Try;            // request_try.hpp

class FastLane {
 public:
  // Lifetime: both arguments must outlive this object.
  FastLane(const RequestParts& parts, SlowPath& slow_path) : parts_(parts), slow_path_(&slow_path) {}

  // Moves the counters of all flows whose requests can take the lane, and enters their hosts in `plans`.
  // O(proxies x hosts).
  void open(std::vector<DemandPlan>& plans);

  [[nodiscard, gnu::always_inline]] const ProxyLane& of(std::uint32_t proxy) const noexcept { return lanes_[proxy]; }
  // True if all proxies have a lane.
  [[nodiscard]] bool takes_all() const noexcept;

  // True if the lane takes the request now. SimGrid may turn off nodes that the scenario does not mention.
  [[nodiscard, gnu::always_inline]] bool takes(const DemandPlan& plan, std::uint32_t client) const noexcept {
    return plan.lane != nullptr && !parts_.world.any_outage() && lanes_[plan.first_proxy + client].is_open;
  }
  // Simulates the arrival of a request that the lane takes. `known`: what was looked at ahead; else null.
  void arrive(const DemandPlan& plan, std::uint32_t client, Nanoseconds now, const ComingRequest* known);
  // Lets a request of the lane reach its server.
  [[gnu::always_inline]] void reach(const ServerQueues::Approaching& request);
  // Ends the requests that are over by now, in any order: none affects another.
  [[gnu::always_inline]] void leave_until(Nanoseconds now);
  // Ends a request of an open lane by a response 200 that is already recorded.
  [[gnu::always_inline]] static void end(const ProxyLane& lane, std::uint32_t target, std::uint32_t worker);

  // Closes the lane of a proxy with a request that waits for a connection: from now on it matters when connections
  // become free.
  void close(std::uint32_t proxy);

 private:
  void add_lanes(const DemandPlan& plan);
  [[nodiscard]] std::vector<const DemandPlan*> candidates(const std::vector<DemandPlan>& plans) const;
  [[nodiscard]] bool members_stay(FlowIndex flow) const;
  void find_hosts(FlowIndex flow);

  [[gnu::always_inline]] inline void send(const DemandPlan& plan, const Try& attempt, const ProxyLane& lane);
  void send_slowly(const DemandPlan& plan, const Try& attempt, const ProxyLane& lane, const RoundTrip& links,
                   const scenario::Failing* failing);
  [[nodiscard]] bool breaks_off(const ProxyLane& lane, const ServerQueues::Approaching& request);
  [[gnu::always_inline]] void take_answer(const ProxyLane& lane, const ServerQueues::Approaching& request,
                                          Nanoseconds served);
  void take_bad_answer(const ProxyLane& lane, const ServerQueues::Approaching& request, Nanoseconds served);
  [[nodiscard]] static engine::CalendarEvent moment_of(const ProxyLane& lane, const ServerQueues::Approaching& request);

  RequestParts parts_;
  SlowPath* slow_path_;
  std::vector<ProxyLane> lanes_;  // by proxy
  std::vector<std::vector<std::uint32_t, engine::LargePages<std::uint32_t>>>
      numbers_;                               // by flow; lanes_ points into it
  std::vector<std::vector<LaneHost>> hosts_;  // by flow; plans point into it
  engine::Departures<LeavingRequest> leaving_;
};

// ---------------------------------------------------------------------------------------------------------------------

inline void FastLane::end(const ProxyLane& lane, std::uint32_t target, std::uint32_t worker) {
  lane.end_success(target);
  if (lane.pool != nullptr) {
    ConnectionPool::give_back(lane.numbers_of(target) + ProxyLane::first_number_of_pool, worker);
  }
}

inline void FastLane::leave_until(Nanoseconds now) {
  leaving_.end_until(
      now, [this](const LeavingRequest& over) { end(lanes_[over.proxy], over.target, over.worker); },
      [this](const LeavingRequest& soon) {
        const ProxyLane& lane = lanes_[soon.proxy];
        __builtin_prefetch(lane.breaker, 1);
        if (lane.numbers != nullptr) {
          __builtin_prefetch(lane.numbers_of(soon.target), 1);
        }
      });
}

// Handles what a server has done with the request.
inline void FastLane::take_answer(const ProxyLane& lane, const ServerQueues::Approaching& request, Nanoseconds served) {
  const Nanoseconds patience = parts_.plans[request.demand].patience;
  const Nanoseconds latency = served - request.sent_at + Nanoseconds{request.back};
  if (served == engine::FifoServer::full || latency > patience || !lane.is_open || lane.is_awaited) [[unlikely]] {
    take_bad_answer(lane, request, served);
    return;
  }
  parts_.book.succeed(lane.leader, request.epoch, latency);
  leaving_.push(request.sent_at + latency, {request.proxy, request.target, request.worker});
}

inline void FastLane::reach(const ServerQueues::Approaching& request) {
  const ProxyLane& lane = lanes_[request.proxy];
  if (parts_.world.any_outage() && breaks_off(lane, request)) [[unlikely]] {
    return;
  }
  take_answer(lane, request, parts_.plans[request.demand].lane[request.target].foreseen.served(request.at));
}

}  // namespace spillway::run
