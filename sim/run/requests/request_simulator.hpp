// Simulates all requests in one event calendar: arrival, pick, queueing, response, retry.
//
//   RequestSimulator simulator(scenario, seed, flows, traffic, fleet, truth, world, book);
//   while (simulator.simulate(agenda, 65'536)) { report(simulator.next_time()); }
//
// A request queues for a core of its endpoint, if it has a limited number of cores, and occupies it for its service
// time. Its latency is the link's in both directions, the wait and the service time, including those of its retries and
// their back-off.
// A node that is off, or an endpoint that does not exist, refuses (connect_failure) after a round trip; a link that is
// off refuses at once. A node that goes off while it serves breaks the connection. A request ends after its route's
// timeouts, without a route after Envoy's 15 s.
// Requests under way at the end of the run are simulated to their end, retries included. A request without a timeout
// that nothing can end any more is unfinished.
// At equal nanoseconds, responses come before arrivals. Arrivals come in the order of the client entries; those of
// users who wait for responses come last.
//
// The World is queried at every request for the state of nodes and the latency of links.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/departures.hpp"
#include "sim/engine/upcoming_arrivals.hpp"
#include "sim/run/event.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/cross_zone_book.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/forwarded_connections.hpp"
#include "sim/run/requests/link_jitter.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/trips.hpp"
#include "sim/run/traffic/request_trace.hpp"
#include "sim/run/traffic/sessions.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/run/traffic/users.hpp"
#include "sim/world/world.hpp"

namespace spillway::world {
class Activities;  // activities.hpp
class World;       // world.hpp
}  // namespace spillway::world

namespace spillway::run {

class EpochBook;  // epoch_book.hpp
class Truth;      // truth.hpp

class RequestSimulator {
 public:
  // All must outlive this. With `activities`, SimGrid simulates what happens between a request's pick and its response.
  RequestSimulator(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows, const Traffic& traffic,
                   Fleet& fleet, Truth& truth, const world::World& world, EpochBook& book,
                   world::Activities* activities = nullptr);

  // Returns the time of the next arrival or response; Calendar::never once no arrival is left before the scenario ends
  // and every response has arrived.
  [[nodiscard]] Nanoseconds next_time() { return std::min(next_moment(), next_arrival()); }

  // Simulates events strictly before the agenda's next time. If that is not before the end of the scenario, simulates
  // up to the last response. Stops after at most `most` events and then returns true; else false. May put entries on
  // the agenda, not earlier than the event that caused them.
  bool simulate(const Agenda<Event>& agenda, std::uint64_t most);
  // Simulates only the next arrival or response, if it comes strictly before `limit`; else returns false.
  bool simulate_before(Nanoseconds limit);

  // Marks requests without an outcome as unfinished. Precondition: next_time() is never.
  void end_run();

  // Begins a phase of a workload.
  void set_rate(const scenario::RateChange& change, Nanoseconds now);
  // Makes endpoints slower or faster.
  void set(const scenario::Slow& change, Nanoseconds now);
  // Breaks off everything on a node that has gone off.
  void lose(config::NodeIndex node, Nanoseconds now) { server_queues_.lose(node, now); }

  // Sets a function that is called with every request; may be empty.
  void set_trace(RequestTrace trace) { trace_ = std::move(trace); }

  // Parts that PlainSimulator takes over.
  [[nodiscard]] ServerQueues& server_queues() noexcept { return server_queues_; }
  [[nodiscard]] std::vector<engine::Arrivals*> arrivals();
  [[nodiscard]] std::vector<engine::RandomStream*> kinds();
  [[nodiscard]] Users& users() noexcept { return users_; }

  [[nodiscard]] const Sessions& sessions() const noexcept { return sessions_; }
  [[nodiscard]] std::uint64_t simulated() const noexcept { return simulated_; }

  // True if a request waits for a response that is still in SimGrid and not in the calendar.
  [[nodiscard]] bool waits_for_trips() const noexcept { return trips_ && trips_->any(); }

  // Returns a sum over all used random streams of entity, purpose and next draws. It differs if two runs drew
  // differently anywhere. The fingerprint of independent groups of clients is the sum of theirs.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  struct Entry {
    engine::Arrivals arrivals;
    engine::RandomStream kinds;           // of requests, and of weighted clusters
    engine::RandomStream retries;         // back-off
    engine::RandomStream links;           // their jitter
    const Demand* only_demand = nullptr;  // of all requests; null if there are several
    // The state of `kinds` for the requests looked at ahead, if it was computed in this stretch.
    engine::RandomStream kinds_to_come = kinds;
    std::uint64_t stretch = 0;
  };

