// The slow path: simulates any request, with every check that can apply to it. Requests that find something leave the
// fast lane for it (fast_lane.hpp).
//
//   slow_path.arrive(plan, client, now, known);          // ends in the calendar, at a server, or the request is over
//   slow_path.simulate(calendar.pop());                  // events of requests
//   slow_path.end_run();
//
// A try is picked (slow_path_picks.cpp), gets a connection, is admitted by its circuit breaker, reaches its endpoint
// over its links (slow_path.cpp) and gets a response, which may lead to a retry (slow_path_answers.cpp). O(1) per try,
// plus its pick. Of requests whose plan opens late, state is kept only from the first failure or wait on.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/forward.hpp"
#include "models/envoy/pick.hpp"
#include "sim/run/records/cross_zone_book.hpp"
#include "sim/run/requests/forwarded_connections.hpp"
#include "sim/run/requests/link_jitter.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/requests/request_try.hpp"
#include "sim/run/traffic/request_trace.hpp"
#include "sim/run/traffic/sessions.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::health {
class CircuitBreaker;  // circuit_breaker.hpp
}  // namespace spillway::health

namespace spillway::run {

class FastLane;  // fast_lane.hpp
struct Journey;  // server_queues.hpp
struct Target;   // targets.hpp

class SlowPath {
 public:
  // Lifetime: both arguments must outlive this object.
  SlowPath(const RequestParts& parts, FastLane& fast_lane);

  // Simulates the arrival of a request. `known`: what was looked at ahead; else null.
  void arrive(const DemandPlan& plan, std::uint32_t client, Nanoseconds now, const ComingRequest* known);
  void simulate(const engine::CalendarEvent& moment);  // an event of a request
  void end_run();                                      // marks requests without an outcome as unfinished

  // Steps of a try, for requests that leave the fast lane. send(): a host is picked. set_out(): its proxy has admitted
  // it; `reached`: over all links; `failing`: how it fails, null if it does not. find_no_host(): ends the request.
  void send(Try& attempt, const envoy::Pick& pick);
  void set_out(Journey& journey, const Target& target, bool reached, const scenario::Failing* failing,
               const Try& attempt);
  void find_no_host(const Try& attempt, scenario::Outcome outcome);

  // Sets a function that is called with every request; may be empty.
  void set_trace(RequestTrace trace) { trace_ = std::move(trace); }
  [[nodiscard]] bool traces() const noexcept { return static_cast<bool>(trace_); }

  [[nodiscard]] const Sessions& sessions() const noexcept { return sessions_; }
  [[nodiscard]] std::uint64_t retries() const noexcept { return retries_; }

 private:
  // A request that is over. `target` is that of its last attempt; nullopt if no host was found for any attempt.
  struct Ending {
    std::uint32_t proxy = 0;
    std::uint32_t epoch = 0;
    std::uint32_t open = not_open;
    std::optional<std::uint32_t> target = {};
    scenario::Outcome outcome = scenario::Outcome::ok;
    Nanoseconds sent_at{0};
    Nanoseconds now{0};
    std::uint32_t session = 0;  // as in TracedRequest
  };

  // A request on its way to an endpoint.
  void begin(Try& first);
  [[nodiscard]] inline bool is_dropped(const Try& attempt);
  [[nodiscard]] std::uint32_t open_request(const Try& attempt);
  void open_sent(Try& attempt);
  void open_sent(engine::CalendarEvent& moment);
  void attempt(Try& attempt);
  [[nodiscard]] bool connect(Try& attempt, const envoy::Pick& pick, std::uint32_t cluster);
  void wait_for_connection(const Try& attempt, const envoy::Pick& pick);
  void start(const Try& attempt, const envoy::Pick& pick);
  [[gnu::always_inline]] inline void start_in(std::uint32_t cluster, const Try& attempt, const envoy::Pick& pick);
  [[nodiscard]] bool reach(engine::CalendarEvent& moment, RoundTrip& way, const Target& target, const Try& attempt);
  inline void give_deadline(Journey& journey, const Try& attempt, config::ServiceIndex service) const;

  // The host of a try, and the endpoint behind it (slow_path_forwarding.cpp).
  [[nodiscard]] inline std::optional<envoy::Pick> choose(const Try& attempt);
  [[nodiscard]] std::optional<envoy::Pick> choose_known(const Try& attempt);
  [[nodiscard]] std::optional<envoy::Pick> choose_again(const Try& attempt, envoy::RequestContext& context);
  [[nodiscard]] std::uint32_t target_of(const Try& attempt, const envoy::Pick& pick);
  [[nodiscard]] std::uint32_t target_behind(FlowIndex flow, const envoy::Pick& pick, Nanoseconds now);
  [[nodiscard]] std::uint32_t forward(const scenario::Host& zone_proxy, Nanoseconds now);

  // A response on its way back.
  void end_try(const engine::CalendarEvent& moment);
  [[nodiscard]] bool end_success(const engine::CalendarEvent& moment);
  void end_recorded(const engine::CalendarEvent& moment);
  inline void act_on_answer(const engine::CalendarEvent& moment, const Target& target);
  void remember(const engine::CalendarEvent& moment, const Target& target);
  void report(const engine::CalendarEvent& moment, config::EndpointIndex endpoint, config::HostIndex host,
              std::uint32_t cluster);
  void report_to_zone_proxies(const engine::CalendarEvent& moment, const Target& target);
  void blame(std::uint32_t cluster, config::HostIndex host, Nanoseconds now);
  [[nodiscard]] bool tries_again(const engine::CalendarEvent& moment);
  void try_again(const engine::CalendarEvent& moment);
  void give_up_waiting(const engine::CalendarEvent& moment);
  [[nodiscard]] std::uint32_t worker_of(const engine::CalendarEvent& moment);
  void give_connection_back(std::uint32_t cluster, std::uint32_t worker, config::HostIndex host, bool broken,
                            health::CircuitBreaker& breaker, Nanoseconds now);
  void count_lost(std::uint32_t proxy, std::uint32_t epoch, std::uint32_t open, std::uint32_t target,
                  CrossZoneBook::Lost lost);

  // Its end.
  [[nodiscard]] static Ending ending_of(const Try& attempt, scenario::Outcome outcome) noexcept;
  [[nodiscard]] Ending ending_of(const engine::CalendarEvent& moment, scenario::Outcome outcome) const noexcept;
  void find_no_pool(const Try& own, const envoy::Pick& pick);
  void finish(const Ending& ending);
  void trace(const Ending& ending) const;

  RequestParts parts_;
  FastLane* fast_lane_;
  Sessions sessions_;
  ForwardedConnections connections_;
  std::vector<RoundTrip> deviations_;              // of the request being sent, by hop
  std::vector<engine::CalendarEvent> unanswered_;  // tries that never end: no response and no timeout
  std::uint64_t retries_ = 0;
  std::uint32_t last_ticket_ = 0;  // of requests that wait for a connection
  RequestTrace trace_;
};

}  // namespace spillway::run
