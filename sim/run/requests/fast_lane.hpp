// The fast lane: simulates requests that find nothing, over links that never change and with counters that are
// contiguous by host (lanes.hpp). It skips every check whose result is constant for the run.
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

#include <vector>

#include "sim/engine/departures.hpp"
#include "sim/engine/large_pages.hpp"
#include "sim/run/proxies/connection_pool.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/lanes.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

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
  [[nodiscard]] static engine::Moment moment_of(const ProxyLane& lane, const ServerQueues::Approaching& request);

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