  // The path from a client to a host if it is constant throughout the run, and what serves there.
  struct alignas(64) NearHost {
    ServerQueues::Foreseen foreseen = {};
    Nanoseconds latency{0};  // one way
    LinkJitter::OfLink jitter = {};
    config::EndpointIndex endpoint = {};
    bool known_at_once = false;  // the outcome, when the request is sent
    bool usual = false;          // responses there can take the fast path
  };

  static constexpr std::uint32_t most_workers = 128;        // that a Moment has room for
  static constexpr std::uint32_t most_demands = 1U << 24U;  // that ServerQueues::Approaching has room for
  static constexpr std::uint32_t most_targets = 1U << 25U;  // that a Leaving has room for

  // A future request with what is known of it in advance.
  struct alignas(128) Soon {
    using Pair = envoy::LoadBalancer::Pair<engine::RandomStream>;
    std::uint64_t number = 0;  // of the arrival; another number if nothing is known
    const Demand* demand = nullptr;
    const NearHost* hosts = nullptr;  // as in its DemandPlan
    std::uint32_t proxy = 0;
    std::uint32_t worker = 0;
    // Valid if, when the request comes, the worker has made no more draws and its balancer's update count is `updates`.
    std::optional<Pair> pair = {};
    std::uint64_t updates = 0;
    std::uint32_t likely = 0;  // the host that a pick now would choose, and so the probable one
  };

  // What is known for the whole run of the requests of one Demand.
  struct DemandPlan {
    const Demand* demand = nullptr;
    std::uint32_t first_proxy = 0;
    // State between tries is opened only when a first try fails or has to wait, and a response 200 ends the request
    // without a report (end_success). Otherwise it is opened on arrival.
    bool opens_late = false;
    // The time after which the first try is given up, and the event then; never if there is no limit.
    Nanoseconds patience = engine::Calendar::never;
    engine::LoggedEvent late = engine::LoggedEvent::timeout;
    bool keeps = false;       // state is kept between tries
    bool by_session = false;  // hosts may be named by a session
    bool is_awaited = false;  // the response time decides what its client does next
    // By host, if links are constant and per-host counters contiguous; null otherwise.
    NearHost* hosts = nullptr;
  };

  // Addresses of a proxy's state that requests on the fast path change: one cache line instead of many. Unknown if the
  // addresses may change during the run, or if its requests take the general path.
  //
  // The counters of a host are contiguous, so that a request touches one cache line per host. They are its requests in
  // flight, the successes that outlier detection has not counted yet, and ConnectionPool's counters.
  struct alignas(64) Near {
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
    bool known = false;

    [[nodiscard, gnu::always_inline]] std::uint32_t* numbers_of(std::uint32_t host) const noexcept {
      return numbers + std::size_t{host} * stride;
    }
    [[nodiscard]] std::uint32_t active(std::uint32_t host) const noexcept {
      return counts_active ? numbers_of(host)[active_number] : 0;
    }
  };
  static constexpr std::size_t active_number = 0;
  static constexpr std::size_t successes_number = 1;
  static constexpr std::size_t first_number_of_pool = 2;
  // A request whose response is already recorded and that only counts as in flight.
  struct Leaving {
    Leaving() = default;
    Leaving(std::uint32_t of_proxy, std::uint32_t of_target, std::uint32_t of_worker) noexcept
        : proxy(of_proxy), target(of_target & (most_targets - 1)), worker(of_worker & (most_workers - 1)) {}
    std::uint32_t proxy = 0;
    std::uint32_t target : 25 = 0;
    std::uint32_t worker : 7 = 0;
  };

  // One try of a request; `open` is set if state is kept between tries.
  struct Try {
    const Demand* demand = nullptr;
    std::uint32_t proxy = 0;
    std::uint32_t worker = 0;
    std::uint32_t epoch = 0;
    std::uint32_t open = OpenRequests::none;
    std::uint32_t target = 0;  // of the flow's Targets, once a host is picked
    Nanoseconds sent_at{0};
    Nanoseconds now{0};
    const Soon* known = nullptr;  // set if the request was looked at ahead; else null
  };

  [[nodiscard]] Nanoseconds next_moment() const noexcept {
    return std::min(calendar_.next_time(), server_queues_.next_time());
  }
  [[nodiscard]] Nanoseconds next_arrival() {
    const Nanoseconds at = std::min(next_of_open_loops(), users_.next_time());
    return at < scenario_->duration ? at : engine::Calendar::never;
  }
  [[nodiscard]] Nanoseconds next_of_open_loops() {
    if (next_of_open_loops_ >= known_until_) {
      find_next_of_open_loops();
    }
    return next_of_open_loops_;
  }
  void find_next_of_open_loops();
  [[nodiscard, gnu::always_inline]] inline bool simulate_next(Nanoseconds limit);
  void simulate_arrival();
  [[gnu::always_inline]] inline void arrive(config::ClientEntryIndex entry, std::uint32_t client, Nanoseconds now,
                                            const Soon* known);
  void arrive_slowly(const DemandPlan& plan, std::uint32_t client, Nanoseconds now, const Soon* known);
  void simulate_moment();

  // The fast path.
  void find_plans();
  [[nodiscard]] bool stays_near(FlowIndex flow) const;
  [[nodiscard]] std::vector<const DemandPlan*> find_near_ways() const;
  void add_near(const DemandPlan& way);
  void ask_for(const Near& near, const engine::Moment& moment, unsigned step) const;
  [[gnu::always_inline]] inline void ask_for(const Leaving& soon) const;
  [[nodiscard]] DemandPlan plan_of(const Demand& demand, bool may_open_late) const;
  [[nodiscard]] bool may_open_late(const Demand& demand) const;
  void find_near_hosts(FlowIndex flow);
  inline void act_on_answer(const engine::Moment& moment, const Target& target);
  void arrive_near(const DemandPlan& way, std::uint32_t client, Nanoseconds now, const Soon* known);
  [[gnu::always_inline]] inline void send_near(const DemandPlan& way, const Try& attempt, const Near& near);
  void send_far(const DemandPlan& way, const Try& attempt, const Near& near, const RoundTrip& links,
                const scenario::Failing* failing);
  [[gnu::always_inline]] inline void reach_near(const ServerQueues::Approaching& request);
  [[nodiscard]] bool breaks_off(const Near& near, const ServerQueues::Approaching& request);
  [[gnu::always_inline]] inline void take_answer(const Near& near, const ServerQueues::Approaching& request,
                                                 Nanoseconds served);
  [[nodiscard]] engine::Moment moment_of(const Near& near, const ServerQueues::Approaching& request) const;
  void take_bad_answer(const Near& near, const ServerQueues::Approaching& request, Nanoseconds served);
  [[gnu::always_inline]] inline void leave_until(Nanoseconds now);
  void recall(std::uint32_t proxy);
  void open_sent(Try& attempt);
  void open_sent(engine::Moment& moment);
  [[nodiscard]] bool end_success(const engine::Moment& moment);
  [[gnu::always_inline]] inline void end_near(const Near& near, const Leaving& over, Nanoseconds now);

  // Looking ahead (request_simulator_ahead.cpp).
  // Returns what is known of the arrival; null if nothing is.
  [[nodiscard, gnu::always_inline]] Soon* soon(std::uint64_t number) noexcept {
    Soon& of = soon_[number % engine::UpcomingArrivals::known];
    return of.demand != nullptr && of.number == number ? &of : nullptr;
  }
  // True if the pair is the worker's next one.
  [[nodiscard, gnu::always_inline]] static bool holds(const Soon& of, const Worker& worker) noexcept {
    constexpr std::uint64_t of_pair = 3;
    return of.pair && worker.balancer.updates() == of.updates &&
           worker.draws.draws() + of_pair == of.pair->after.draws();
  }
  // True if the lists that the pair was taken from still exist.
  [[nodiscard, gnu::always_inline]] bool knows_pair(const Soon& of) const noexcept {
    return of.pair && fleet_->worker(of.worker).balancer.updates() == of.updates;
  }
  [[nodiscard, gnu::always_inline]] static config::HostIndex better_of(const Soon::Pair& pair,
                                                                       const Near& near) noexcept {
    const config::HostIndex first = *pair.first;
    const config::HostIndex second = *pair.second;
    return near.active(second.value) < near.active(first.value) ? second : first;
  }
  static constexpr std::uint64_t together = 8;  // this many requests are looked at together
  void look_ahead();
  template <class Step>
  [[gnu::always_inline]] inline void look_at(std::uint64_t first, Step step);
  void look_ahead(const engine::Moment& moment, unsigned step);
  [[nodiscard]] const Demand& choose_demand_to_come(std::uint32_t entry, std::uint64_t number);
  inline void begin_to_know(std::uint64_t number);
  [[gnu::always_inline]] inline const Demand& demand_to_come(std::uint32_t entry, std::uint64_t number);
  inline void ask_for_worker(Soon& of);
  inline void draw_ahead(Soon& of);
  void guess_host(Soon& of);
  void ask_for_host(const Soon& of);
  [[nodiscard]] std::optional<envoy::Pick> choose_known(const Try& attempt);

  // A request on its way to an endpoint.
  [[nodiscard]] bool is_dropped(const Try& attempt);
  [[nodiscard]] std::uint32_t open_request(const Try& attempt);
  void attempt(Try& attempt);
  [[nodiscard]] std::optional<envoy::Pick> choose(const Try& attempt);
  [[nodiscard]] static std::optional<envoy::Pick> choose_plainly(Worker& worker, const envoy::RequestContext& context);
  [[nodiscard]] std::optional<Fleet::SessionPick> choose_by_session(const Try& attempt) const;
  void log_session_move(const Try& attempt) const;
  [[nodiscard]] std::optional<envoy::Pick> choose_again(const Try& attempt, envoy::RequestContext& context);
  [[nodiscard]] std::uint32_t target_of(const Try& attempt, const envoy::Pick& pick);
  [[nodiscard]] std::uint32_t target_behind(FlowIndex flow, const envoy::Pick& pick, Nanoseconds now);
  [[nodiscard]] std::uint32_t forward(const scenario::Host& zone_proxy, Nanoseconds now);
  void send(Try& attempt, const envoy::Pick& pick);
  [[nodiscard]] bool connect(Try& attempt, const envoy::Pick& pick, std::uint32_t cluster);
  void wait_for_connection(const Try& attempt, const envoy::Pick& pick);
  void start(const Try& attempt, const envoy::Pick& pick);
  void set_out(Journey& journey, const Target& target, bool reached, const Try& attempt);
  void set_out(Journey& journey, const Target& target, bool reached, const scenario::Failing* failing,
               const Try& attempt);
  [[nodiscard]] bool reach(engine::Moment& moment, RoundTrip& way, const Target& target, const Try& attempt);
  void give_deadline(Journey& journey, const Try& attempt, config::ServiceIndex service) const;
  void give_deadline(Journey& journey, const Try& attempt, const envoy::Cluster& cluster) const;
  // The time at which a request is given up, and the event then.
  struct Deadline {
    Nanoseconds at = engine::Calendar::never;
    engine::LoggedEvent late = engine::LoggedEvent::timeout;
  };
  [[nodiscard]] static Deadline deadline(const Demand& demand, Nanoseconds sent_at) noexcept;

  // A response on its way back.
  void end_try(const engine::Moment& moment);
  void remember(const engine::Moment& moment, const Target& target);
  // Reports an attempt's result to the watch of the cluster whose host was picked. `endpoint` is the endpoint that
  // answered or failed to.
  void report(const engine::Moment& moment, config::EndpointIndex endpoint, config::HostIndex host,
              std::uint32_t cluster);
  // Reports it to the zone proxies that forwarded the request.
  void report_to_zone_proxies(const engine::Moment& moment, const Target& target);
  void find_no_pool(const Try& own, const envoy::Pick& pick);
  void blame(std::uint32_t cluster, config::HostIndex host, Nanoseconds now);
  [[nodiscard]] bool tries_again(const engine::Moment& moment);
  void try_again(const engine::Moment& moment);
  void give_up_waiting(const engine::Moment& moment);
  [[nodiscard]] std::uint32_t worker_of(const engine::Moment& moment);
  void give_connection_back(std::uint32_t cluster, std::uint32_t worker, config::HostIndex host, bool broken,
                            health::CircuitBreaker& breaker, Nanoseconds now);
  void count_lost(std::uint32_t proxy, std::uint32_t epoch, std::uint32_t open, std::uint32_t target,
                  CrossZoneBook::Lost lost);
  // A request that is over. `target` is that of its last attempt; nullopt if no host was found for any attempt.
  struct Ending {
    std::uint32_t proxy = 0;
    std::uint32_t epoch = 0;
    std::uint32_t open = OpenRequests::none;
    std::optional<std::uint32_t> target = {};
    scenario::Outcome outcome = scenario::Outcome::ok;
    Nanoseconds sent_at{0};
    Nanoseconds now{0};
    std::uint32_t session = 0;  // as in TracedRequest
  };
  [[nodiscard]] static std::uint32_t session_of(const Demand& demand) noexcept {
    return demand.keeps_session ? demand.session + 1 : 0;
  }
  [[nodiscard]] static Ending ending_of(const Try& attempt, scenario::Outcome outcome) noexcept;
  [[nodiscard]] Ending ending_of(const engine::Moment& moment, scenario::Outcome outcome) const noexcept;
  void finish(const Ending& ending);
  void trace(const Ending& ending) const;

  const scenario::Scenario* scenario_;
  std::uint64_t seed_;
  const Flows* flows_;
  const Traffic* traffic_;
  Fleet* fleet_;
  Truth* truth_;
  const world::World* world_;
  EpochBook* book_;

  std::vector<Entry> entries_;
  std::vector<DemandPlan> plans_;  // by Demand::place; empty if not computed yet
  std::vector<Near> near_;         // by proxy
  std::vector<std::vector<std::uint32_t, engine::LargePages<std::uint32_t>>> numbers_;  // by flow; near_ points into it
  std::vector<std::vector<NearHost>> near_hosts_;             // by flow; plans_ points into it
  std::optional<engine::UpcomingArrivals> upcoming_;          // of entries_, if no other simulator takes them
  std::array<Soon, engine::UpcomingArrivals::known> soon_{};  // a ring, by number
  std::uint64_t arrived_ = 0;                                 // of upcoming_
  std::uint64_t stretch_ = 1;                                 // up to the next arrival not looked at
  bool looks_ahead_ = false;                                  // the state of proxies exceeds the caches
  bool guesses_hosts_ = false;                                // the state of hosts does too
  std::vector<Nanoseconds> rates_change_;  // times of rate changes, latest first, with the scenario's end
  Nanoseconds known_until_{0};             // upcoming_ extends to here
  Nanoseconds next_of_open_loops_{0};      // known_until_ if none is before
  Nanoseconds rates_set_at_{0};
  engine::Calendar calendar_;
  engine::Departures<Leaving> leaving_;
  ServerQueues server_queues_;
  std::optional<Trips> trips_;  // in platform mode, instead of server_queues_
  LinkJitter jitter_;
  std::vector<RoundTrip> deviations_;  // of the request being sent, by hop
  OpenRequests open_;
  std::vector<engine::Moment> unanswered_;  // tries that never end: no response and no timeout
  Sessions sessions_;
  ForwardedConnections connections_;
  std::uint64_t retries_ = 0;
  std::uint32_t last_ticket_ = 0;  // of requests that wait for a connection
  std::uint64_t simulated_ = 0;
  RequestTrace trace_;
  Users users_;
};

// ---------------------------------------------------------------------------------------------------------------------

// Ends a first try that a response 200 ends, using only the contiguous state.
inline void RequestSimulator::end_near(const Near& near, const Leaving& over, Nanoseconds now) {
  near.breaker->decrease(health::Resource::requests);
  if (near.numbers == nullptr) {
    return;
  }
  std::uint32_t* const numbers = near.numbers_of(over.target);
  numbers[active_number] -= near.counts_active ? 1U : 0U;
  numbers[successes_number] += near.counts_successes ? 1U : 0U;
  if (near.pool == nullptr) {
    return;
  }
  if (near.known) {
    ConnectionPool::give_back(numbers + first_number_of_pool, over.worker);
  } else {
    give_connection_back(fleet_->first_cluster_of(over.proxy), over.worker, config::HostIndex{over.target}, false,
                         *near.breaker, now);
  }
}

// Ends the requests that are over by now, in any order: none affects another.
inline void RequestSimulator::leave_until(Nanoseconds now) {
  leaving_.end_until(
      now, [this, now](const Leaving& over) { end_near(near_[over.proxy], over, now); },
      [this](const Leaving& soon) { ask_for(soon); });
}

inline void RequestSimulator::ask_for(const Leaving& soon) const {
  const Near& near = near_[soon.proxy];
  __builtin_prefetch(near.breaker, 1);
  if (near.numbers != nullptr) {
    __builtin_prefetch(near.numbers_of(soon.target), 1);
  }
}

// Handles what a server has done with the request.
inline void RequestSimulator::take_answer(const Near& near, const ServerQueues::Approaching& request,
                                          Nanoseconds served) {
  const Nanoseconds patience = plans_[request.demand].patience;
  const Nanoseconds latency = served - request.sent_at + Nanoseconds{request.back};
  if (served == engine::FifoServer::full || latency > patience || !near.known || near.is_awaited) [[unlikely]] {
    take_bad_answer(near, request, served);
    return;
  }
  book_->succeed(near.leader, request.epoch, latency);
  leaving_.push(request.sent_at + latency, {request.proxy, request.target, request.worker});
}

inline void RequestSimulator::reach_near(const ServerQueues::Approaching& request) {
  const Near& near = near_[request.proxy];
  if (world_->any_outage() && breaks_off(near, request)) [[unlikely]] {
    return;
  }
  take_answer(near, request, plans_[request.demand].hosts[request.target].foreseen.served(request.at));
}

}  // namespace spillway::run
